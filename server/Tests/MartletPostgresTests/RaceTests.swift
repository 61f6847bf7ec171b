import MartletCore
import MartletWire
import Testing

@testable import MartletPostgres
@testable import MartletStore
@testable import MartletTesting

/// Two processes that look at the same moment and then write, stepped by hand: both transactions have begun, and seen that
/// nothing is there, before either of them writes. Whoever is second is told to run again, and finds the first one's work.
@Suite(.serialized) struct RaceTests {
    @Test("a user that both make is one user")
    func users() async throws {
        try await RaceScene.with { scene, _ in
            let made = try await scene.race { try $0.transaction.makeUser("ann", of: scene.app.row) }
            #expect(made.first == made.second)
            #expect(made.runs == 2)
        }
    }

    @Test("people whom both hold until one moment are all held")
    func holds() async throws {
        try await RaceScene.with { scene, address in
            let now = scene.world.now
            let head = NotificationHead(
                row: RowID(9),
                app: scene.app.row,
                isCancelled: false,
                class: .default,
                expiresAt: now + .seconds(1_000),
                createdAt: now,
                hasInbox: false
            )
            let rule = HoldRule(until: now + .seconds(60), reason: .quietHours)
            _ = try await scene.race { side in
                let people = [Subject.user(RowID(7)), .user(RowID(7 + Int64(side.number)))]
                try side.transaction.hold(HoldDraft(rule: rule, times: 1, people: people), of: head)
            }
            let counts = "SELECT people_count FROM holds"
            let held = try PostgresServer.run(counts, in: address)
            #expect(held == "3\n")
        }
    }

    @Test("a request that comes to both is accepted once, and both answer with one notification")
    func idempotency() async throws {
        try await RaceScene.with { scene, _ in
            let ids = NotificationIDs()
            let drawn = [ids.next(at: scene.world.now), ids.next(at: scene.world.now)]
            let record = IdempotencyRecord(
                key: RowID(1),
                route: "POST /api/v1/notifications",
                value: "k",
                bodyHash: SecretHash(of: "body")
            )
            let accepted = try await scene.race { side in
                if let known = try side.transaction.submitted(under: record) { return known }
                try side.transaction.record(record, for: drawn[side.number - 1])
                return drawn[side.number - 1]
            }
            #expect(accepted.first == drawn[0] && accepted.second == drawn[0])
        }
    }

    @Test("a dedup key that both claim for a user is one notification's, and the other learns whose")
    func claims() async throws {
        try await RaceScene.with { scene, _ in
            let dedup = Dedup(key: "alert", cooldown: nil)
            let holders = try await scene.race { side in
                let head = NotificationHead(
                    row: RowID(Int64(side.number)),
                    app: scene.app.row,
                    isCancelled: false,
                    class: .default,
                    expiresAt: scene.world.now,
                    createdAt: scene.world.now,
                    dedup: dedup,
                    hasInbox: false
                )
                return try side.transaction.claim([7], dedup: dedup, of: head)
            }
            #expect(holders.first.isEmpty)
            #expect(holders.second == [7: RowID(1)])
        }
    }

    @Test("of two preference changes the one that is committed first has the smaller number", arguments: [0, 5])
    func preferenceChanges(before: Int64) async throws {
        try await RaceScene.with { scene, _ in
            let app = scene.app.row
            let drawn = try await scene.race { side in
                if side.number == 1 {
                    for _ in 0..<before { try Self.recordChange(of: 9, app, side.transaction) }
                }
                return try Self.recordChange(of: Int64(side.number), app, side.transaction)
            }
            #expect(drawn.first == before + 1 && drawn.second == before + 2)
            #expect(drawn.runs == 2, "the second waits for the first, and sees what it committed")
        }
    }

    @Test("of two preference changes of an app that has some the second one begins again behind the first")
    func laterPreferenceChanges() async throws {
        try await RaceScene.with { scene, _ in
            let app = scene.app.row
            _ = try await scene.race { try Self.recordChange(of: Int64($0.number), app, $0.transaction) }
            let drawn = try await scene.race { side in
                let last = try side.transaction.lastPreferenceChange(of: app)
                return [last, try Self.recordChange(of: Int64(side.number), app, side.transaction)]
            }
            #expect(drawn.first == [2, 3] && drawn.second == [3, 4])
            #expect(drawn.runs == 2)
        }
    }

    @discardableResult
    private static func recordChange(of user: Int64, _ app: RowID<App>, _ transaction: Transaction) throws -> Int64 {
        try transaction.recordPreferenceChange(
            of: RowID(user),
            app,
            nil,
            from: ChannelChoice(),
            to: ChannelChoice(push: false),
            actor: "user"
        )
    }

    @Test("of two notifications that both drew the same key the second one is not written, and its process is told")
    func notificationKeys() async throws {
        try await RaceScene.with { scene, _ in
            let made = try await scene.race { side in
                try side.transaction.prepare(SQL.insertNotification.replacing("VALUES (?, ?", with: "VALUES (77, ?"))
                    .bind(
                        PublicID(key: Int64(side.number)),
                        scene.app.row,
                        NotificationClass.default.code,
                        Priority.high.code,
                        NotificationOrigin.caller.code,
                        scene.world.now,
                        scene.world.now,
                        scene.world.now,
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
                    .changes()
            }
            #expect(made.first == 1 && made.second == 0, "the second sees that the key is taken")
        }
    }
}
