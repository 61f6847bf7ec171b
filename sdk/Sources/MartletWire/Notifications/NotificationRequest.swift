/// Tells people something: `POST /api/v1/notifications`.
public struct NotificationRequest: Sendable, Hashable, Codable {
    /// The id or name of the app.
    public var app: String?
    /// Whom to tell.
    public var audience: AudienceRequest
    /// The first line.
    public var title: String?
    /// The second line.
    public var subtitle: String?
    /// The text.
    public var body: String?
    /// An image to show, by its https address.
    public var image: String?
    /// Where a tap leads.
    public var deepLink: String?
    /// The number on the app's icon.
    public var badge: BadgeRequest?
    /// The sound's name.
    public var sound: String?
    /// The preference category.
    public var category: String?
    /// Whether an inbox item is left.
    public var inbox: InboxRequest?
    /// Apple's category, whose buttons are shown.
    public var actionCategory: String?
    /// What groups notifications on the phone.
    public var threadID: String?
    /// The app's own values, beside the provider's.
    public var data: [String: JSONValue]?
    /// Whether each payload has its delivery's id.
    public var deliveryID: Bool?
    /// What only one platform gets.
    public var overrides: [String: JSONValue]?
    /// The provider's kind of push.
    public var pushType: String?
    /// The provider's topic.
    public var topic: String?
    /// What it waits behind.
    public var `class`: NotificationClass?
    /// How loud it is on the phone.
    public var priority: Priority?
    /// What replaces an older notification on the phone.
    public var collapseID: NullablePatch<String>
    /// What keeps a user from getting the same thing twice.
    public var dedup: DedupRequest?
    /// When to begin.
    public var sendAt: UTCTime?
    /// When it is no longer worth delivering.
    public var expiresAt: UTCTime?
    /// For how long after its beginning it is worth delivering.
    public var ttlSeconds: Int?
    /// How often and when a delivery is tried again.
    public var retry: RetryRequest?
    /// What the filters of a topic's subscribers look at.
    public var attributes: [String: JSONValue]?

    /// A request with its text; all else is set afterwards.
    public init(app: String? = nil, audience: AudienceRequest, title: String? = nil, body: String? = nil) {
        self.app = app
        self.audience = audience
        self.title = title
        self.body = body
        self.collapseID = .unset
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case app, audience, title, subtitle, body, image
        case deepLink = "deep_link"
        case badge, sound, category, inbox
        case actionCategory = "action_category"
        case threadID = "thread_id"
        case data
        case deliveryID = "delivery_id"
        case overrides
        case pushType = "push_type"
        case topic
        case `class` = "class"
        case priority
        case collapseID = "collapse_id"
        case dedup
        case sendAt = "send_at"
        case expiresAt = "expires_at"
        case ttlSeconds = "ttl_seconds"
        case retry, attributes
    }
}
