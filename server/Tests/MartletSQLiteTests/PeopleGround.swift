import MartletCore
import MartletFilter
import MartletTesting
import MartletWire

@testable import MartletSQLite
@testable import MartletStore

/// An app with many people in a store in memory, written as the server would have, only faster.
struct PeopleGround {
    let clock = ManualClock()
    let store: Store
    let app: App
    let ids = NotificationIDs()

    init() async throws {
        store = try await SQLiteStore.inMemory(clock: clock)
        app = try await store.createApp(name: "one", identity: Identity())
    }

    /// Users by name, each with a device.
    ///
    /// - Parameter owner: whose the user number i is, in SQL; the app is ?1.
    func makeUsers(_ count: Int, of owner: String = "?1") async throws {
        let app = app
        try await store.write { transaction in
            let series = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)"
            try transaction.prepare(
                "INSERT INTO users (app_id, external_id) \(series) SELECT \(owner), 'user' || i FROM n"
            )
            .bind(app.row, count)
            .run()
            try transaction.prepare(
                """
                INSERT INTO endpoints (app_id, user_id, status, platform, environment, token, public_id, status_at,
                    created_at, registered_at, is_registered)
                SELECT app_id, id, 0, 1, 2, 'token' || id, randomblob(16), 0, 0, 0, 1 FROM users
                """
            )
            .run()
        }
    }

    /// A topic to which every second user is subscribed: every fourth for messages of kind a, the others for those of
    /// kind b.
    func makeTopic() async throws -> Topic {
        let topic = try await store.createTopic(TopicDraft(name: "news")).topic
        for (user, kind) in [("user4", "a"), ("user2", "b")] {
            let subject = SubscriptionDraft.Subject.user(user, app: app.row)
            let filter = try SubscriptionFilter(#"{"kind":["\#(kind)"]}"#)
            let draft = SubscriptionDraft(topic: topic.row, subject: subject, address: user, filter: filter)
            _ = try await store.subscribe(draft)
        }
        let app = app
        try await store.write { transaction in
            let policies = try transaction.prepare(
                "SELECT policy_id FROM subscriptions WHERE topic_id = ? ORDER BY subject_id"
            )
            .bind(topic.row)
            .all { $0.int("policy_id") }
            try transaction.prepare(
                """
                INSERT INTO subscriptions (public_id, topic_id, kind, app_id, subject_id, address, policy_id, is_confirmed,
                    attributes, created_at)
                SELECT randomblob(16), ?1, 2, ?2, id, external_id, CASE id % 4 WHEN 0 THEN ?4 ELSE ?3 END, 1, '{}', 0
                FROM users WHERE app_id = ?2 AND id % 2 = 0 AND id > 4
                """
            )
            .bind(topic.row, app.row, policies[0], policies[1])
            .run()
            try transaction.prepare(
                """
                UPDATE filter_policies SET uses =
                    (SELECT count(*) FROM subscriptions s WHERE s.topic_id = ?1 AND s.policy_id = filter_policies.id)
                WHERE topic_id = ?1
                """
            )
            .bind(topic.row)
            .run()
            try transaction.prepare(
                """
                UPDATE topics SET confirmed = (SELECT count(*) FROM subscriptions s WHERE s.topic_id = topics.id)
                WHERE id = ?
                """
            )
            .bind(topic.row)
            .run()
        }
        return topic
    }

    func draft(to audience: Audience) -> NotificationDraft {
        clock.advance(by: .milliseconds(1))
        return NotificationDraft(
            id: ids.next(at: clock.now()),
            app: app.row,
            audience: audience,
            content: Content(title: "Line 4 is late", body: "By about ten minutes."),
            inbox: InboxDraft(),
            priority: .high,
            dedup: nil,
            collapseID: nil,
            sendAt: nil,
            expiresAt: clock.now() + .seconds(86_400),
            retry: .standard,
            messages: [Message(platform: .apns, headers: [:], payload: Payload([]))]
        )
    }

    var device: DeviceGate {
        let queue = DeliveryQueue(app: app.row, platform: .apns, environment: .production)
        return Gate(app: app.row, queues: [queue]).device
    }

    func send(_ draft: NotificationDraft) async throws -> PublicID {
        let id = try await store.submit(draft, idempotency: nil).id
        try await fanOut()
        return id
    }

    func fanOut() async throws {
        let lease = Lease(holder: 1)
        while let leased = try await store.leaseFanOuts(limit: 1, lease: lease).first {
            var position: FanOut? = leased
            let gate = Gate(person: PersonGate(leased), device: device)
            while let current = position {
                let page = try await store.audience(of: current, limit: 1_000)
                position = try await store.commit(gate.decide(page), of: current)
            }
        }
    }

    func rows(_ table: String) async throws -> Int {
        try await store.read { try $0.prepare("SELECT count(*) AS n FROM \(table)").one { $0.count("n") } }
    }

    func ids(of user: String) async throws -> [PublicID] {
        let owner = InboxOwner(app: app.row, user: user)
        return try await store.inbox(.list(.active, category: nil), of: owner, PageRequest()).items.map(\.id)
    }
}
