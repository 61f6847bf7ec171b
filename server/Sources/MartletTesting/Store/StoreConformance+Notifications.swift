import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// How a notification gets in, once.
    static let submission: [Check] = [
        Check("an id that begins as another notification's does is refused, and nothing of the second is written") {
            world in
            let app = try await world.makeApp()
            try await world.register(app, 1)
            let sent = try await world.send(app)
            var draft = world.draft(app)
            draft.id = PublicID(key: sent.id.key)
            try expect(draft.id != sent.id, "two ids")
            do {
                _ = try await world.store.submit(draft, idempotency: nil)
                try expect(false, "it is refused")
            } catch is NotificationIDTaken {}
            try expect(try await world.store.notification(draft.id), is: nil, "the second")
            try expect(try await world.read(sent.id), is: sent, "the first")
        },
        Check("a submitted notification comes back whole") { world in
            let app = try await world.makeApp()
            let content = Content(
                title: "Line 4",
                body: "is late",
                badge: 2,
                data: ["line": 4, "stops": ["a", "b"]],
                overrides: [.apns: ["aps": ["sound": "chime"]]]
            )
            let audiences: [Audience] = [
                .all, .users(["ann", "bob"]), .endpoints([world.makeID()]), .tokens(["ab"], platform: .apns),
            ]
            for audience in audiences {
                var draft = world.draft(app, to: audience, dedup: Dedup(key: "alert", cooldown: .seconds(60)))
                draft.content = content
                draft.collapseID = "line-4"
                draft.priority = .normal
                draft.retry.maxAttempts = 3
                draft.retry.minimumDelay = .milliseconds(1_500)
                let found = try await world.submit(draft)
                try expect(found.id, is: draft.id, "id")
                try expect(found.state, is: .sending, "state")
                try expect(found.audience, is: audience, "audience")
                try expect(found.content, is: content, "content")
                try expect(found.priority, is: .normal, "priority")
                try expect(found.dedup, is: draft.dedup, "dedup")
                try expect(found.collapseID, is: "line-4", "collapse id")
                try expect(found.sendAt, is: world.now, "begin")
                try expect(found.expiresAt, is: draft.expiresAt, "expiry")
                try expect(found.retry, is: draft.retry, "retry policy")
                try expect(found.counts, is: DeliveryCounts(), "counts")
                try expect(found.createdAt, is: world.now, "time of acceptance")
            }
        },
        Check("a dedup rule for ever and none at all come back as such") { world in
            let app = try await world.makeApp()
            let forEver = Dedup(key: "alert", cooldown: nil)
            try expect(try await world.submit(world.draft(app, dedup: forEver)).dedup, is: forEver, "for ever")
            try expect(try await world.submit(world.draft(app)).dedup, is: nil, "none")
        },
        Check("a notification for later is scheduled") { world in
            let app = try await world.makeApp()
            let later = world.now + .seconds(60)
            let scheduled = try await world.submit(world.draft(app, sendAt: later))
            try expect(scheduled.state, is: .scheduled, "state")
            try expect(scheduled.sendAt, is: later, "begin")
            try expect(try await world.submit(world.draft(app, sendAt: world.now)).state, is: .sending, "state of now")
        },
        Check("each platform gets its own message") { world in
            let app = try await world.makeApp()
            var draft = world.draft(app)
            draft.messages = [
                Message(
                    platform: .apns,
                    headers: ["apns-push-type": "alert", "apns-topic": "x"],
                    payload: Payload([123, 125])
                ),
                Message(platform: .fcm, headers: [:], payload: Payload([0, 255, 0])),
            ]
            let sent = try await world.submit(draft)
            for message in draft.messages {
                try expect(try await world.message(sent, message.platform), is: message, "message")
            }
            try expect(try await world.message(sent, .webpush), is: nil, "what it has no message for")
        },
        Check("a payload's holes come back, and with a batch the badges of those of its users that have one") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let ann = try unwrap(try await world.register(app, 1, user: "ann").user, "ann")
            _ = try await world.register(app, 2, user: "ann")
            _ = try await world.register(app, 3, user: "bob")
            _ = try await world.register(app, 4)
            var draft = world.draft(app)
            let holes = [Payload.Hole(.badge, at: 1, before: "a\"", after: ","), Payload.Hole(.deliveryID, at: 2)]
            draft.messages = [
                Message(platform: .apns, headers: [:], payload: Payload(Array("{}".utf8), holes: holes)),
                Message(platform: .fcm, headers: [:], payload: Payload([1])),
            ]
            draft.badges = ["ann": .max, "nobody yet": 0]
            for number in 0..<100 { draft.badges["other \(number)"] = Int32(number) }
            let sent = try await world.submit(draft)
            try expect(try await world.message(sent, .apns), is: draft.messages[0], "message")
            try expect(try await world.message(sent, .fcm), is: draft.messages[1], "message without holes")
            // Between acceptance and attempt.
            let late = try unwrap(try await world.register(app, 5, user: "nobody yet").user, "the late one")
            try await world.fanOut()
            let batch = try await world.leaseOne(queue).batch
            try expect(batch.members.count, is: 5, "members")
            let badges = try await world.store.context(of: batch).badges
            try expect(badges, is: [ann.row: .max, late.row: 0], "badges")
        },
        Check("badges for which no message has a place are none") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            _ = try await world.register(app, 1, user: "ann")
            var draft = world.draft(app)
            draft.badges = ["ann": 3, "eve": 1]
            _ = try await world.submit(draft)
            try await world.fanOut()
            let context = try await world.store.context(of: world.leaseOne(queue).batch)
            try expect(context.badges, is: [:], "badges")
        },
        Check("the same request under the same key is the same notification") { world in
            let app = try await world.makeApp()
            let record = try await world.idempotency("1")
            let first = try await world.store.submit(world.draft(app), idempotency: record)
            let second = try await world.store.submit(world.draft(app), idempotency: record)
            try expect(first.isRepeated, is: false, "first")
            try expect(second, is: Submitted(id: first.id, isRepeated: true), "second")
            let all = try await world.store.notifications(app.row, state: nil, PageRequest()).items
            try expect(all.map(\.id), is: [first.id], "notifications")
        },
        Check("concurrent repetitions of a request make one notification") { world in
            let app = try await world.makeApp()
            let record = try await world.idempotency("1")
            let results = try await withThrowingTaskGroup(of: Submitted.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await world.store.submit(world.draft(app), idempotency: record) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try expect(Set(results.map(\.id)).count, is: 1, "notifications")
            try expect(results.count { !$0.isRepeated }, is: 1, "first requests")
        },
        Check("another request under the same key is refused and writes nothing") { world in
            let app = try await world.makeApp()
            var record = try await world.idempotency("1")
            _ = try await world.store.submit(world.draft(app), idempotency: record)
            record.bodyHash = SecretHash(of: "another body")
            let other = record
            try await expectRefusal(.idempotencyMismatch, "another body") {
                _ = try await world.store.submit(world.draft(app), idempotency: other)
            }
            let all = try await world.store.notifications(app.row, state: nil, PageRequest()).items
            try expect(all.count, is: 1, "notifications")
        },
        Check("a key is good for one route and one API key, for a day") { world in
            let app = try await world.makeApp()
            let record = try await world.idempotency("1")
            let first = try await world.store.submit(world.draft(app), idempotency: record)
            var route = record
            route.route = "POST /other"
            try expect(
                try await world.store.submit(world.draft(app), idempotency: route).isRepeated,
                is: false,
                "route"
            )
            let other = try await world.idempotency("2")
            try expect(try await world.store.submit(world.draft(app), idempotency: other).isRepeated, is: false, "key")
            world.clock.advance(by: IdempotencyRecord.lifetime - .milliseconds(1))
            let last = try await world.store.submit(world.draft(app), idempotency: record)
            try expect(last, is: Submitted(id: first.id, isRepeated: true), "within the day")
            world.clock.advance(by: .milliseconds(1))
            var changed = record
            changed.bodyHash = SecretHash(of: "another body")
            let new = try await world.store.submit(world.draft(app), idempotency: changed)
            try expect(new.isRepeated, is: false, "after a day")
        },
    ]

    /// Lists of notifications.
    static let listing: [Check] = [
        Check("notifications are listed newest first in pages, by app and state") { world in
            let (app, other) = (try await world.makeApp("one"), try await world.makeApp("two"))
            var made: [Notification] = []
            for index in 0..<6 {
                let sendAt = index.isMultiple(of: 2) ? world.now + .seconds(60) : nil
                made.append(try await world.submit(world.draft(index < 5 ? app : other, sendAt: sendAt)))
                world.clock.advance(by: .milliseconds(1))
            }
            made.reverse()
            let lists: [(RowID<App>?, NotificationStatus?)] = [
                (nil, nil), (app.row, nil), (app.row, .scheduled), (nil, .sending), (other.row, .done),
            ]
            for (row, state) in lists {
                let listed = try await world.readAll(pagesOf: 2) {
                    try await world.store.notifications(row, state: state, $0)
                }
                let expected = made.filter { (row == nil || $0.app == row) && (state == nil || $0.state == state) }
                try expect(listed, is: expected, "app \(row?.rawValue ?? 0), state \(state?.rawValue ?? "any")")
            }
            try expect(try await world.store.notification(world.makeID()), is: nil, "one that does not exist")
        }
    ]

    /// What a cancellation stops.
    static let cancellation: [Check] = [
        Check("a cancelled scheduled notification never begins") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1)
            let scheduled = try await world.submit(world.draft(app, sendAt: world.now + .seconds(60)))
            let cancelled = try await world.store.cancel(scheduled.row)
            try expect(cancelled.state, is: .cancelled, "state")
            world.clock.advance(by: .seconds(60))
            try expect(try await world.store.leaseFanOuts(limit: 10, lease: world.newLease()), is: [], "due fan-outs")
            try expect(try await world.store.dueWork(), is: DueWork(queues: [], next: nil), "due work")
        },
        Check("what waits for a retry is due at once when its notification is cancelled") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            try await world.register(app, 2)
            let sent = try await world.send(app)
            let first = try await world.leaseOne(queue)
            var settlement = first.settlement
            settlement.results = [world.result(first.batch.members[0])]
            settlement.retries = [
                BatchDraft(
                    queue: queue,
                    isEnvironmentKnown: true,
                    attempts: 1,
                    notBefore: world.now + .seconds(60),
                    members: [first.batch.members[1]]
                )
            ]
            try await world.store.settle(settlement)
            try expect(try await world.store.dueWork().queues, is: [], "queues before the cancellation")
            let cancelled = try await world.store.cancel(sent.row)
            try expect(cancelled.state, is: .cancelled, "state")
            try expect(cancelled.counts, is: DeliveryCounts(pending: 1, accepted: 1), "counts")
            try expect(try await world.store.dueWork().queues, is: [queue], "queues after the cancellation")
            let second = try await world.leaseOne(queue)
            try expect(second.batch.isCancelled, is: true, "whether the batch is cancelled")
            try await world.settle(second, .cancelled)
            let over = try await world.read(sent.id)
            try expect(over.counts, is: DeliveryCounts(accepted: 1, cancelled: 1), "counts at the end")
            try expect(over.state, is: .cancelled, "state at the end")
        },
        Check("a retry of a batch under way is due at once when its notification was cancelled meanwhile") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            let sent = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            _ = try await world.store.cancel(sent.row)
            try expect(try await world.lease(queue).isEmpty, "the batch is leased twice")
            var settlement = leased.settlement
            settlement.retries = [
                BatchDraft(
                    queue: queue,
                    isEnvironmentKnown: true,
                    attempts: 1,
                    notBefore: world.now + .seconds(60),
                    members: leased.batch.members
                )
            ]
            try await world.store.settle(settlement)
            try expect(try await world.leaseOne(queue).batch.isCancelled, is: true, "whether the retry is cancelled")
        },
        Check("cancelling stops a fan-out: its next part is not written") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...3 { try await world.register(app, number) }
            let sent = try await world.submit(world.draft(app))
            let lease = world.newLease()
            let first = try unwrap(try await world.store.leaseFanOuts(limit: 1, lease: lease).first, "fan-out")
            let page = try await world.store.audience(of: first, limit: 1)
            let second = try unwrap(try await world.store.commit(world.gated(page, app.row), of: first), "rest")
            _ = try await world.store.cancel(sent.row)
            let rest = try await world.store.audience(of: second, limit: 1)
            try expect(try await world.store.commit(world.gated(rest, app.row), of: second), is: nil, "third part")
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(pending: 1), "counts")
            try await world.deliver(queue, .cancelled)
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(cancelled: 1), "counts at the end")
        },
        Check("a notification that is over stays as it is") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            let sent = try await world.send(app)
            try await world.deliver(queue)
            let done = try await world.read(sent.id)
            try expect(done.state, is: .done, "state")
            try expect(try await world.store.cancel(sent.row), is: done, "after the cancellation")
            try await expectRefusal(.notFound, "one that does not exist") {
                _ = try await world.store.cancel(RowID(sent.row.rawValue + 1))
            }
        },
    ]
}

extension World {
    /// A record of an API key that is made for it.
    func idempotency(_ name: String) async throws -> IdempotencyRecord {
        let hash = SecretHash(of: name)
        let key = try await store.createKey(app: nil, scope: .send, name: name, prefix: "mk_", hash: hash)
        return IdempotencyRecord(
            key: key.row,
            route: "POST /api/v1/notifications",
            value: "order-1",
            bodyHash: SecretHash(of: "a body")
        )
    }
}
