import Crypto
import GRDB
import Logging
import MartletCore
import MartletPipeline
import MartletTesting
import MartletWire

@testable import MartletSQLite
@testable import MartletStore

/// A pipeline on a real store in memory, with a scripted provider and a clock that the test moves.
struct Stage {
    let store: Store
    let database: any DatabaseWriter
    let clock: ManualClock
    let provider: ScriptedProvider
    let wakeUps = WakeUps()
    let inlineDispatch = InlineDispatch()
    let breakers = QueueBreakers()
    let metrics = DeliveryMetrics()
    let ids = NotificationIDs()
    let app: App
    var credentialService: CredentialService

    init(
        environments: [Environment] = [.production],
        onCommit: (@Sendable (CommitReport) -> Void)? = nil
    ) async throws {
        let clock = ManualClock()
        let store = try await SQLiteStore.inMemory(clock: clock, options: Store.Options(onCommit: onCommit))
        let provider = ScriptedProvider()
        self.clock = clock
        self.store = store
        database = (store.database as! SQLiteDatabase).database
        self.provider = provider
        credentialService = CredentialService(
            store: store,
            providers: [.apns: provider],
            vault: Vault(key: SymmetricKey(size: .bits256))
        )
        app = try await store.createApp(name: "one", identity: Identity())
        try await configure(app, environments)
    }

    func configure(_ app: App, _ environments: [Environment]) async throws {
        let draft = CredentialDraft(
            .apns(.pem(certificate: "", privateKey: ""), bundleID: "com.example")
        )
        _ = try await credentialService.store(draft, app: app, environments: environments)
    }

    var submitter: Submitter {
        Submitter(
            store: store,
            providers: [.apns: provider],
            clock: clock,
            wakeUps: wakeUps,
            inlineDispatch: inlineDispatch,
            metrics: metrics,
            ids: ids
        )
    }

    /// A dispatcher that runs while `body` does, and is then told to stop.
    @discardableResult
    func dispatching<Result: Sendable>(
        settings: DispatcherSettings = DispatcherSettings(),
        onSettlement: Dispatcher.SettlementHandler? = nil,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let dispatcher = Dispatcher(
            store: store,
            providers: [.apns: provider],
            credentials: credentialService,
            clock: clock,
            wakeUps: wakeUps,
            inlineDispatch: inlineDispatch,
            metrics: metrics,
            breakers: breakers,
            onSettlement: onSettlement,
            settings: settings,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                await dispatcher.run()
                return nil
            }
            group.addTask {
                do {
                    return try await body()
                } catch {
                    // What is held would keep the dispatcher from stopping, and the failure from being told.
                    provider.releaseForGood()
                    throw error
                }
            }
            var result: Result?
            while result == nil, let finished = try await group.next() { result = finished }
            group.cancelAll()
            try await group.waitForAll()
            guard let result else { throw CancellationError() }
            return result
        }
    }

    /// Runs SQL in the store's own database, which brings it into trouble or out of it.
    func execute(_ sql: String) async throws {
        try await database.write { try $0.execute(sql: sql) }
    }

    /// Lets the database grow no more, as a full disk does.
    func fillDisk() async throws {
        let pages = try await database.write { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        try await execute("PRAGMA max_page_count = \(pages)")
    }

    /// Takes back what ``fillDisk()`` did.
    func freeDisk() async throws {
        try await execute("PRAGMA max_page_count = 1000000")
    }

    @discardableResult
    func register(
        _ token: String,
        user: String? = nil,
        environment: Environment? = .production,
        app: App? = nil
    ) async throws -> Endpoint {
        let registration = Registration(
            app: (app ?? self.app).row,
            platform: .apns,
            token: token,
            environment: environment,
            owner: user.map(Registration.Owner.user) ?? .unchanged
        )
        return try await store.register(registration).endpoint
    }

    func submit(
        _ audience: Audience,
        app: App? = nil,
        change: (inout Submission) -> Void = { _ in }
    ) async throws -> PublicID {
        var submission = Submission(app: app ?? self.app, audience: audience, content: Content(title: "Delay"))
        change(&submission)
        return try await submitter.submit(submission, idempotency: nil).id
    }

    func notification(_ id: PublicID) async throws -> Notification {
        guard let notification = try await store.notification(id) else { throw Failure.notFound("notification") }
        return notification
    }

    /// Returns when the condition holds; it is looked at whenever the pipeline rests.
    func until(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { try await rest() }
    }

    /// Returns the notification when it is over.
    @discardableResult
    func finished(_ id: PublicID) async throws -> Notification {
        try await until { try await notification(id).state == .done }
        return try await notification(id)
    }

    /// Answers what is held until all of these are over: what is still held would keep the dispatcher from stopping.
    func releaseUntilDone(_ ids: [PublicID]) async throws {
        for id in ids {
            while try await notification(id).state == .sending {
                provider.release()
                await Task.yield()
            }
        }
    }

    /// Moves the clock from sleeper to sleeper until the condition holds; it stands still while the pipeline has something
    /// to do. A condition that never holds ends with the suite's time limit.
    func advance(until condition: () async throws -> Bool) async throws {
        while true {
            try await rest()
            if try await condition() { return }
            guard let next = clock.nextDeadline else { continue }
            clock.advance(to: next)
        }
    }

    /// Returns when the pipeline waits for the clock or for somebody outside: three looks one after the other find its
    /// timers asleep, and between them nobody rang, slept, or sent.
    private func rest() async throws {
        var seen = signs
        var quietLooks = 0
        while quietLooks < 3 {
            try Task.checkCancellation()
            // Poll, ticker and maintenance: one that was woken lies down again when it has woken the others.
            await clock.untilAsleep(3)
            // The store works one thing off after the other, writes and then reads: behind these two, everything that it
            // was asked for before has its answer.
            // One that fails, because the disk is full, was in the queue all the same.
            _ = try? await store.deleteTopic(RowID(0))
            _ = try await store.pauses(nil)
            // Those who can go on do so before this task has its next turn.
            for _ in 0..<20 { await Task.yield() }
            let now = signs
            quietLooks = now == seen ? quietLooks + 1 : 0
            seen = now
        }
    }

    /// What changes when the pipeline does something.
    private var signs: [UInt64] {
        [
            wakeUps.count(of: .audiences), wakeUps.count(of: .batches), wakeUps.count(of: .inlineDispatch),
            UInt64(clock.sleepCount), UInt64(provider.attempts.count),
        ]
    }

    /// A token that differs by number.
    static func token(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// What became of each delivery, by token.
    func reports(_ id: PublicID) async throws -> [String: DeliveryReport] {
        let row = try await notification(id).row
        var reports: [String: DeliveryReport] = [:]
        for report in try await store.deliveries(row, PageRequest(count: 1_000)).items {
            guard let endpointRow = report.endpointRow,
                let endpoint = try await store.endpoint(app.row, .row(endpointRow))
            else { continue }
            reports[endpoint.token] = report
        }
        return reports
    }
}
