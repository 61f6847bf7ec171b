public import MartletWire

/// Something for webhook URLs that are subscribed to a topic: a published message, or the confirmation that an address is
/// asked for.
public struct WebhookMessage: Sendable, Hashable {
    /// Whom it goes to.
    public enum Recipients: Sendable, Hashable {
        /// All confirmed webhook URLs whose filter takes the message, as they are subscribed when it is accepted.
        case subscribers(TopicMessage)
        /// One webhook URL, confirmed or not.
        case subscription(RowID<Subscription>)
        /// One webhook URL whose subscription has just ended.
        case ended(RowID<Subscription>)
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
    /// Its place among all messages of its FIFO topic; of a published message the store knows it.
    public var sequenceNumber: Int64?

    package init(
        id: PublicID,
        topic: RowID<Topic>,
        topicName: String,
        recipients: Recipients,
        document: String,
        group: String? = nil,
        sequenceNumber: Int64? = nil
    ) {
        self.id = id
        self.topic = topic
        self.topicName = topicName
        self.recipients = recipients
        self.document = document
        self.group = group
        self.sequenceNumber = sequenceNumber
    }
}

/// One message to one webhook URL, leased.
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
    /// The message's place among all of its FIFO topic.
    public var sequenceNumber: Int64?
    /// Whom it goes to, as it is now.
    public var subscription: Subscription
    /// Which queue it waits in, as ``queue(of:)`` says.
    public var queue: String
    /// Whether the host of that queue did not answer when it was called last.
    public var isSilent: Bool
    /// How many attempts were made before.
    public var attempts: Int
    /// When the message was accepted.
    public var acceptedAt: Timestamp

    /// For how long a delivery is its holder's: four times the 15 seconds that an attempt may take, ours.
    public static let lease: Duration = .seconds(60)

    /// For how long after its message was accepted a delivery is tried: a day, as a push without a time to live. Retries
    /// by a policy are over within an hour; only what waits for a host that does not answer, for its turn, or behind
    /// others of its group gets so old.
    public static let longestLife: Duration = .seconds(86_400)

    package init(
        row: RowID<WebhookDelivery>,
        messageRow: RowID<WebhookMessage>,
        message: PublicID,
        topicName: String,
        document: String,
        sequenceNumber: Int64? = nil,
        subscription: Subscription,
        queue: String,
        isSilent: Bool = false,
        attempts: Int,
        acceptedAt: Timestamp
    ) {
        self.row = row
        self.messageRow = messageRow
        self.message = message
        self.topicName = topicName
        self.document = document
        self.sequenceNumber = sequenceNumber
        self.subscription = subscription
        self.queue = queue
        self.isSilent = isSilent
        self.attempts = attempts
        self.acceptedAt = acceptedAt
    }

    /// Whose permits its call takes.
    public var permitHolder: String { Self.permitHolder(queue, isSilent: isSilent) }

    /// Whose permits the calls of a queue take: its own, and all hosts that do not answer have those of one together, so
    /// that however many they are, they leave capacity for those that do.
    package static func permitHolder(_ queue: String, isSilent: Bool) -> String { isSilent ? "" : queue }

    /// The queue of a webhook URL: its host and port, so that a host that hangs keeps nobody else's messages waiting.
    public static func queue(of address: String) -> String {
        let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return host.lowercased()
    }
}

/// The result of an attempt.
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

/// What was leased.
public struct LeasedWebhooks: Sendable, Hashable {
    /// It.
    public var deliveries: [WebhookDelivery]
    /// When there is more to lease, where there was nothing now.
    public var next: Timestamp?
    /// How many deliveries were too old and are dead letters now.
    public var expired: Int
    /// How many are dead letters now because their leases ended ``LeaseAdmission/limit`` times without a settlement.
    public var crashed: Int

    package init(deliveries: [WebhookDelivery] = [], next: Timestamp? = nil, expired: Int = 0, crashed: Int = 0) {
        self.deliveries = deliveries
        self.next = next
        self.expired = expired
        self.crashed = crashed
    }
}
