import MartletCore
import MartletPostgres
import MartletSQL
import MartletTesting
import MartletWire
import Testing

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
            try PostgresCluster.shared.get().run(sql, in: address)
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
        let cluster = try PostgresCluster.shared.get()
        let address = try cluster.makeDatabase()
        defer { try? cluster.drop(address) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { await (try PostgresStore.open(address, clock: ManualClock())).close() }
            }
            try await group.waitForAll()
        }
    }

    @Test("connections that are cut while nothing is under way are opened again, and nobody notices")
    func reconnectsUnnoticed() async throws {
        try await Databases.with { address in
            let store = try await PostgresStore.open(address, clock: ManualClock())
            _ = try await store.createApp(name: "before", identity: Identity())
            let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'martlet'"
            try PostgresCluster.shared.get().run(cut, in: address)
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
            #expect(try await other.key(hash: hash) == key)
            #expect(try await one.revokeKey(key.id, evenIfLast: true))
            #expect(try await one.key(hash: hash) == nil)
            try await Eventually.is("the other store refuses the key", within: 2) {
                try await other.key(hash: hash) == nil
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
}
