public import MartletWire

/// What phones report, and what is asked of it.
public protocol EventStore: Sendable {
    /// Writes the events that are not known yet, in one transaction, and counts them under their message ids.
    ///
    /// An event without a user is joined to whoever its device belongs to, now or by a later login.
    ///
    /// - Returns: how many were written; the rest were known.
    func record(_ batch: EventBatch) async throws -> Int

    /// How many events were reported under these message ids; those without any are absent.
    func eventCounts(_ app: RowID<App>, messages: [String]) async throws -> [String: EventCounts]

    /// Events in the order of their receipt, from the filter's first or from behind the page's key.
    func events(_ filter: EventFilter, _ page: PageRequest) async throws -> Page<Event>

    /// Answers a query in SQL over `mobile.push_events`. It reads nothing else, writes nothing, and ends in time.
    ///
    /// - Throws: `Failure` naming `sql`, with what the database says about it; with ``ErrorCode/queryTimedOut`` when it
    ///   took too long.
    func query(_ query: EventQuery) async throws -> EventTable
}

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
