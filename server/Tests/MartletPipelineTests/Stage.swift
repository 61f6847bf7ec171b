import Crypto
import Logging
import MartletCore
import MartletSQLite
import MartletTesting
import MartletWire

/// A pipeline on a real store in memory, with a scripted provider and a clock that the test moves.
struct Stage {
    let store: any Store
    let clock: ManualClock
    let provider: ScriptedProvider
    let bell = WorkBell()
    let breakers = LaneBreakers()
    let metrics = DeliveryMetrics()
    let app: App
    let keeper: CredentialKeeper

    init(environments: [Environment] = [.production]) async throws {
        let clock = ManualClock()
        let store = try await SQLiteStore.inMemory(clock: clock)
        let provider = ScriptedProvider()
        self.clock = clock
        self.store = store
        self.provider = provider
        keeper = CredentialKeeper(
            store: store,
            providers: [.apns: provider],
            vault: Vault(key: SymmetricKey(size: .bits256))
        )
        app = try await store.createApp(name: "one", identity: Identity())
        try await configure(app, environments)
    }

    func configure(_ app: App, _ environments: [Environment]) async throws {
        let draft = CredentialDraft(
            platform: .apns,
            secret: .pem(certificate: "", privateKey: ""),
            topic: "com.example"
        )
        _ = try await keeper.store(draft, app: app, environments: environments)
    }

    var submitter: Submitter {
        Submitter(store: store, providers: [.apns: provider], clock: clock, bell: bell, metrics: metrics)
    }

    /// A dispatcher that runs while `body` does, and is then told to stop.
    func dispatching<Result: Sendable>(
        settings: Dispatcher.Settings = Dispatcher.Settings(),
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let dispatcher = Dispatcher(
            store: store,
            providers: [.apns: provider],
            credentials: keeper,
            clock: clock,
            bell: bell,
            metrics: metrics,
            breakers: breakers,
            settings: settings,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                await dispatcher.run()
                return nil
            }
            group.addTask { try await body() }
            var result: Result?
            while result == nil, let finished = try await group.next() { result = finished }
            group.cancelAll()
            try await group.waitForAll()
            guard let result else { throw CancellationError() }
            return result
        }
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

    /// Returns when the condition holds; it is looked at whenever the pipeline has done something.
    func until(_ condition: () async throws -> Bool) async throws {
        while true {
            let rings = bell.rings(.batches)
            if try await condition() { return }
            try Task.checkCancellation()
            await bell.wait(for: .batches, after: rings, until: Timestamp(milliseconds: .max), clock: clock)
        }
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

    /// Moves the clock from sleeper to sleeper, at most by `duration` in all, until the condition holds.
    func advance(by duration: Duration = .seconds(86_400), until condition: () async throws -> Bool) async throws {
        let end = clock.now() + duration
        while try await !condition() {
            try Task.checkCancellation()
            await clock.untilAsleep(3)
            guard clock.now() < end else { throw TooLate() }
            clock.advance(by: .milliseconds(250))
            await Task.yield()
        }
    }

    struct TooLate: Error {}

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
