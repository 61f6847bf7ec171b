/// For how long what is kept; each is a setting.
public struct Retention: Sendable, Hashable {
    /// Notifications that are over, with their results.
    public var notifications: Duration = .seconds(90 * 86_400)
    /// Dedup claims beyond their cooldown.
    public var claims: Duration = .seconds(7 * 86_400)
    /// Endpoints that were removed.
    public var removedEndpoints: Duration = .seconds(90 * 86_400)
    /// Dead letters.
    public var deadLetters: Duration = .seconds(30 * 86_400)
    /// Webhook URLs that were asked whether they want a topic's messages and never confirmed: three days, for which
    /// their token is good (Amazon SNS, Subscribe). The end of a subscription can be taken back for as long.
    public var pendingSubscriptions: Duration = .seconds(3 * 86_400)
    /// What phones reported. An event older than that is given the time of its receipt.
    public var events: Duration = .seconds(90 * 86_400)
    /// What people changed of their preferences.
    public var preferenceChanges: Duration = .seconds(400 * 86_400)
    /// Who changed what.
    public var auditLog: Duration = .seconds(400 * 86_400)
    /// After how long without a new registration an endpoint is stale: 270 days, which is when FCM gives up on an
    /// inactive Android token; Apple names no figure.
    public var staleEndpoints: Duration = .seconds(270 * 86_400)

    /// The defaults.
    public init() {}

    /// For how long a table's rows are kept.
    package func duration(_ table: RetentionTable) -> Duration {
        switch table {
        case .staleEndpoints: staleEndpoints
        case .notifications: notifications
        case .claims: claims
        case .idempotency: IdempotencyRecord.lifetime
        case .removedEndpoints: removedEndpoints
        case .deadLetters: deadLetters
        case .pendingSubscriptions: pendingSubscriptions
        // Whether a host answers is found out with one call: a day, ours, saves that call where messages come often.
        case .webhookHosts: .seconds(86_400)
        // They are gone for everybody but the audiences that are being read, which keep them by themselves.
        case .deletedTopics: .zero
        case .fifoMessages: PublicationOrder.window
        // Each says itself when it leaves.
        case .inboxItems: .zero
        case .events: events
        // Each row says itself until when it is needed.
        case .eventKeys: .zero
        // As long as the notification whose counts they are, or the events that they count.
        case .eventCounts: max(notifications, events)
        // Who sees an announcement is what they wanted when it was published.
        case .preferenceChanges: max(preferenceChanges, InboxDraft.lifetime)
        case .minuteCounts: CountSpan.writerRetention
        case .pastMinuteCounts: CountSpan.minuteRetention
        case .hourCounts: CountSpan.hourRetention
        // Each says itself when it ends.
        case .operatorSessions: .zero
        case .auditLog: auditLog
        // Their time is kept to a day.
        case .eventSubjects: events + .seconds(86_400)
        }
    }
}
