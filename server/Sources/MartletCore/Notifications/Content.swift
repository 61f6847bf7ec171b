public import MartletWire

/// What a notification says, in words that every provider has; the provider renders it.
public struct Content: Sendable, Hashable, Codable {
    /// The first line.
    public var title: String?
    /// The second line.
    public var subtitle: String?
    /// The text.
    public var body: String?
    /// An image to show, by its https address.
    public var image: String?
    /// Where a tap leads, such as `myapp://alerts/42`.
    public var deepLink: String?
    /// The number on the app's icon.
    public var badge: Int?
    /// The sound's name; `default` is the system's.
    public var sound: String?
    /// Apple's category, whose buttons are shown.
    public var actionCategory: String?
    /// What groups notifications on the phone.
    public var threadID: String?
    /// The app's own values, beside the provider's.
    public var data: [String: JSONValue]
    /// What only one platform shall get, as that provider's renderer understands it.
    public var overrides: [Platform: JSONValue]

    package init(
        title: String? = nil,
        subtitle: String? = nil,
        body: String? = nil,
        image: String? = nil,
        deepLink: String? = nil,
        badge: Int? = nil,
        sound: String? = nil,
        actionCategory: String? = nil,
        threadID: String? = nil,
        data: [String: JSONValue] = [:],
        overrides: [Platform: JSONValue] = [:]
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.image = image
        self.deepLink = deepLink
        self.badge = badge
        self.sound = sound
        self.actionCategory = actionCategory
        self.threadID = threadID
        self.data = data
        self.overrides = overrides
    }
}
