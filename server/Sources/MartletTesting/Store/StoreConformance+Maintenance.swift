import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What is forgotten, and when.
    static let retention: [Check] = [
        Check("endpoints that were not registered for long are removed as stale, in parts") { world in
            let app = try await world.makeApp()
            for number in 1...3 { try await world.register(app, number) }
            world.clock.advance(by: .seconds(100))
            let fresh = try await world.register(app, 1)
            let before = world.now
            var parts: [Int] = []
            for _ in 0..<3 {
                parts.append(try await world.store.purge(.staleEndpoints, before: before, limit: 1))
            }
            try expect(parts, is: [1, 1, 0], "parts")
            let left = try await world.store.endpoints(app.row, user: nil, PageRequest()).items
            try expect(left, is: [fresh], "endpoints that are left")
            let gone = try await world.store.endpoint(app.row, .token(.apns, world.token(2)))
            try expect(gone?.status, is: .removed(.stale), "status")
        },
        Check("notifications that are over are forgotten by age with all that belongs to them") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...5 { try await world.register(app, number, user: "user\(number)") }
            let old = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            var settlement = leased.settlement
            settlement.results = leased.batch.members.map { world.result($0, .rejected, reason: "Unregistered") }
            try await world.store.settle(settlement)
            let waiting = try await world.send(app)
            let cancelled = try await world.send(app)
            _ = try await world.store.cancel(cancelled.row)
            world.clock.advance(by: World.twoDays)
            let before = world.now
            let young = try await world.send(app, to: .users(["nobody"]))
            var parts = 0
            while try await world.store.purge(.notifications, before: before, limit: 2) > 0 { parts += 1 }
            try expect(parts >= 3, "a notification of five deliveries is purged in \(parts) parts of two")
            try expect(try await world.store.notification(old.id), is: nil, "the old one")
            try expect(try await world.store.deliveries(old.row, PageRequest()).items, is: [], "its deliveries")
            try expect(try await world.message(old, .apns), is: nil, "its message")
            try expect(try await world.read(waiting.id).counts.pending, is: 5, "the one that is not over")
            try expect(try await world.read(cancelled.id).counts.pending, is: 5, "the cancelled one with waiting work")
            try expect(try await world.read(young.id).state, is: .done, "the young one")
        },
        Check("claims are forgotten when their cooldown is past, those for ever stay") { world in
            let app = try await world.makeApp()
            for number in 1...3 { try await world.register(app, number, user: "user\(number)") }
            let timed = Dedup(key: "timed", cooldown: .seconds(10))
            let forEver = Dedup(key: "for ever", cooldown: nil)
            _ = try await world.send(app, dedup: timed)
            _ = try await world.send(app, dedup: forEver)
            world.clock.advance(by: .seconds(10))
            try expect(try await world.store.purge(.claims, before: world.now, limit: 2), is: 0, "too early")
            world.clock.advance(by: .milliseconds(1))
            try await world.purge(.claims, limit: 2)
            let longAsking = Dedup(key: "timed", cooldown: nil)
            try expect(try await world.send(app, dedup: longAsking).counts.pending, is: 3, "after the timed ones")
            try expect(try await world.send(app, dedup: forEver).counts.suppressed, is: 3, "those for ever")
        },
        Check("a claim under a key that was used before lasts for its own cooldown") { world in
            let app = try await world.makeApp()
            for number in 1...2 { try await world.register(app, number, user: "user\(number)") }
            let dedup = Dedup(key: "alert", cooldown: .seconds(10))
            _ = try await world.send(app, to: .users(["user1"]), dedup: dedup)
            world.clock.advance(by: .seconds(9))
            _ = try await world.send(app, to: .users(["user2"]), dedup: dedup)
            world.clock.advance(by: .seconds(2))
            try await world.purge(.claims)
            let next = try await world.send(app, to: .users(["user2"]), dedup: dedup)
            try expect(next.counts, is: DeliveryCounts(suppressed: 1), "counts of the second user")
            let first = try await world.send(app, to: .users(["user1"]), dedup: dedup)
            try expect(first.counts, is: DeliveryCounts(pending: 1), "counts of the first user")
        },
        Check("a forgotten notification's claim for ever is still nobody else's") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1, user: "ann")
            let forEver = Dedup(key: "alert", cooldown: nil)
            _ = try await world.send(app, dedup: forEver)
            try await world.deliver(queue)
            world.clock.advance(by: World.twoDays)
            try await world.purge(.notifications)
            let next = try await world.send(app, dedup: forEver)
            try expect(next.counts, is: DeliveryCounts(suppressed: 1), "counts")
            let report = try await world.store.suppressions(next.row, PageRequest()).items.first
            try expect(report?.heldBy, is: nil, "the holder, which is forgotten")
        },
        Check("idempotency records are forgotten by age") { world in
            let app = try await world.makeApp()
            let record = try await world.idempotency("1")
            _ = try await world.store.submit(world.draft(app), idempotency: record)
            try expect(try await world.store.purge(.idempotency, before: world.now, limit: 5), is: 0, "too early")
            world.clock.advance(by: .seconds(1))
            try await world.purge(.idempotency)
            let again = try await world.store.submit(world.draft(app), idempotency: record)
            try expect(again.isRepeated, is: false, "repeated")
        },
        Check("removed endpoints are forgotten when no delivery refers to them any more") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let endpoint = try await world.register(app, 1)
            let kept = try await world.register(app, 2)
            let sent = try await world.send(app)
            try await world.deliver(queue)
            world.clock.advance(by: .seconds(1))
            _ = try await world.store.updateEndpoint(endpoint.row, EndpointUpdate(status: .removed(.byRequest)))
            world.clock.advance(by: .seconds(1))
            try await world.purge(.removedEndpoints)
            let report = try await world.store.deliveries(sent.row, PageRequest()).items.first
            try expect(report?.endpoint, is: endpoint.id, "endpoint in the report")
            world.clock.advance(by: World.twoDays)
            try await world.purge(.notifications)
            try await world.purge(.removedEndpoints)
            try expect(try await world.store.endpoint(app.row, .row(endpoint.row)), is: nil, "the removed one")
            try expect(try await world.endpoint(app, kept.row), is: kept, "the other one")
            let again = try await world.register(app, 1)
            try expect(again.row != endpoint.row, "a new endpoint has the forgotten one's row")
        },
        Check("dead letters are forgotten by age") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...3 { try await world.register(app, number) }
            _ = try await world.send(app)
            try await world.deliver(queue, .dead)
            try expect(try await world.store.purge(.deadLetters, before: world.now, limit: 2), is: 0, "too early")
            world.clock.advance(by: .seconds(1))
            var parts: [Int] = []
            for _ in 0..<3 { parts.append(try await world.store.purge(.deadLetters, before: world.now, limit: 2)) }
            try expect(parts, is: [2, 1, 0], "parts")
            try expect(try await world.store.failedWork(DeadLetter.self).items, is: [], "letters")
        },
    ]

    /// Statistics, shared values, and what reads and writes promise.
    static let operation: [Check] = [
        Check("statistics count what waits by queue, dead letters and enabled endpoints") { world in
            try expect(try await world.store.statistics(), is: StoreStatistics(), "statistics of nothing")
            let app = try await world.makeApp()
            let (queue, sandbox) = (try await world.makeQueue(app), try await world.makeQueue(app, .sandbox))
            for number in 1...4 {
                try await world.register(app, number, environment: number < 4 ? .production : .sandbox)
            }
            let first = try await world.send(app)
            try await world.deliver(queue, .dead)
            world.clock.advance(by: .seconds(1))
            let second = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            var settlement = leased.settlement
            settlement.results = [world.result(leased.batch.members[0])]
            settlement.remaining = Array(leased.batch.members.dropFirst())
            settlement.changes = [
                EndpointChange(endpoint: leased.batch.members[0].endpoint, kind: .remove(.byRequest)),
                EndpointChange(endpoint: leased.batch.members[1].endpoint, kind: .disable(.byRequest)),
            ]
            try await world.store.settle(settlement)
            let statistics = try await world.store.statistics()
            try expect(statistics.queues, is: [queue, sandbox], "queues with a credential")
            let backlogs = Set(statistics.backlogs)
            try expect(
                backlogs,
                is: [
                    StoreStatistics.QueueBacklog(queue: queue, deliveries: 2, oldest: second.createdAt),
                    StoreStatistics.QueueBacklog(queue: sandbox, deliveries: 2, oldest: first.createdAt),
                ],
                "backlogs"
            )
            var numbers = StoreStatistics.AppNumbers()
            numbers.deadLetters = 3
            numbers.enabledEndpoints = 2
            try expect(statistics.apps, is: [app.row: numbers], "numbers by app")
        },
        Check("a backlog is as old as what may go now: since it was to be sent, without what waits") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...3 { try await world.register(app, number) }
            let sendAt = world.now + .seconds(500)
            var draft = world.draft(app)
            draft.sendAt = sendAt
            let scheduled = try await world.submit(draft)
            try expect(try await world.store.statistics().apps[app.row]?.openFanOuts ?? 0, is: 0, "before its time")
            world.clock.advance(to: sendAt)
            let fanOut = try unwrap(
                try await world.store.leaseFanOuts(limit: 1, lease: Lease(holder: 1)).first,
                "fan-out"
            )
            let open = try await world.store.statistics().apps[app.row]
            try expect(open?.openFanOuts, is: 1, "fan-outs")
            try expect(open?.oldestFanOut, is: sendAt, "since when")
            try await world.store.endLease(.releaseFanOut(fanOut))
            try await world.fanOut()
            world.clock.advance(by: .seconds(7))
            let leased = try await world.leaseOne(queue)
            try expect(leased.batch.notification, is: scheduled.row, "notification")
            let underWay = StoreStatistics.QueueBacklog(queue: queue, deliveries: 3, oldest: sendAt)
            try expect(try await world.store.statistics().backlogs, is: [underWay], "under way")
            var settlement = leased.settlement
            settlement.results = [world.result(leased.batch.members[0])]
            settlement.retries = [
                BatchDraft(
                    queue: queue,
                    isEnvironmentKnown: true,
                    attempts: 1,
                    notBefore: world.now + .seconds(60),
                    members: Array(leased.batch.members.dropFirst())
                )
            ]
            try await world.store.settle(settlement)
            let later = StoreStatistics.QueueBacklog(
                queue: queue,
                deliveries: 2,
                deferred: 2,
                oldest: nil,
                oldestDeferred: sendAt
            )
            try expect(try await world.store.statistics().backlogs, is: [later], "waiting for its time")
            world.clock.advance(by: .seconds(60))
            let due = StoreStatistics.QueueBacklog(queue: queue, deliveries: 2, oldest: sendAt)
            try expect(try await world.store.statistics().backlogs, is: [due], "due again")
            try await world.crash(queue)
            let aside = StoreStatistics.QueueBacklog(queue: queue, deliveries: 2, oldest: nil)
            try expect(try await world.store.statistics().backlogs, is: [aside], "quarantined")
        },
        Check("a shared value is replaced only by those who saw it") { world in
            let store = world.store
            let first = SharedValue(sealed: [1], madeAt: world.now)
            let second = SharedValue(sealed: [2], madeAt: world.now + .seconds(1))
            let third = SharedValue(sealed: [3], madeAt: world.now + .seconds(2))
            try expect(try await store.sharedValue("token"), is: nil, "before")
            try expect(try await store.share(first, as: "token", insteadOf: nil), is: first, "the first")
            try expect(try await store.share(second, as: "token", insteadOf: nil), is: first, "seen by nobody")
            try expect(try await store.share(second, as: "token", insteadOf: first.madeAt), is: second, "seen")
            try expect(try await store.share(third, as: "token", insteadOf: first.madeAt), is: second, "out of date")
            try expect(try await store.sharedValue("token"), is: second, "afterwards")
            try expect(try await store.sharedValue("other"), is: nil, "another name's")
        },
        Check("of those who share a value at the same time one wins and all get the same") { world in
            let values = try await withThrowingTaskGroup(of: SharedValue.self) { group in
                for index in 0..<20 {
                    let value = SharedValue(sealed: [UInt8(index)], madeAt: world.now + .milliseconds(index))
                    group.addTask { try await world.store.share(value, as: "token", insteadOf: nil) }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            try expect(values.count, is: 1, "values")
        },
        Check("reads see what was written before them") { world in
            let app = try await world.makeApp()
            for number in 0..<50 {
                let endpoint = try await world.register(app, number)
                try expect(try await world.endpoint(app, endpoint.row), is: endpoint, "endpoint")
            }
        },
        Check("a write whose caller was cancelled is whole or not there") { world in
            let app = try await world.makeApp()
            let task = Task { try await world.submit(world.draft(app)) }
            task.cancel()
            let result = await task.result
            let stored = try await world.store.notifications(app.row, state: nil, PageRequest()).items
            if case .success(let sent) = result { try expect(stored.map(\.id), is: [sent.id], "notifications") }
            try expect(stored.count <= 1, "more than one notification")
            try await world.register(app, 1)
        },
    ]
}

extension World {
    /// After which a notification is forgotten also where whole days are.
    static let twoDays: Duration = .seconds(2 * 86_400)

    /// Forgets all that is older than now.
    func purge(_ table: RetentionTable, limit: Int = 1_000) async throws {
        while try await store.purge(table, before: now, limit: limit) > 0 {}
    }
}
