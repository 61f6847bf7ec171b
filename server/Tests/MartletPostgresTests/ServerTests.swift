import Foundation
import MartletCore
import MartletPostgres
import MartletStore
import MartletWire
import Synchronization
import Testing

@testable import MartletTesting

/// What happens around the database.
@Suite(.serialized) struct ServerTests {
    @Test("an address where nobody listens is refused with what to do")
    func unreachable() async throws {
        let failure = await #expect(throws: Failure.self) {
            _ = try await PostgresStore.open("postgres://nobody@127.0.0.1:1/none", clock: ManualClock())
        }
        #expect(failure?.code == .overloaded)
        #expect(failure?.detail.message.contains("Connection refused") == true, "\(String(describing: failure))")
    }

    @Test("a text that PostgreSQL cannot keep is refused as the caller's, and fails no neighbour")
    func nullCharacter() async throws {
        try await Databases.with { address in
            let store = try await PostgresStore.open(address, clock: ManualClock())
            async let good = store.createApp(name: "good", identity: Identity())
            let failure = await #expect(throws: Failure.self) {
                try await store.createApp(name: "a\u{0}b", identity: Identity())
            }
            #expect(failure?.code == .invalidValue)
            #expect(try await good.name == "good")
            await store.close()
        }
    }

    @Test("a schema of a newer program is refused")
    func newer() async throws {
        try await Databases.with { address in
            let sql = "INSERT INTO schema_migrations (version, name, applied_at) VALUES (99, 'later', 0)"
            try PostgresServer.run(sql, in: address)
            let failure = await #expect(throws: Failure.self) {
                _ = try await PostgresStore.open(address, clock: ManualClock())
            }
            #expect(failure?.code == .conflict)
        }
    }

    @Test(
        "an address that cannot be read is refused without a word of it",
        arguments: ["u:sec%zzret@127.0.0.1/x", "u:s@cret/h@x/y"]
    )
    func unreadable(_ address: String) async throws {
        let failure = await #expect(throws: Failure.self) {
            _ = try await PostgresStore.open("postgres://" + address, clock: ManualClock())
        }
        #expect(failure?.detail.message.contains("cret") == false, "\(String(describing: failure))")
        #expect(failure?.detail.message.contains("zzret") == false)
    }

    @Test("of servers that start on an empty database at the same time each finds or makes the schema")
    func startsTogether() async throws {
        for server in try PostgresServer.all.get() {
            let address = try server.makeDatabase()
            defer { try? server.drop(address) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { await (try PostgresStore.open(address, clock: ManualClock())).close() }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("connections that are cut while nothing is under way are opened again, and nobody notices")
    func reconnectsUnnoticed() async throws {
        try await Databases.with { address in
            let store = try await PostgresStore.open(address, clock: ManualClock())
            _ = try await store.createApp(name: "before", identity: Identity())
            let cut = """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'martlet'
                """
            try PostgresServer.run(cut, in: address)
            _ = try await store.createApp(name: "after", identity: Identity())
            for _ in 0..<8 { #expect(try await store.apps(PageRequest()).items.count == 2) }
            await store.close()
        }
    }

    @Test("a key that one store revokes is refused by the other within two seconds, and an app it makes is found")
    func configuration() async throws {
        try await Databases.with { address in
            let (one, other) = (
                try await PostgresStore.open(address, clock: ManualClock()),
                try await PostgresStore.open(address, clock: ManualClock())
            )
            let hash = SecretHash(of: "secret")
            let key = try await one.createKey(app: nil, scope: .send, name: "k", prefix: "mk", hash: hash)
            #expect(try await other.key(.hash(hash))?.api == key)
            #expect(try await one.revokeKey(.id(key.id), evenIfLast: true))
            #expect(try await one.key(.hash(hash))?.api == nil)
            try await Eventually.is("the other store refuses the key", within: 2) {
                try await other.key(.hash(hash))?.api == nil
            }
            for store in [one, other] { await store.close() }
        }
    }

    @Test("two stores on one database see each other's rows, and one name is taken once")
    func twoStores() async throws {
        try await Databases.with { address in
            let stores = [
                try await PostgresStore.open(address, clock: ManualClock()),
                try await PostgresStore.open(address, clock: ManualClock()),
            ]
            let made = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        (try? await stores[number % 2].createApp(name: "app-\(number / 4)", identity: Identity()))
                            != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(made == 10)
            #expect(try await stores[0].apps(PageRequest()).items.count == 10)
            for store in stores { await store.close() }
        }
    }

    @Test("the leases of a process that is heard of no more end, and its breakers are forgotten; those of others stay")
    func presence() async throws {
        try await Databases.with { address in
            let clock = ManualClock()
            let store = try await PostgresStore.open(address, clock: clock)
            let app = try await store.createApp(name: "com.example.app", identity: Identity())
            let queue = DeliveryQueue(app: app.row, platform: .apns, environment: .production)
            let breaker = SharedBreaker(
                queue: queue,
                until: clock.now() + .seconds(60),
                openings: 3,
                reason: "ServiceUnavailable"
            )
            #expect(try await store.poll(process: 1, breakers: [breaker]).isEmpty)
            #expect(try await store.poll(process: 2, breakers: []) == [breaker])
            for number in 1...2 {
                let token = String(repeating: "0", count: 63) + "\(number)"
                _ = try await store.register(
                    Registration(app: app.row, platform: .apns, token: token, environment: .production)
                )
                let draft = NotificationDraft(
                    id: NotificationIDs().next(at: clock.now()),
                    app: app.row,
                    audience: .tokens([token], platform: .apns),
                    content: Content(),
                    priority: .high,
                    dedup: nil,
                    collapseID: nil,
                    sendAt: nil,
                    expiresAt: clock.now() + .seconds(600),
                    retry: .standard,
                    messages: []
                )
                _ = try await store.submit(draft, idempotency: nil, gate: Gate(app: app.row, queues: [queue]))
                let lease = Lease.new(process: Int64(number))
                #expect(try await store.leaseBatches(queue, limit: 9, lease: lease).count == 1)
            }
            clock.advance(by: .seconds(9))
            #expect(try await store.poll(process: 2, breakers: []) == [breaker])
            clock.advance(by: .seconds(2))
            #expect(try await store.poll(process: 2, breakers: []).isEmpty)
            let taken = try await store.leaseBatches(queue, limit: 9, lease: Lease.new(process: 2))
            #expect(taken.count == 1)
            await store.close()
        }
    }

    @Test("after a while in which nobody was heard of no lease ends for 15 seconds; then that of who stays silent does")
    func guardTime() async throws {
        try await RaceScene.with { scene, _ in
            let (world, store) = (scene.world, scene.opened)
            func lease() async throws -> Int {
                try await store.leaseFanOuts(limit: 9, lease: Lease.new(process: 2)).count
            }
            for process in 1...2 { _ = try await store.poll(process: Int64(process), breakers: []) }
            _ = try await world.submit(world.draft(scene.app))
            #expect(try await store.leaseFanOuts(limit: 9, lease: Lease.new(process: 1)).count == 1)
            // The database is away for longer than the lease lasts.
            world.clock.advance(by: .seconds(40))
            for _ in 0..<14 {
                _ = try await store.poll(process: 2, breakers: [])
                #expect(try await lease() == 0)
                world.clock.advance(by: .seconds(1))
            }
            world.clock.advance(by: .seconds(2))
            _ = try await store.poll(process: 2, breakers: [])
            #expect(try await lease() == 1)
        }
    }

    @Test(
        "a database that says nothing is given up, in reads, writes and those that wait, and used again when it speaks"
    )
    func silent() async throws {
        let cluster = try PostgresCluster()
        let store = try await PostgresStore.open(try cluster.server.makeDatabase())
        let app = try await store.createApp(name: "before", identity: Identity())
        let server = try cluster.processes()
        for process in server { kill(process, SIGSTOP) }
        let start = ContinuousClock.now
        await withTaskGroup(of: ErrorCode?.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    do { _ = try await store.apps(PageRequest()) } catch { return (error as? Failure)?.code }
                    return nil
                }
            }
            group.addTask {
                do { try await store.write { _ in } } catch { return (error as? Failure)?.code }
                return nil
            }
            for await code in group { #expect(code == .overloaded) }
        }
        #expect(ContinuousClock.now - start < .seconds(40))
        for process in server { kill(process, SIGCONT) }
        try await Eventually.is("it is used again", within: 30) {
            (try? await store.apps(PageRequest()).items.map(\.row)) == [app.row]
        }
        await store.close()
    }

    @Test("an encoding that is not UTF-8 is refused, and a host without an address is named as the reason")
    func encodingAndHost() async throws {
        let server = try PostgresCluster.shared.get().server
        let address = try server.makeDatabase(in: "SQL_ASCII")
        let encoding = await #expect(throws: Failure.self) {
            _ = try await PostgresStore.open(address, clock: ManualClock())
        }
        #expect(encoding?.code == .conflict && encoding?.detail.message.contains("SQL_ASCII") == true)
        try server.drop(address)
        let host = await #expect(throws: Failure.self) {
            _ = try await PostgresStore.open("postgres://martlet@no-such-host.invalid/x", clock: ManualClock())
        }
        #expect(host?.detail.message.contains("cannot be resolved") == true)
    }

    @Test("settings that lose what was accepted are found")
    func durability() async throws {
        for (isDurable, count) in [(false, 3), (true, 0)] {
            let cluster = try PostgresCluster(isDurable: isDurable)
            let store = try await PostgresStore.open(try cluster.server.makeDatabase())
            #expect(try await store.statistics(.settings).findings.count == count)
            await store.close()
        }
    }

    @Test("a query about events reads more rows than are in memory at a time")
    func queriesInPages() async throws {
        try await Databases.with { address in
            let store = try await PostgresStore.open(address, clock: ManualClock())
            let app = try await store.createApp(name: "app", identity: Identity())
            try await store.write { transaction in
                try transaction.prepare(
                    """
                    INSERT INTO push_events (app_id, type, platform, time, received_at)
                    SELECT ?, 1, 1, n / 7, n FROM generate_series(1, 20000) n
                    """
                )
                .bind(app.row)
                .run()
            }
            let sql = "SELECT count(*), count(DISTINCT rowid) FROM mobile.push_events"
            for app in [app.row, nil] {
                #expect(try await store.query(EventQuery(sql: sql, app: app)).rows == [[20_000, 20_000]])
            }
            await store.close()
        }
    }

    @Test("a database that comes up is waited for, and that is said once; one that is not there is not")
    func comesUp() async throws {
        let cluster = try PostgresCluster()
        let database = try cluster.server.makeDatabase()
        let waits = Mutex<[Failure]>([])
        let told: @Sendable () -> [ErrorCode] = { waits.withLock { $0.map(\.code) } }
        let open: @Sendable (String, Duration) async throws -> Store = { address, timeout in
            try await PostgresStore.open(address, clock: ManualClock(), timeout: timeout) { failure in
                waits.withLock { $0.append(failure) }
            }
        }
        let missing = try #require(database.split(separator: "?").first).description + "_gone"
        let arguments = database.split(separator: "?").dropFirst().map { "?" + $0 }.joined()
        await #expect(throws: Failure.self) { await (try open(missing + arguments, .seconds(60))).close() }
        #expect(told() == [])
        try cluster.refuseConnections(true)
        await #expect(throws: Failure.self) { await (try open(database, .zero)).close() }
        #expect(told() == [])
        async let store = open(database, .seconds(60))
        try await Eventually.is("somebody waits") { !told().isEmpty }
        try cluster.refuseConnections(false)
        await (try store).close()
        #expect(told() == [.overloaded])
    }

    @Test("a query about events whose connection is cut is refused, and the next one is answered")
    func cutQuery() async throws {
        try await Databases.with { address in
            let store = try await PostgresStore.open(address, clock: ManualClock())
            let app = try await store.createApp(name: "app", identity: Identity())
            let events = (0..<100).map { _ in EventDraft(type: .open, platform: .ios, clientTime: ManualClock().now()) }
            _ = try await store.record(EventBatch(app: app.row, events: events, retention: .seconds(86_400)))
            let table = "mobile.push_events"
            let sql = "SELECT count(*) FROM \(table), \(table) b, \(table) c, \(table) d, \(table) e"
            async let failure = #expect(throws: Failure.self) {
                try await store.query(EventQuery(sql: sql, app: nil, timeLimit: .seconds(60)))
            }
            let cut = """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND query ~ '^(DECLARE|FETCH|CLOSE)'
                """
            try await Eventually.is("the query runs", within: 10) {
                try PostgresServer.run(cut, in: address).hasPrefix("t")
            }
            #expect(await failure?.code == .overloaded)
            for _ in 0..<6 {
                #expect(
                    try await store.query(EventQuery(sql: "SELECT count(*) FROM \(table)", app: nil)).rows == [[100]]
                )
            }
            await store.close()
        }
    }
}
