import Crypto
import Foundation
import MartletCore
import MartletPostgres
import MartletSQLite
import MartletStore
import MartletTesting
import MartletWire

/// A server, a simulated provider, and a notification to all of an app's devices: what a case makes trouble for.
actor FaultScene {
    /// How much is sent, and for how long trouble lasts.
    enum Form: Sendable {
        /// A few thousand deliveries, trouble for seconds.
        case short
        /// 100,000 deliveries, trouble for a minute.
        case long

        var deliveries: Int { self == .short ? 4_000 : 100_000 }
        /// An outage that one waits for.
        var outage: Duration { self == .short ? .seconds(3) : .seconds(60) }
        /// One of which only the end is of interest.
        var trouble: Duration { self == .short ? .seconds(2) : .seconds(15) }
        /// Nothing is delivered: longer than a push waits for its answer; in the long form also longer than a silent
        /// connection is kept, which is twice ten seconds.
        var silence: Duration { self == .short ? .seconds(5) : .seconds(25) }
        /// How long nothing may be sent once all has ended; in the long form longer than any retry waits.
        var quiet: Duration { self == .short ? .seconds(2) : .seconds(7) }
        /// In which it must all have ended.
        var timeoutSeconds: Int { self == .short ? 60 : 420 }
    }

    static let app = "com.example.fault"

    let form: Form
    let stage: DeliveryStage
    nonisolated var simulator: SimulatorProcess { stage.simulator }
    private(set) var server: ServerProcess
    /// Whether it takes requests: a client that goes on at its old address would wait there for half a minute.
    private var isServing = true
    private var ledger: PushLedger
    private var notifications: [PublicID] = []
    /// The most memory of servers that were, in MB.
    private var peak = 0.0
    /// What was not as it must be, whatever the audit finds.
    private var problems: [String] = []

    /// What the audit has to know beside the results.
    private var conditions: Audit.Conditions

    /// - Parameters:
    ///   - folder: where the server's data is; absent is a folder of its own.
    ///   - network: where both processes are; absent is the machine's.
    ///   - clock: what both processes have; absent is the machine's.
    init(
        _ form: Form,
        for trouble: FaultCase,
        in folder: String? = nil,
        network: NetworkNamespace? = nil,
        clock: MovableClock? = nil
    ) async throws {
        self.form = form
        ledger = PushLedger(count: form.deliveries)
        conditions = Audit.Conditions(isRecorded: trouble.isRecorded, mayRepeat: trouble.mayRepeat)
        stage = try await DeliveryStage(
            app: Self.app,
            platform: trouble.platform,
            data: folder.map { $0 + "/data" },
            database: trouble.isOnPostgres ? try PostgresServer.all.get().first?.makeDatabase() : nil,
            settings: [
                // In place of thirty.
                "MARTLET_APNS_REQUEST_TIMEOUT": "\(trouble.answerSeconds)",
                "MARTLET_FCM_REQUEST_TIMEOUT": "\(trouble.answerSeconds)",
                "MARTLET_WEBPUSH_REQUEST_TIMEOUT": "\(trouble.answerSeconds)",
                // Ten times Google's, because the rate begins at a tenth.
                "MARTLET_FCM_RATE": "80000",
            ],
            simulator: trouble.simulator,
            in: network,
            clock: clock
        )
        server = try await stage.startServer()
        try await stage.connect(server)
        if trouble.platform == .apns {
            try await registerDevices()
        } else {
            try await registerAtServices(trouble.services)
        }
    }

    /// As many devices as there are deliveries, one for each user: tokens and rows are the numbers from 1 on.
    private func registerDevices() async throws {
        if let database = stage.database { return try registerDevices(in: database) }
        let result = try await sqlite(
            "PRAGMA synchronous = OFF; BEGIN",
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(form.deliveries))
            INSERT INTO users (app_id, external_id) SELECT (SELECT id FROM apps), 'user-' || i FROM n
            """,
            """
            INSERT INTO endpoints (app_id, user_id, status, platform, environment, token, public_id, status_at,
                created_at, registered_at, is_registered)
            SELECT app_id, id, 0, 1, 2, printf('%064x', id), randomblob(16), now, now, now, 1
            FROM users, (SELECT unixepoch() * 1000 AS now) ORDER BY id
            """,
            "COMMIT"
        ).result()
        guard result.status == 0 else { throw ProgramProcess.Failure(description: result.standardError) }
    }

    private func registerDevices(in database: String) throws {
        try PostgresServer.run(
            """
            INSERT INTO users (app_id, external_id)
            SELECT (SELECT id FROM apps), 'user-' || i FROM generate_series(1, \(form.deliveries)) i ORDER BY i;
            INSERT INTO endpoints (app_id, user_id, status, platform, environment, token, public_id, status_at,
                created_at, registered_at, is_registered)
            SELECT app_id, id, 0, 1, 2, lpad(to_hex(id), 64, '0'), uuid_send(gen_random_uuid()), now, now, now, 1
            FROM users, (SELECT (extract(epoch FROM now()) * 1000)::bigint AS now) clock ORDER BY id
            """,
            in: database
        )
    }

    /// As many devices as there are deliveries, one for each user, as a backend registers them.
    private func registerAtServices(_ services: [String]) async throws {
        for first in stride(from: 0, to: form.deliveries, by: DeviceBatchRequest.limit) {
            let numbers = first..<min(first + DeviceBatchRequest.limit, form.deliveries)
            let service = services[first / DeviceBatchRequest.limit % services.count]
            let made = ServiceDevices(simulator: simulator, app: Self.app, service: service)
            let devices = try await made.make(numbers)
            let request: JSONValue = ["devices": .array(devices)]
            let body = String(decoding: try request.json(), as: UTF8.self)
            try await server.call("POST", "/devices/batch", body)
        }
        let result = try await sqlite("SELECT id, token FROM endpoints").result()
        var places: [String: Int] = [:]
        for line in result.standardOutput.split(separator: "\n") {
            let parts = line.split(separator: "|", maxSplits: 1)
            guard parts.count == 2, let row = Int(parts[0]), let name = parts[1].split(separator: "/").last else {
                throw ProgramProcess.Failure(description: "no endpoint: \(line)")
            }
            places[String(name)] = row - 1
        }
        guard places.count == form.deliveries, places.values.max() == form.deliveries - 1 else {
            throw ProgramProcess.Failure(description: "\(places.count) devices were registered")
        }
        ledger = PushLedger(places: places)
    }

    /// Another process that works on the database, for which it waits so many milliseconds.
    func sqlite(waiting milliseconds: Int = 30_000, _ commands: String...) throws -> ProgramProcess {
        try ProgramProcess(
            ["-bail", stage.data + "/martlet.sqlite", ".timeout \(milliseconds)"] + commands,
            executable: "/usr/bin/sqlite3"
        )
    }

    /// Has another process hold the database for longer than the five seconds that the server waits for it. The server
    /// stands still while the lock is taken: its own commits leave little room between them.
    func holdDatabase() async throws {
        var other: ProgramProcess?
        try await until("another process has the database") {
            server.process.send(signal: SIGSTOP)
            defer { server.process.send(signal: SIGCONT) }
            let process = try sqlite(waiting: 200, "BEGIN IMMEDIATE", ".shell echo locked; sleep 8", "COMMIT")
            other = process
            // It ends where the server stands still in a commit of its own.
            return (try? await process.line(containing: "locked", within: 10)) != nil
        }
        if let result = try await other?.result(within: 30), result.status != 0 {
            note("the other process: \(result.standardError)")
        }
    }

    /// Sends to all devices, with retries after a second or as many as are said, growing to five.
    ///
    /// - Parameters:
    ///   - attempts: how many each delivery may have.
    ///   - body: the text.
    func send(retryAfter seconds: Int = 1, attempts: Int = 50, body: String = "Line 4") async throws {
        let members = #", "body": "\#(body)", "dedup": {"key": "fault"}, \#(retries(after: seconds, attempts))"#
        notifications = [try await stage.send(through: server, members)]
    }

    /// Sends to each device by a request of its own, with which its push begins, 32 at a time. A request that is not
    /// answered, or refused for now, is made again with its idempotency key, as a backend does.
    func sendOneByOne() async throws {
        try await withThrowingTaskGroup(of: PublicID.self) { group in
            var next = 1
            while next <= form.deliveries || !group.isEmpty {
                if next <= form.deliveries, next <= notifications.count + 32 {
                    let number = next
                    next += 1
                    group.addTask { try await self.send(to: number) }
                } else if let id = try await group.next() {
                    notifications.append(id)
                }
            }
        }
    }

    private func send(to number: Int) async throws -> PublicID {
        // What holds no claim ends with one statement.
        let rule = number.isMultiple(of: 2) ? #", "dedup": {"key": "fault"}"# : ""
        let body = """
            {"app": "\(Self.app)", "audience": {"users": ["user-\(number)"]}, "title": "Delay"\(rule), \
            \(retries(after: 1, 50))}
            """
        var id: PublicID?
        try await Eventually.is("notification \(number) was accepted", within: form.timeoutSeconds) {
            guard isServing else { return false }
            let answer = try? await server.call("POST", "/notifications", body, idempotencyKey: "fault-\(number)")
            id = (answer?.objectValue?["id"]?.stringValue).flatMap { PublicID($0) }
            return id != nil
        }
        guard let id else { throw ProgramProcess.Failure(description: "notification \(number) has no id") }
        return id
    }

    private nonisolated func retries(after seconds: Int, _ attempts: Int) -> String {
        """
        "retry": {"max_attempts": \(attempts), "minimum_delay_seconds": \(seconds), "maximum_delay_seconds": 5, \
        "rate_limited_delay_seconds": 1}
        """
    }

    /// A part of all deliveries.
    nonisolated func share(_ part: Int) -> Int { form.deliveries / part }

    /// How many pushes have been seen to arrive.
    var received: Int { ledger.position }

    /// Notes what was not as it must be.
    func note(_ problem: String) { problems.append(problem) }

    /// Numbers for what a case does at random, from a seed that is told: `MARTLET_FAULT_SEED` gives the same again.
    nonisolated func random(_ name: String) -> SeededRandom {
        let seed = ProcessInfo.processInfo.environment["MARTLET_FAULT_SEED"].flatMap { UInt64($0) }
        let chosen = seed ?? UInt64.random(in: 0...0xFFFF_FFFF)
        let line = "'\(name)' has the seed \(chosen)"
        if Soak.minutes == nil { print("NOTE: \(line)") } else { Soak.tell(line) }
        return SeededRandom(seed: chosen)
    }

    // MARK: Waiting

    /// Returns when so many pushes have arrived.
    func untilReceived(_ count: Int) async throws {
        try await until("\(count) pushes came") { ledger.position >= count }
    }

    /// Returns when a push was refused because of its access token.
    func untilTokenRefused() async throws {
        try await until("an access token was refused") { ledger.unauthenticated > 0 }
    }

    /// Waits, and meanwhile reads what the simulator received.
    func until(_ what: String, _ isSo: () async throws -> Bool) async throws {
        try await Eventually.is(what, within: form.timeoutSeconds) {
            try await read()
            return try await isSo()
        }
    }

    /// Lets trouble last, and meanwhile reads what the simulator received.
    func last(_ duration: Duration) async throws {
        let end = ContinuousClock.now + duration
        try await until("the time is over") { ContinuousClock.now >= end }
    }

    /// Lets what is on its way stand still, and go on.
    func standStill(
        _ stop: @Sendable () async throws -> Void,
        _ goOn: @Sendable () async throws -> Void,
        for duration: Duration
    )
        async throws
    {
        conditions.stale.formUnion(try await simulator.connections())
        try await stop()
        try await Eventually.last(duration)
        try await goOn()
    }

    /// Sets both processes' clock so many seconds on, or back.
    func moveClock(by seconds: Int) throws {
        conditions.clockMove = Int64(seconds) * 1_000
        try stage.clock?.move(to: seconds)
    }

    private func read() async throws {
        while true {
            let url = simulator.service + "/received?after=\(ledger.position)&limit=5000"
            let body = try await LocalCall.send("GET", url, in: stage.network).body
            let page = try JSONDecoder().decode(PushLedger.Page.self, from: body)
            guard !page.received.isEmpty else { return }
            ledger.enter(page)
        }
    }

    // MARK: The server

    /// Ends the server with a signal and starts it again.
    ///
    /// - Returns: what it ended with.
    @discardableResult
    func restart(_ signal: Int32) async throws -> Int32 {
        isServing = false
        let status = try await end(signal)
        server = try await stage.startServer()
        isServing = true
        return status
    }

    /// The same while there is work left, as is seen first.
    @discardableResult
    func interrupt(_ signal: Int32) async throws -> Int32 {
        if try await isDone() { note("all had ended before signal \(signal)") }
        return try await restart(signal)
    }

    private func end(_ signal: Int32) async throws -> Int32 {
        peak = max(peak, try server.peakMegabytes())
        server.process.send(signal: signal)
        let status = try await server.process.result(within: 30).status
        try await simulator.untilDisconnected()
        return status
    }

    /// Opens the database beside the server.
    func openStore() async throws -> Store {
        if let database = stage.database { return try await PostgresStore.open(database) }
        return try await SQLiteStore.open(at: stage.data + "/martlet.sqlite", clock: SystemClock(), role: .bootstrap)
    }

    // MARK: The end

    /// Waits for the notification's end and looks whether anything is sent after it, ends the server, and compares. What
    /// has not ended by then counts as lost.
    func finish() async throws -> (audit: Audit, peakMegabytes: Double) {
        guard !notifications.isEmpty else {
            let words = ["nothing was sent"] + problems
            throw ProgramProcess.Failure(description: words.joined(separator: "; "))
        }
        do {
            try await until("the notification has ended", isDone)
            try await keepQuiet()
        } catch { note("\(error)") }
        try await checkRules()
        await endForGood()
        try await read()
        let store = try await openStore()
        var reports: [DeliveryReport] = []
        var counts = DeliveryCounts()
        for id in notifications {
            reports += try await store.everyDelivery(of: id)
            let own = try await store.notification(id)?.counts ?? DeliveryCounts()
            counts.accepted += own.accepted
            counts.rejected += own.rejected
            counts.dead += own.dead
        }
        await store.close()
        if let database = stage.database { try PostgresServer.all.get().first?.drop(database) }
        var audit = Audit(reports, counts: counts, ledger: ledger, conditions: conditions)
        audit.problems += problems
        if peak > Audit.memoryBound { audit.problems.append("it held \(peak) MB") }
        return (audit, peak)
    }

    private func isDone() async throws -> Bool {
        if let only = notifications.first, notifications.count == 1 {
            let answer = try await server.call("GET", "/notifications/\(only)")
            return answer?.objectValue?["status"]?.stringValue == "done"
        }
        let sending = try await server.call("GET", "/notifications?status=sending&limit=1")
        return notifications.count == form.deliveries && sending == .array([])
    }

    /// Looks whether anything is sent of what has ended, also by a server that starts anew.
    private func keepQuiet() async throws {
        try await read()
        let before = ledger.arrivals(but: conditions.stale)
        try await last(form.quiet)
        if form == .long {
            let status = try await restart(SIGTERM)
            if status != 0 { note("the server ended with \(status) after the end") }
            try await last(.seconds(2))
        }
        let more = ledger.arrivals(but: conditions.stale) - before
        if more > 0 { note("\(more) pushes came after the end") }
    }

    private func endForGood() async {
        do {
            let status = try await end(SIGTERM)
            if status != 0 { note("the server ended with \(status)") }
        } catch {
            note("the server did not end: \(error)")
            server.process.send(signal: SIGKILL)
        }
    }
}
