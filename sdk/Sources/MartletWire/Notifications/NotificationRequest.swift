/// Tells people something: `POST /api/v1/notifications`.
public struct NotificationRequest: Sendable, Hashable, Codable {
    /// The id or name of the app; absent takes the key's app.
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
    /// Where a tap leads, such as `myapp://alerts/42`.
    public var deepLink: String?
    /// The number on the app's icon; 0 removes it.
    public var badge: Int?
    /// The sound's name; `default` is the system's.
    public var sound: String?
    /// The category whose buttons are shown.
    public var category: String?
    /// What groups notifications on the phone.
    public var threadID: String?
    /// The app's own values, beside the provider's.
    public var data: [String: JSONValue]?
    /// What only one platform gets, by platform, as that provider takes it.
    public var overrides: [String: JSONValue]?
    /// The provider's kind of push, such as `alert` or `background`; absent is chosen from the content.
    public var pushType: String?
    /// The provider's topic, where it is not the app's own.
    public var topic: String?
    /// How urgent it is; absent is chosen from the push type.
    public var priority: PriorityName?
    /// What replaces an older notification on the phone, at most 64 bytes: absent takes the dedup key, `null` takes none.
    public var collapseID: NullablePatch<String>
    /// What keeps a user from getting the same thing twice.
    public var dedup: DedupRequest?
    /// When to begin; absent is now.
    public var sendAt: UTCTime?
    /// When it is no longer worth delivering. Not together with `ttl_seconds`.
    public var expiresAt: UTCTime?
    /// For how long after its beginning it is worth delivering, in seconds; 0 lets the provider try once.
    public var ttlSeconds: Int?
    /// How often and when a delivery is tried again.
    public var retry: RetryRequest?
    /// What the filters of a topic's subscribers look at: text, numbers, `true`, `false`, `null` and lists of these.
    public var attributes: [String: JSONValue]?

    /// A request with its text; all else is set afterwards.
    public init(app: String? = nil, audience: AudienceRequest, title: String? = nil, body: String? = nil) {
        self.app = app
        self.audience = audience
        self.title = title
        self.body = body
        self.collapseID = .unset
    }

    enum CodingKeys: String, CodingKey {
        case app
        case audience
        case title
        case subtitle
        case body
        case image
        case deepLink = "deep_link"
        case badge
        case sound
        case category
        case threadID = "thread_id"
        case data
        case overrides
        case pushType = "push_type"
        case topic
        case priority
        case collapseID = "collapse_id"
        case dedup
        case sendAt = "send_at"
        case expiresAt = "expires_at"
        case ttlSeconds = "ttl_seconds"
        case retry
        case attributes
    }
}
