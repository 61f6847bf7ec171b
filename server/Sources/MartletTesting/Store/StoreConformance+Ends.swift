import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What becomes of deliveries whose attempts are used up.
    static let deadLetters: [Check] = [
        Check("a delivery whose attempts are used up is kept as a dead letter") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let endpoint = try await world.register(app, 1, user: "ann")
            let sent = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            var settlement = leased.settlement
            let member = leased.batch.members[0]
            settlement.results = [
                DeliveryResult(member: member, state: .dead, reason: "ServiceUnavailable", attempts: 50)
            ]
            try await world.store.settle(settlement)
            let letter = try unwrap(
                try await world.store.failedWork(DeadLetter.self, of: app.row).items.first,
                "dead letter"
            )
            try expect(letter.app, is: app.row, "app")
            try expect(letter.notification, is: sent.id, "notification")
            try expect(letter.endpoint, is: endpoint.id, "endpoint")
            try expect(letter.user, is: "ann", "user")
            try expect(letter.reason, is: "ServiceUnavailable", "reason")
            try expect(letter.attempts, is: 50, "attempts")
            try expect(letter.diedAt, is: world.now, "time")
        },
        Check("dead letters are listed newest first in pages, of one app or of all") { world in
            var letters: [App: [PublicID]] = [:]
            for name in ["one", "two"] {
                let app = try await world.makeApp(name)
                let queue = try await world.makeQueue(app)
                for number in 1...3 { try await world.register(app, number) }
                _ = try await world.send(app)
                try await world.deliver(queue, .dead)
                let listed = try await world.readAll(pagesOf: 2) {
                    try await world.store.failedWork(DeadLetter.self, of: app.row, $0)
                }
                try expect(listed.map(\.row), is: listed.map(\.row).sorted(by: >), "order")
                letters[app] = listed.map(\.id)
            }
            try expect(letters.values.map(\.count), is: [3, 3], "letters of each app")
            let all = try await world.readAll(pagesOf: 4) { try await world.store.failedWork(DeadLetter.self, $0) }
            try expect(Set(all.map(\.id)), is: Set(letters.values.joined()), "all letters")
        },
        Check("a dead letter that is retried is pending again and may end otherwise") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let endpoint = try await world.register(app, 1, user: "ann")
            let sent = try await world.send(app, dedup: Dedup(key: "alert", cooldown: nil), lifetime: .seconds(60))
            try await world.deliver(queue, .dead, reason: "Later")
            try expect(try await world.read(sent.id).state, is: .done, "state of the dead one")
            world.clock.advance(by: .seconds(3_600))
            let letter = try unwrap(try await world.store.failedWork(DeadLetter.self).items.first, "dead letter")
            let first = try await world.store.retry(DeadLetter.self, letter.id)
            try expect(first, is: Retried(letter, isRepeated: false), "the retried letter")
            let second = try await world.store.retry(DeadLetter.self, letter.id)
            try expect(second, is: Retried(letter, isRepeated: true), "the same once more")
            try expect(try await world.store.failedWork(DeadLetter.self).items, is: [], "letters afterwards")
            let again = try await world.read(sent.id)
            try expect(again.state, is: .sending, "state")
            try expect(again.counts, is: DeliveryCounts(pending: 1), "counts")
            let leased = try await world.leaseOne(queue)
            try expect(leased.batch.attempts, is: 0, "attempts")
            try expect(leased.batch.members.map(\.endpoint), is: [endpoint.row], "members")
            try expect(leased.batch.expiresAt >= world.now + .seconds(86_400), "the retry expires within a day")
            try await world.settle(leased)
            let over = try await world.read(sent.id)
            try expect(over.counts, is: DeliveryCounts(accepted: 1), "counts at the end")
            try expect(over.state, is: .done, "state at the end")
            let next = try await world.send(app, dedup: Dedup(key: "alert", cooldown: nil))
            try expect(next.counts, is: DeliveryCounts(suppressed: 1), "counts of the next one under the key")
        },
        Check("a retried delivery that dies again is another dead letter") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            try await world.deliver(queue, .dead)
            let letter = try unwrap(
                try await world.store.failedWork(DeadLetter.self, of: app.row).items.first,
                "dead letter"
            )
            _ = try await world.store.retry(DeadLetter.self, letter.id)
            try expect(try await world.store.statistics().deadLetters, is: 0, "dead letters while it is sent")
            try await world.deliver(queue, .dead)
            let again = try await world.store.failedWork(DeadLetter.self, of: app.row).items
            try expect(again.count, is: 1, "dead letters")
            try expect(again.first?.id != letter.id, "it has the id of the first")
            try expect(try await world.store.failedWork(DeadLetter.self, letter.id), is: nil, "the first one")
        },
        Check("a dead letter goes to the environment that the endpoint has by then") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let sandbox = try await world.makeQueue(app, .sandbox)
            try await world.register(app, 1, environment: nil)
            _ = try await world.send(app)
            try await world.deliver(queue, .dead)
            try await world.register(app, 1, environment: .sandbox)
            let letter = try unwrap(try await world.store.failedWork(DeadLetter.self).items.first, "dead letter")
            _ = try await world.store.retry(DeadLetter.self, letter.id)
            try expect(try await world.leaseOne(sandbox).batch.isEnvironmentKnown, is: true, "environment known")
        },
        Check("a retry of what does not exist, or of a forgotten notification, is refused") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            try await world.deliver(queue, .dead)
            try await expectRefusal(.notFound, "an unknown id") {
                _ = try await world.store.retry(DeadLetter.self, world.makeID())
            }
            world.clock.advance(by: World.twoDays)
            try await world.purge(.notifications)
            let letter = try unwrap(try await world.store.failedWork(DeadLetter.self).items.first, "dead letter")
            try await expectRefusal(.notFound, "a forgotten notification") {
                _ = try await world.store.retry(DeadLetter.self, letter.id)
            }
            try expect(try await world.store.failedWork(DeadLetter.self).items, is: [letter], "letters")
        },
    ]

    /// What becomes of deliveries whose time ran out.
    static let expiry: [Check] = [
        Check("what waits past its expiry is recorded as expired, in paused queues too") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...2 { try await world.register(app, number) }
            let sent = try await world.send(app, dedup: Dedup(key: "alert", cooldown: nil), lifetime: .seconds(60))
            let leased = try await world.leaseOne(queue)
            var settlement = leased.settlement
            settlement.results = [world.result(leased.batch.members[0])]
            settlement.remaining = [leased.batch.members[1]]
            settlement.isLeaseReleased = true
            settlement.pause = Pause(queue: queue, reason: "InvalidProviderToken", advice: "", since: world.now)
            try await world.store.settle(settlement)
            world.clock.advance(by: .seconds(60) - .milliseconds(1))
            try expect(try await world.store.expire(limit: 10, process: 0).batches, is: [], "too early")
            world.clock.advance(by: .milliseconds(1))
            let ended = EndedBatch(queue: queue, state: .expired, deliveries: 1)
            try expect(try await world.store.expire(limit: 10, process: 0).batches, is: [ended], "in time")
            try expect(try await world.store.expire(limit: 10, process: 0).batches, is: [], "once more")
            let over = try await world.read(sent.id)
            try expect(over.counts, is: DeliveryCounts(accepted: 1, expired: 1), "counts")
            try expect(over.state, is: .done, "state")
        },
        Check("expired batches are ended in parts, and not while a worker holds them") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            for _ in 0..<3 { _ = try await world.send(app, lifetime: .seconds(10)) }
            let held = try unwrap(try await world.lease(queue, limit: 1).first, "batch")
            world.clock.advance(by: .seconds(10))
            var parts: [Int] = []
            for _ in 0..<3 { parts.append(try await world.store.expire(limit: 1, process: 0).batches.count) }
            try expect(parts, is: [1, 1, 0], "parts")
            world.clock.advance(by: Lease.duration)
            let own = held.lease.process
            try expect(try await world.store.expire(limit: 10, process: own).batches, is: [], "the caller's own lease")
            try expect(try await world.store.expire(limit: 10, process: 0).batches, is: [], "it is longer now")
            world.clock.advance(by: Lease.duration)
            try expect(try await world.store.expire(limit: 10, process: own).batches.count, is: 1, "not renewed")
        },
        Check("a cancelled notification's deliveries in a paused queue are recorded as cancelled") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            let sent = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            var settlement = leased.settlement
            settlement.remaining = leased.batch.members
            settlement.isLeaseReleased = true
            settlement.pause = Pause(queue: queue, reason: "InvalidProviderToken", advice: "", since: world.now)
            try await world.store.settle(settlement)
            _ = try await world.store.cancel(sent.row)
            let ended = EndedBatch(queue: queue, state: .cancelled, deliveries: 1)
            try expect(try await world.store.expire(limit: 10, process: 0).batches, is: [ended], "ended batches")
            let over = try await world.read(sent.id)
            try expect(over.counts, is: DeliveryCounts(cancelled: 1), "counts")
            try expect(over.state, is: .cancelled, "state")
        },
    ]

    /// The answer to "what happened and why".
    static let reports: [Check] = [
        Check("results, suppressions and what waits are one list by endpoint, in pages of any size") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...3 { try await world.register(app, number, user: "ann") }
            let first = try await world.send(app, dedup: Dedup(key: "alert"))
            for number in 4...9 { try await world.register(app, number, user: "user\(number)") }
            let sent = try await world.submit(world.draft(app, dedup: Dedup(key: "alert")))
            try await world.fanOut(pageSize: 2)
            let leased = try await world.lease(queue).filter { $0.batch.notification == sent.row }
            try expect(leased.map(\.batch.members.count).reduce(0, +), is: 6, "leased members")
            var settlement = leased[0].settlement
            let members = leased[0].batch.members
            settlement.results = [
                DeliveryResult(member: members[0], state: .rejected, reason: "BadDeviceToken", attempts: 2)
            ]
            let later = world.now + .seconds(10)
            settlement.retries = [
                BatchDraft(
                    queue: queue,
                    isEnvironmentKnown: true,
                    attempts: 3,
                    notBefore: later,
                    members: Array(members.dropFirst())
                )
            ]
            try await world.store.settle(settlement)
            let all = try await world.store.deliveries(sent.row, PageRequest(count: 1_000)).items
            try expect(all.count, is: 9, "lines")
            try expect(all.map(\.state).count { $0 == .pending }, is: 5, "waiting ones")
            for size in [1, 2, 4, 8] {
                let paged = try await world.readAll(pagesOf: size) { try await world.store.deliveries(sent.row, $0) }
                try expect(paged, is: all, "lines in pages of \(size)")
            }
            let rows = all.compactMap(\.endpointRow)
            try expect(rows, is: rows.sorted(), "order")
            try expect(all[0].heldBy, is: first.id, "holder of the first")
            let rejected = try unwrap(all.first { $0.state == .rejected }, "rejected line")
            try expect(rejected.reason, is: "BadDeviceToken", "reason")
            try expect(rejected.attempts, is: 2, "attempts")
            try expect(rejected.at, is: world.now, "time")
            try expect(rejected.platform, is: .apns, "platform")
            let retried = all.filter { $0.attempts == 3 }
            try expect(retried.map(\.at), is: retried.map { _ in later }, "times of what is tried again")
        },
        Check("a report names the user that the delivery was for") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let endpoint = try await world.register(app, 1, user: "ann")
            let sent = try await world.send(app)
            try await world.deliver(queue)
            try await world.register(app, 1, user: "bob")
            let report = try await world.store.deliveries(sent.row, PageRequest()).items.first
            try expect(report?.user, is: "ann", "user")
            try expect(report?.endpoint, is: endpoint.id, "endpoint")
            let unknown = RowID<Notification>(sent.row.rawValue + 1)
            try expect(try await world.store.deliveries(unknown, PageRequest()).items, is: [], "an unknown one's lines")
        },
    ]
}
