public import MartletWire

/// The events of one upload.
public struct EventBatch: Sendable {
    /// Who may say which user an event is of.
    public enum UserRule: Sendable, Hashable {
        /// The app.
        case asserted
        /// Only who proved it: this user, by a token beside the events, or the user that the installation belongs to.
        /// Events of others are kept without a user, and joined to none.
        case proven(String?)
    }

    /// Whose app it is.
    public var app: RowID<App>
    /// The events.
    public var events: [EventDraft]
    /// Who may say which user an event is of.
    public var users: UserRule
    /// For how long events are kept: what is older is not believed.
    public var retention: Duration

    package init(app: RowID<App>, events: [EventDraft], users: UserRule = .asserted, retention: Duration) {
        self.app = app
        self.events = events
        self.users = users
        self.retention = retention
    }
}

/// Which events are asked for; `nil` asks for all.
public struct EventFilter: Sendable, Hashable {
    /// Of this app.
    public var app: RowID<App>?
    /// Of this type.
    public var type: EventType?
    /// Of this push.
    public var messageID: String?
    /// Of this user.
    public var user: String?
    /// That happened then or later.
    public var since: Timestamp?
    /// That happened before then.
    public var until: Timestamp?
    /// Of all these so many, those received last. What is received meanwhile comes too: a later page goes on behind its key.
    public var newest: Int?

    /// A filter; what else it asks for is set afterwards.
    public init(app: RowID<App>? = nil) { self.app = app }
}

/// A query in SQL with its bounds.
public struct EventQuery: Sendable {
    /// One SELECT.
    public var sql: String
    /// Whose events are there; `nil` is all apps'.
    public var app: RowID<App>?
    /// How many rows at most.
    public var rowLimit: Int
    /// How many bytes of values at most.
    public var byteLimit: Int
    /// How long it may take.
    public var timeLimit: Duration

    /// How many rows at most when nothing is said. Ours: what a person looks through.
    public static let usualRows = 1_000

    /// A query.
    ///
    /// - Parameters:
    ///   - byteLimit: 8 MiB unless said otherwise.
    ///   - timeLimit: five seconds unless said otherwise: a few million events are read in that time.
    public init(
        sql: String,
        app: RowID<App>?,
        rowLimit: Int = EventQuery.usualRows,
        byteLimit: Int = 8 << 20,
        timeLimit: Duration = .seconds(5)
    ) {
        self.sql = sql
        self.app = app
        self.rowLimit = rowLimit
        self.byteLimit = byteLimit
        self.timeLimit = timeLimit
    }
}
