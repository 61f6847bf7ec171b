public import MartletCore
public import MartletWire

/// The store: the domain's operations as transactions over an engine.
public final class Store: Sendable {
    /// How a store is opened.
    public struct Options: Sendable {
        /// How many writes may wait before more are refused as `overloaded`. Ours: a few seconds of writing.
        public var waitingWriteLimit: Int
        /// How many different filter policies a topic may have. Ours: some hundred bytes of memory each, and compiled
        /// in a second or two when the topic is first sent to.
        public var policiesPerTopic: Int
        /// How long a read may take that may look at many rows. Ours: a few million rows are read in that time.
        public var longReadLimit: Duration
        /// Called after each commit, on the writer's thread: return soon.
        public var onCommit: (@Sendable (CommitReport) -> Void)?
        /// Called after each commit that was lost, on the writer's thread.
        public var onCommitFailure: (@Sendable (CommitFailure) -> Void)?

        public init(
            waitingWriteLimit: Int = 10_000,
            policiesPerTopic: Int = 100_000,
            longReadLimit: Duration = .seconds(5),
            onCommit: (@Sendable (CommitReport) -> Void)? = nil,
            onCommitFailure: (@Sendable (CommitFailure) -> Void)? = nil
        ) {
            self.waitingWriteLimit = waitingWriteLimit
            self.policiesPerTopic = policiesPerTopic
            self.longReadLimit = longReadLimit
            self.onCommit = onCommit
            self.onCommitFailure = onCommitFailure
        }
    }

    /// The engine.
    package let database: any SQLDatabase
    /// How many different filter policies a topic may have.
    let policiesPerTopic: Int

    /// The filter policies of topics that are sent to.
    let policies = PolicyIndexCache()

    /// Up to which change of the configuration the values below are known.
    private let generation = ConfigurationGeneration()

    // What a request and an attempt ask for: as many as a busy server has under way, of some hundred bytes each.
    let knownKeys = ReadCache<KeySelector, StoredKey>(limit: 1_000)
    let knownApps = ReadCache<AppSelector, App>(limit: 1_000)
    let knownCredentials = ReadCache<RowID<App>, [Credential]>(limit: 1_000)
    let knownCategories = ReadCache<RowID<App>, [MartletCore.Category]>(limit: 1_000)
    let knownApplications = ReadCache<PlatformApplicationName, PlatformApplication>(limit: 1_000)
    /// By queue; of a queue without one it is known that it has none.
    let queueApplications = ReadCache<DeliveryQueue, PlatformApplication?>(limit: 1_000)

    package init(_ database: any SQLDatabase, _ options: Options) {
        self.database = database
        policiesPerTopic = options.policiesPerTopic
    }

    /// The database's clock, by which everything that works on it goes.
    public var clock: any WallClock { database.clock }

    /// How many writes wait for the next commit.
    public var waitingWrites: Int { database.waitingWrites }

    /// What writes are refused with for now: the disk is full, or the database cannot be reached.
    public var refusal: Failure? { database.refusal }

    /// Finishes what is under way and closes the database. Nothing may be called afterwards.
    public func close() async { await database.close() }

    /// Answers a query in SQL over `mobile.push_events`. It reads nothing else, writes nothing, and ends in time.
    ///
    /// - Throws: `Failure` naming `sql`, with what the database says about it; with ``ErrorCode/queryTimedOut`` when it
    ///   took too long.
    public func query(_ query: EventQuery) async throws -> EventTable { try await database.query(query) }

    /// Ends all leases: those of a server that is gone.
    package func releaseAllLeases() async throws { try await write { try $0.releaseAllLeases() } }

    /// Runs a write; durable when it returns.
    @discardableResult
    package func write<Value: Sendable>(
        isUrgent: Bool = false,
        isolation: Isolation = .serial,
        questions: CommitQueue.Questions? = nil,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        try await database.write(isUrgent: isUrgent, isolation: isolation, questions: questions, body)
    }

    /// Writes what decides, as a rule, nothing by rows that others write: as a snapshot. Where `body` finds that it does, it
    /// throws ``NeedsSerial`` and runs again.
    package func writeSnapshot<Value: Sendable>(
        isUrgent: Bool = false,
        questions: CommitQueue.Questions? = nil,
        _ body: @escaping @Sendable (Transaction, Isolation) throws -> Value
    ) async throws -> Value {
        do {
            return try await write(isUrgent: isUrgent, isolation: .snapshot, questions: questions) {
                try body($0, .snapshot)
            }
        } catch is NeedsSerial {
            return try await write(isUrgent: isUrgent, questions: questions) { try body($0, .serial) }
        }
    }

    /// Writes keys, apps or credentials, which are kept in memory, and says so to other processes.
    @discardableResult
    func writeConfiguration<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        // Also when it fails: its result may be unknown.
        defer { forgetConfiguration() }
        return try await write { transaction in
            let value = try body(transaction)
            try transaction.beginGeneration()
            return value
        }
    }

    /// The same for a write that nobody waits for.
    func writeConfigurationSoon(
        _ body: @escaping @Sendable (Transaction) throws -> Void,
        answer: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        database.writeSoon(isolation: .serial) { transaction in
            try body(transaction)
            try transaction.beginGeneration()
        } answer: { [self] result in
            forgetConfiguration()
            answer(result)
        }
    }

    private func forgetConfiguration() {
        knownKeys.forget()
        knownApps.forget()
        knownCredentials.forget()
        knownCategories.forget()
        knownApplications.forget()
        queueApplications.forget()
    }

    /// A value of the configuration, from memory where it is known there. What another process changed is seen within
    /// ``ConfigurationGeneration/interval``.
    ///
    /// - Throws: what `read` throws, and what the database does when it cannot say whether anything has changed.
    func known<Key, Value>(
        _ key: Key,
        in cache: ReadCache<Key, Value>,
        read: @escaping @Sendable (Transaction) throws -> Value?
    ) async throws -> Value? {
        if database.isShared, generation.beginPoll(at: .now) {
            do {
                let current = try await self.read { try $0.generation() }
                if generation.endPoll(current, at: .now) { forgetConfiguration() }
            } catch {
                generation.failPoll()
                throw error
            }
        }
        return try await cache.value(key) { try await self.read(read) }
    }

    /// Reads what was committed before.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        try await database.read(body)
    }

    /// Reads what may look at many rows.
    func readLong<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try await database.readLong(body)
    }
}

/// What a snapshot throws that would decide by rows that others write.
struct NeedsSerial: Error {}

extension Store {
    /// One app, or `nil`.
    public func app(_ selector: AppSelector) async throws -> App? {
        try await apps(.one(selector), PageRequest(count: 1)).items.first
    }

    /// Changes an app and leaves its settings.
    public func updateApp(_ app: RowID<App>, name: String?, identity: Identity?) async throws -> App {
        try await updateApp(app, name: name, identity: identity, settings: nil)
    }

    /// All apps.
    public func apps(_ page: PageRequest) async throws -> Page<App> { try await apps(.all, page) }
}
