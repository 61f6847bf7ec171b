public import MartletWire

/// Something for web addresses that are subscribed to a topic: a published message, or the question whether an address
/// wants them.
public struct WebhookMessage: Sendable, Hashable {
    /// Whom it goes to.
    public enum Recipients: Sendable, Hashable {
        /// All confirmed web addresses whose filter takes the message, as they are subscribed when it is accepted.
        case subscribers(TopicMessage)
        /// One web address, confirmed or not.
        case subscription(RowID<Subscription>)
    }

    /// The id outside.
    public var id: PublicID
    /// The topic.
    public var topic: RowID<Topic>
    /// How the topic is called outside, which a dead letter says when the topic is long gone.
    public var topicName: String
    /// Whom it goes to.
    public var recipients: Recipients
    /// What it says; only whoever wrote it knows how to read it.
    public var document: String
    /// Messages of one group reach a subscription one after the other, in the order in which they were accepted.
    public var group: String?

    /// A message from its parts.
    public init(
        id: PublicID,
        topic: RowID<Topic>,
        topicName: String,
        recipients: Recipients,
        document: String,
        group: String? = nil
    ) {
        self.id = id
        self.topic = topic
        self.topicName = topicName
        self.recipients = recipients
        self.document = document
        self.group = group
    }
}

/// One message to one web address, leased.
public struct WebhookDelivery: Sendable, Hashable {
    /// The key inside the store.
    public var row: RowID<WebhookDelivery>
    /// The message's key inside the store.
    public var messageRow: RowID<WebhookMessage>
    /// The message's id outside.
    public var message: PublicID
    /// How the topic is called outside.
    public var topicName: String
    /// What the message says.
    public var document: String
    /// Whom it goes to, as it is now.
    public var subscription: Subscription
    /// Which queue it waits in, as ``queue(of:)`` says.
    public var queue: String
    /// How many attempts were made before.
    public var attempts: Int
    /// When the message was accepted.
    public var acceptedAt: Timestamp

    /// For how long a delivery is its holder's: four times the 15 seconds that an attempt may take, ours.
    public static let lease: Duration = .seconds(60)

    /// A delivery from its parts.
    public init(
        row: RowID<WebhookDelivery>,
        messageRow: RowID<WebhookMessage>,
        message: PublicID,
        topicName: String,
        document: String,
        subscription: Subscription,
        queue: String,
        attempts: Int,
        acceptedAt: Timestamp
    ) {
        self.row = row
        self.messageRow = messageRow
        self.message = message
        self.topicName = topicName
        self.document = document
        self.subscription = subscription
        self.queue = queue
        self.attempts = attempts
        self.acceptedAt = acceptedAt
    }

    /// The queue of a web address: its host and port, so that a host that hangs keeps nobody else's messages waiting.
    public static func queue(of address: String) -> String {
        let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return host.lowercased()
    }
}

/// What became of an attempt.
public enum WebhookOutcome: Sendable, Hashable {
    /// The receiver took it.
    case delivered
    /// It is tried again.
    case retry(at: Timestamp, reason: String)
    /// It was not tried, and is due at another time.
    case deferred(until: Timestamp)
    /// It is not tried any more.
    case dead(reason: String)
}

/// How many deliveries may be leased.
public struct WebhookRoom: Sendable, Hashable {
    /// In all.
    public var total: Int
    /// Of one queue, those that are under way among them.
    public var perQueue: Int
    /// How many of each queue are under way.
    public var taken: [String: Int]
    /// The queue that was served last; the round goes on behind it.
    public var after: String

    /// A room from its parts.
    public init(total: Int, perQueue: Int, taken: [String: Int] = [:], after: String = "") {
        self.total = total
        self.perQueue = perQueue
        self.taken = taken
        self.after = after
    }

    /// How many of a queue may be leased.
    public func free(in queue: String) -> Int { min(total, max(0, perQueue - (taken[queue] ?? 0))) }
}

/// What was leased.
public struct LeasedWebhooks: Sendable, Hashable {
    /// It.
    public var deliveries: [WebhookDelivery]
    /// When the next delivery is due, where none was now.
    public var next: Timestamp?

    /// A result from its parts.
    public init(deliveries: [WebhookDelivery] = [], next: Timestamp? = nil) {
        self.deliveries = deliveries
        self.next = next
    }
}

/// What waits for web addresses.
public struct WebhookBacklog: Sendable, Hashable {
    /// Deliveries that wait or are under way.
    public var deliveries: Int
    /// Messages whose recipients are not read to their end.
    public var messages: Int
    /// When the oldest message was accepted that is not over.
    public var oldest: Timestamp?
    /// Deliveries that were given up.
    public var deadLetters: Int

    /// A backlog from its parts.
    public init(deliveries: Int = 0, messages: Int = 0, oldest: Timestamp? = nil, deadLetters: Int = 0) {
        self.deliveries = deliveries
        self.messages = messages
        self.oldest = oldest
        self.deadLetters = deadLetters
    }
}

/// A message that a web address did not take, complete in itself: topic and subscription may be gone.
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
    /// The web address.
    public var address: String
    /// What the message says.
    public var document: String
    /// How many attempts were made.
    public var attempts: Int
    /// Why the last one failed.
    public var reason: String
    /// When it was given up.
    public var diedAt: Timestamp

    /// A dead letter from its parts.
    public init(
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
