import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// How deliveries and events are counted over time, kept and forgotten.
    static let counts: [Check] = countedEnds + countedEvents + countRetention

    private static let countedEnds: [Check] = [
        Check("deliveries are counted by app, platform and minute as they end, and add up to what was recorded") {
            world in
            var model = CountModel()
            for seed in UInt64(1)...3 {
                var random = SeededRandom(seed: seed)
                let start = world.now
                let apps = [try await world.makeCountedApp("a\(seed)"), try await world.makeCountedApp("b\(seed)")]
                var sent: [App: [Notification]] = [:]
                for _ in 0..<12 {
                    let app = random.pick(apps)
                    sent[app, default: []].append(try await world.send(app, &random, &model))
                    world.clock.advance(by: .seconds(.random(in: 0..<50, using: &random)))
                    try await world.end(app, &random, &model)
                    world.clock.advance(by: .seconds(.random(in: 0..<50, using: &random)))
                }
                for app in apps {
                    for platform in [nil, Platform.apns, .fcm] {
                        try await world.compare(model, of: app, platform, since: start)
                    }
                    var recorded = OutcomeCounts()
                    for notification in sent[app] ?? [] {
                        let counts = try await world.read(notification.id).counts
                        recorded += OutcomeCounts(counts)
                    }
                    let total = try await world.counts(app, since: start, .day).total
                    try expect(total, is: recorded, "the sum of what was recorded")
                }
                try await world.compare(model, of: nil, nil, since: start)
            }
        },
        Check("what ends with the minute is counted in it, and what ends a millisecond later in the next") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...2 { try await world.register(app, number) }
            let minute = StatisticsStep.minute.start(of: world.now) + .seconds(60)
            world.clock.advance(by: minute - .milliseconds(1) - world.now)
            _ = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            for member in leased.batch.members {
                var settlement = leased.settlement
                settlement.results = [world.result(member)]
                settlement.remaining = leased.batch.members.filter { $0.endpoint > member.endpoint }
                try await world.store.settle(settlement)
                world.clock.advance(by: .milliseconds(1))
            }
            let span = CountSpan(app: app.row, from: minute - .seconds(60), to: minute + .seconds(60), step: .minute)
            let series = try await world.store.counts(over: span)
            try expect(series.counts.map(\.accepted), is: [1, 1], "accepted by minute")
        },
        Check("what expires without a worker is counted, and what two processes settle at once too") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...4 { try await world.register(app, number) }
            let start = world.now
            for _ in 0..<10 { _ = try await world.send(app) }
            let leased = try await world.lease(queue)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for one in leased { group.addTask { try await world.settle(one) } }
                try await group.waitForAll()
            }
            _ = try await world.send(app, lifetime: .seconds(10))
            world.clock.advance(by: .seconds(10))
            _ = try await world.store.expire(limit: 10, process: 1)
            let total = try await world.counts(app, since: start, .minute).total
            try expect([total.accepted, total.expired], is: [40, 4], "accepted and expired")
        },
        Check("an end that is taken back is taken out of its minute") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...2 { try await world.register(app, number) }
            let start = world.now
            _ = try await world.send(app)
            let first = try await world.leaseOne(queue)
            world.clock.advance(by: Lease.duration)
            let second = try await world.leaseOne(queue)
            var settlement = second.settlement
            settlement.results = [world.result(second.batch.members[0], .dead, reason: "late")]
            settlement.suppressions = [
                Suppression(endpoint: second.batch.members[1].endpoint, user: nil, reason: .endpointDisabled)
            ]
            try await world.store.settle(settlement)
            var ended = OutcomeCounts()
            (ended.dead, ended.suppressed) = (1, 1)
            try expect(try await world.counts(app, since: start, .minute).total, is: ended, "before")
            world.clock.advance(by: .seconds(300))
            var late = first.settlement
            late.results = [world.result(first.batch.members[1])]
            try await world.store.settle(late)
            let letter = try unwrap(try await world.store.failedWork(DeadLetter.self).items.first, "the dead letter")
            _ = try await world.store.retry(DeadLetter.self, letter.id)
            let series = try await world.counts(app, since: start, .minute)
            let last = try unwrap(series.counts.last, "the last minute")
            try expect(series.total, is: last, "all but the last minute")
            try expect([last.accepted, last.dead, last.suppressed], is: [1, 0, 0], "the last minute")
        },
    ]

    private static let countedEvents: [Check] = [
        Check("deliveries, opens and dismissals that phones report are counted by the minute of their receipt, once") {
            world in
            let app = try await world.makeApp()
            let start = world.now
            let open = world.event(.open, message: "m")
            var other = world.event(.delivery, message: nil)
            other.platform = .android
            other.clientTime = start - .seconds(3_600)
            try await world.record([open, open, world.event(.linkOpen, message: "m")], app)
            world.clock.advance(by: .seconds(60))
            try await world.record([open, other, world.event(.dismiss, message: "m")], app)
            let all = try await world.counts(app, since: start, .minute)
            try expect(all.counts.map(\.opens), is: [1, 0], "opens")
            try expect(all.counts.map(\.deliveries), is: [0, 1], "deliveries")
            try expect(all.counts.map(\.dismissals), is: [0, 1], "dismissals")
            let android = try await world.counts(app, .fcm, since: start, .minute).total
            try expect([android.deliveries, android.opens, android.dismissals], is: [1, 0, 0], "of Android")
        }
    ]
}
