/// A message that a subscribed webhook URL did not take.
public struct WebhookDeadLetterItem: Sendable, Hashable, Codable {
    /// The id.
    public var id: PublicID
    /// The message's id, as its publisher was told.
    public var messageID: PublicID
    /// The topic's ARN.
    public var topic: String
    /// The subscription.
    public var subscriptionID: PublicID
    /// The webhook URL, without user and password.
    public var url: String
    /// What the message says.
    public var message: String?
    /// The message's subject, where it has one.
    public var subject: String?
    /// The last reason.
    public var reason: String
    /// How many attempts were made.
    public var attempts: Int
    /// When the last one was.
    public var diedAt: UTCTime

    public init(
        id: PublicID,
        messageID: PublicID,
        topic: String,
        subscriptionID: PublicID,
        url: String,
        message: String?,
        subject: String?,
        reason: String,
        attempts: Int,
        diedAt: UTCTime
    ) {
        self.id = id
        self.messageID = messageID
        self.topic = topic
        self.subscriptionID = subscriptionID
        self.url = url
        self.message = message
        self.subject = subject
        self.reason = reason
        self.attempts = attempts
        self.diedAt = diedAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case messageID = "message_id"
        case topic
        case subscriptionID = "subscription_id"
        case url, message, subject, reason, attempts
        case diedAt = "died_at"
    }
}
