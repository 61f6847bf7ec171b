public import MartletWire

/// What waits for webhook URLs.
public struct WebhookBacklog: Sendable, Hashable {
    /// Deliveries that wait or are under way.
    public var deliveries: Int
    /// Messages whose recipients are not read to their end.
    public var messages: Int
    /// When the oldest message was accepted that is not over.
    public var oldest: Timestamp?
    /// Deliveries that were given up and not sent again.
    public var deadLetters: Int
    /// Hosts that do not answer.
    public var silentHosts: Int

    package init(
        deliveries: Int = 0,
        messages: Int = 0,
        oldest: Timestamp? = nil,
        deadLetters: Int = 0,
        silentHosts: Int = 0
    ) {
        self.deliveries = deliveries
        self.messages = messages
        self.oldest = oldest
        self.deadLetters = deadLetters
        self.silentHosts = silentHosts
    }
}

/// A message that a webhook URL did not take, complete in itself: topic and subscription may be gone.
public struct WebhookDeadLetter: Sendable, Hashable {
    /// The key inside the store.
    public var row: Int64
    /// The id outside.
    public var id: PublicID
    /// The message.
    public var message: PublicID
    /// How the topic is called outside.
    public var topicName: String
    /// The subscription.
    public var subscription: PublicID
    /// The webhook URL.
    public var address: String
    /// What the message says.
    public var document: String
    /// How many attempts were made.
    public var attempts: Int
    /// Why the last one failed.
    public var reason: String
    /// When it was given up.
    public var diedAt: Timestamp

    package init(
        row: Int64,
        id: PublicID,
        message: PublicID,
        topicName: String,
        subscription: PublicID,
        address: String,
        document: String,
        attempts: Int,
        reason: String,
        diedAt: Timestamp
    ) {
        self.row = row
        self.id = id
        self.message = message
        self.topicName = topicName
        self.subscription = subscription
        self.address = address
        self.document = document
        self.attempts = attempts
        self.reason = reason
        self.diedAt = diedAt
    }
}
