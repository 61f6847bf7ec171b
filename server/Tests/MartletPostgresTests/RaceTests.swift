import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletPostgres
@testable import MartletSQL

/// Two processes that look at the same moment and then write, stepped by hand: both transactions have begun, and seen that
/// nothing is there, before either of them writes. Whoever is second is told to run again, and finds the first one's work.
@Suite(.serialized) struct RaceTests {
    /// Two connections to a database that has one app.
    private struct Scene {
        let first: PostgresConnection
        let second: PostgresConnection
        let app: RowID<App>
        let clock = ManualClock()

        init(_ address: String, name: String = "com.example.app") async throws {
            let store = try await PostgresStore.open(address, clock: clock)
            app = try await store.createApp(name: name, identity: Identity()).row
            await store.close()
            let options = "-c lock_timeout=500"
            first = PostgresConnection(address: address, options: options)
            second = PostgresConnection(address: address, options: options)
        }

        /// Runs a script in both; says what each came to, and how often the second had to run again.
        func race<Value>(_ script: (Transaction, Int) throws -> Value) throws -> (
            first: Value, second: Value, runs: Int
        ) {
            defer {
                first.close()
                second.close()
            }
            let one = Transaction(connection: first, now: clock.now())
            let other = Transaction(connection: second, now: clock.now())
            try first.begin()
            try second.begin()
            // What each sees is settled with its first statement.
            for transaction in [one, other] { _ = try transaction.prepare("SELECT 1 AS one FROM apps").exists() }
            let value = try script(one, 1)
            var late: Value?
            var runs = 1
            do { late = try script(other, 2) } catch  where second.mayRunAgain(after: error) { second.rollBack() }
            try first.commit()
            if let late {
                do {
                    try second.commit()
                    return (value, late, runs)
                } catch  where second.mayRunAgain(after: error) { second.rollBack() }
            }
            runs += 1
            try second.begin()
            let again = try script(other, 2)
            try second.commit()
            return (value, again, runs)
        }
    }

    private func scene(_ body: (Scene) async throws -> Void) async throws {
        try await Databases.with { try await body(try await Scene($0)) }
    }

    @Test("a user that both make is one user")
    func users() async throws {
        try await scene { scene in
            let made = try scene.race { transaction, _ in try transaction.makeUser("ann", of: scene.app) }
            #expect(made.first == made.second)
            #expect(made.runs == 2)
        }
    }

    @Test("people whom both hold until one moment are all held")
    func holds() async throws {
        try await Databases.with { address in
            let scene = try await Scene(address)
            let now = scene.clock.now()
            let head = NotificationHead(
                row: RowID(9),
                app: scene.app,
                isCancelled: false,
                class: .default,
                expiresAt: now + .seconds(1_000),
                createdAt: now
            )
            let rule = HoldRule(until: now + .seconds(60), reason: .quietHours)
            _ = try scene.race { transaction, number in
                let people = [Subject.user(RowID(7)), .user(RowID(7 + Int64(number)))]
                try transaction.hold(HoldDraft(rule: rule, times: 1, people: people), of: head)
            }
            let counts = "SELECT people_count FROM holds"
            let held = try PostgresServer.run(counts, in: address)
            #expect(held == "3\n")
        }
    }

    @Test("a request that comes to both is accepted once, and both answer with one notification")
    func idempotency() async throws {
        try await scene { scene in
            let ids = NotificationIDs()
            let drawn = [ids.next(at: scene.clock.now()), ids.next(at: scene.clock.now())]
            let record = IdempotencyRecord(
                key: RowID(1),
                route: "POST /api/v1/notifications",
                value: "k",
                bodyHash: SecretHash(of: "body")
            )
            let accepted = try scene.race { transaction, number in
                if let known = try transaction.submitted(under: record) { return known }
                try transaction.record(record, for: drawn[number - 1])
                return drawn[number - 1]
            }
            #expect(accepted.first == drawn[0] && accepted.second == drawn[0])
        }
    }

    @Test("a dedup key that both claim for a user is one notification's, and the other learns whose")
    func claims() async throws {
        try await scene { scene in
            let dedup = Dedup(key: "alert", cooldown: nil)
            let holders = try scene.race { transaction, number in
                let head = NotificationHead(
                    row: RowID(Int64(number)),
                    app: scene.app,
                    isCancelled: false,
                    class: .default,
                    expiresAt: scene.clock.now(),
                    createdAt: scene.clock.now(),
                    dedup: dedup
                )
                return try transaction.claim([7], dedup: dedup, of: head)
            }
            #expect(holders.first.isEmpty)
            #expect(holders.second == [7: RowID(1)])
        }
    }

    @Test("of two preference changes the one that is committed first has the smaller number", arguments: [0, 5])
    func preferenceChanges(before: Int64) async throws {
        try await scene { scene in
            let drawn = try scene.race { transaction, number in
                if number == 1 {
                    for _ in 0..<before { try Self.recordChange(of: 9, scene.app, transaction) }
                }
                return try Self.recordChange(of: Int64(number), scene.app, transaction)
            }
            #expect(drawn.first == before + 1 && drawn.second == before + 2)
            #expect(drawn.runs == 2, "the second waits for the first, and sees what it committed")
        }
    }

    @Test("of two preference changes of an app that has some the second one begins again behind the first")
    func laterPreferenceChanges() async throws {
        try await Databases.with { address in
            let (seed, scene) = (try await Scene(address), try await Scene(address, name: "com.example.second"))
            _ = try seed.race { transaction, number in
                try Self.recordChange(of: Int64(number), scene.app, transaction)
            }
            let drawn = try scene.race { transaction, number in
                let last = try transaction.lastPreferenceChange(of: scene.app)
                return (last, try Self.recordChange(of: Int64(number), scene.app, transaction))
            }
            #expect(drawn.first == (2, 3) && drawn.second == (3, 4))
            #expect(drawn.runs == 2)
        }
    }

    @discardableResult
    private static func recordChange(of user: Int64, _ app: RowID<App>, _ transaction: Transaction) throws -> Int64 {
        try transaction.recordPreferenceChange(
            of: RowID(user),
            app,
            nil,
            from: PreferenceChoice(),
            to: PreferenceChoice(push: false),
            actor: "user"
        )
    }

    @Test("of two notifications that both drew the same key the second one is not written, and its process is told")
    func notificationKeys() async throws {
        try await scene { scene in
            let made = try scene.race { transaction, number in
                try transaction.prepare(SQL.insertNotification.replacing("VALUES (?, ?", with: "VALUES (77, ?"))
                    .bind(
                        PublicID(key: Int64(number)),
                        scene.app,
                        NotificationClass.default.code,
                        Priority.high.code,
                        scene.clock.now(),
                        scene.clock.now(),
                        scene.clock.now(),
                        1,
                        1,
                        1,
                        1,
                        1,
                        1,
                        nil as String?,
                        nil as Int64?,
                        nil as String?,
                        nil as Int64?,
                        nil as String?,
                        "{}",
                        "{}"
                    )
                    .run()
            }
            #expect(made.first == 1 && made.second == 0, "the second sees that the key is taken")
        }
    }
}
