public import MartletWire

/// A message to a topic, before it is rendered: a submission for each app whose people are subscribed.
public struct PublicationRequest: Sendable {
    /// The message's id, and that of the first app's notification.
    public var id: PublicID
    /// What to.
    public var topic: RowID<Topic>
    /// What tells it from a repetition and gives it its place; `nil` for topics that keep no order.
    public var order: PublicationOrder?
    /// What each app's people get.
    public var submissions: [Submission]
    /// What webhook URLs get.
    public var webhook: WebhookMessage?
    /// What is written into the audit log in the same transaction.
    package var audit: AuditDraft?

    package init(
        id: PublicID,
        topic: RowID<Topic>,
        order: PublicationOrder? = nil,
        submissions: [Submission],
        webhook: WebhookMessage? = nil
    ) {
        self.id = id
        self.topic = topic
        self.order = order
        self.submissions = submissions
        self.webhook = webhook
    }

    /// Whose deliveries it adds to those that wait.
    package var owners: Set<WaitingDeliveries.Owner> {
        let apps = submissions.map { WaitingDeliveries.Owner.app($0.app.row) }
        return Set(apps).union(webhook == nil ? [] : [.webhooks])
    }
}

/// What a FIFO topic knows a message by.
public struct PublicationOrder: Sendable, Hashable {
    /// For how long a repetition is known as one: Amazon's five minutes (Amazon SNS, "Message deduplication for FIFO
    /// topics").
    public static let window: Duration = .seconds(300)

    /// The hash of the deduplication id, and of the group where ids are unique in their group only.
    public var deduplication: SecretHash

    /// An order by its hash.
    public init(deduplication: SecretHash) { self.deduplication = deduplication }
}

/// A message to a topic on its way into the store.
public struct Publication: Sendable {
    /// What was asked for.
    public var request: PublicationRequest
    /// One notification for each app.
    public var drafts: [NotificationDraft]
    /// One for each notification.
    public var gates: [Gate]

    package init(_ request: PublicationRequest, drafts: [NotificationDraft], gates: [Gate]) {
        self.request = request
        self.drafts = drafts
        self.gates = gates
    }
}

/// The result of a publication.
public struct Published: Sendable, Hashable {
    /// The message's id: the new one, or that of the message which this one repeats.
    public var id: PublicID
    /// Its place among all messages of its FIFO topic, from 1.
    public var sequenceNumber: Int64?
    /// Whether it repeats a message of the last minutes; nothing was written then.
    public var isRepeated: Bool
    /// The notifications.
    public var submitted: [Submitted]
    /// Whether it waits for webhook URLs.
    public var hasWebhooks: Bool

    package init(
        id: PublicID,
        sequenceNumber: Int64?,
        isRepeated: Bool,
        submitted: [Submitted],
        hasWebhooks: Bool
    ) {
        self.id = id
        self.sequenceNumber = sequenceNumber
        self.isRepeated = isRepeated
        self.submitted = submitted
        self.hasWebhooks = hasWebhooks
    }
}
