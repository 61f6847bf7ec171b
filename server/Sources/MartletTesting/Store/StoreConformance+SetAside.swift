import MartletCore
import MartletWire

extension StoreConformance {
    /// Work that is taken up and never recorded.
    static let setAside: [Check] = [
        Check("a batch whose leases end without a settlement is set aside, stays pending, and is retried by hand") {
            world in
            let app = try await world.makeApp()
            let lane = try await world.makeLane(app)
            try await world.register(app, 1)
            let sent = try await world.send(app)
            for _ in 0..<LeaseTrial.limit {
                _ = try await world.leaseOne(lane)
                world.clock.advance(by: Lease.duration)
            }
            try expect(try await world.lease(lane).isEmpty, "it is tried once more")
            try expect(try await world.store.dueWork(), is: DueWork(lanes: [], next: nil), "due work")
            let work = try unwrap(try await world.store.setAside(app.row, PageRequest()).items.first, "set-aside work")
            try expect(work.app, is: app.row, "app")
            try expect(work.notification, is: sent.id, "notification")
            try expect(work.lane, is: lane, "lane")
            try expect(work.deliveries, is: 1, "deliveries")
            try expect(work.reason, is: .crashed, "reason")
            try expect(work.tries, is: LeaseTrial.limit, "tries")
            try expect(work.since, is: world.now, "since")
            try expect(try await world.store.setAside(work.id), is: work, "by its id")
            try expect(try await world.store.statistics().setAside, is: 1, "statistics")
            try expect(try await world.read(sent.id).counts.pending, is: 1, "pending deliveries")
            try expect(try await world.store.retrySetAside(work.id), is: work, "what is retried")
            try await expectRefusal(.notFound, "a second retry") { _ = try await world.store.retrySetAside(work.id) }
            try expect(try await world.store.statistics().setAside, is: 0, "statistics after the retry")
            try await world.settle(try await world.leaseOne(lane))
            try expect(try await world.read(sent.id).state, is: .done, "state")
        },
        Check("a settlement clears a batch, also one that only gives the lease back") { world in
            let app = try await world.makeApp()
            let lane = try await world.makeLane(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            for _ in 0..<3 {
                for _ in 0..<(LeaseTrial.limit - 1) {
                    _ = try await world.leaseOne(lane)
                    world.clock.advance(by: Lease.duration)
                }
                let leased = try await world.leaseOne(lane)
                var settlement = leased.settlement
                settlement.remaining = leased.batch.members
                settlement.isLeaseReleased = true
                try await world.store.settle(settlement)
            }
            for _ in 0..<(LeaseTrial.limit * 2) {
                let leased = try await world.leaseOne(lane)
                var settlement = leased.settlement
                settlement.remaining = leased.batch.members
                settlement.isLeaseReleased = true
                try await world.store.settle(settlement)
            }
            try expect(try await world.store.setAside(nil, PageRequest()).items, is: [], "set-aside work")
        },
        Check("of those that a crash leaves suspect, one is leased at a time; the innocent are never set aside") {
            world in
            let app = try await world.makeApp()
            let lane = try await world.makeLane(app)
            try await world.register(app, 1)
            var ids: [PublicID] = []
            for _ in 0..<6 { ids.append(try await world.send(app).id) }
            let guilty = ids[3]
            for _ in 0..<100 where try await world.store.setAside(nil, PageRequest()).items.isEmpty {
                // As a process that dies as soon as the guilty one is among what it leased.
                let leased = try await world.lease(lane)
                if leased.contains(where: { $0.batch.notificationID == guilty }) {
                    world.clock.advance(by: Lease.duration)
                } else {
                    for batch in leased { try await world.settle(batch) }
                    world.clock.advance(by: LeaseTrial.pause)
                }
            }
            let aside = try await world.store.setAside(nil, PageRequest()).items
            try expect(aside.map(\.notification), is: [guilty], "set-aside work")
            for _ in 0..<10 {
                try await world.deliver(lane)
                world.clock.advance(by: LeaseTrial.pause)
            }
            for id in ids where id != guilty { try expect(try await world.read(id).state, is: .done, "state") }
        },
        Check("a suspect that is under way for long keeps the others waiting for a moment, not for its lease") {
            world in
            let slow = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            let (slowLane, otherLane) = (try await world.makeLane(slow), try await world.makeLane(other))
            for app in [slow, other] { try await world.register(app, 1) }
            _ = try await world.send(slow)
            for _ in 0..<2 { _ = try await world.send(other) }
            for _ in 0..<LeaseTrial.suspectFrom {
                for lane in [slowLane, otherLane] { _ = try await world.lease(lane) }
                world.clock.advance(by: Lease.duration)
            }
            let held = try await world.leaseOne(slowLane)
            try expect(try await world.lease(otherLane).count, is: 0, "beside one that has just begun")
            world.clock.advance(by: LeaseTrial.alone)
            try await world.settle(try await world.leaseOne(otherLane))
            world.clock.advance(by: Lease.renewalInterval)
            let kept = try await world.store.renew([held.batch.row], lease: held.lease)
            try expect(kept, is: [held.batch.row], "the lease that is renewed")
            try await world.settle(try await world.leaseOne(otherLane))
            world.clock.advance(by: Lease.duration - LeaseTrial.alone - .milliseconds(1))
            try expect(try await world.lease(slowLane).count, is: 0, "while the renewed lease lasts")
        },
        Check("a suspect whose provider hangs is not set aside with the one that the server dies of") { world in
            let app = try await world.makeApp()
            let lane = try await world.makeLane(app)
            try await world.register(app, 1)
            let hanging = try await world.send(app)
            let guilty = try await world.send(app)
            for crash in 1...LeaseTrial.limit {
                let first = try await world.lease(lane).map(\.batch.notificationID)
                if crash <= LeaseTrial.suspectFrom {
                    try expect(first, is: [hanging.id, guilty.id], "what is no suspect yet")
                } else {
                    try expect(first, is: [hanging.id], "the older suspect")
                    world.clock.advance(by: LeaseTrial.alone)
                    try expect(try await world.leaseOne(lane).batch.notificationID, is: guilty.id, "the other suspect")
                }
                world.clock.advance(by: Lease.duration)
            }
            let leased = try await world.leaseOne(lane)
            try expect(leased.batch.notificationID, is: hanging.id, "what is tried on")
            world.clock.advance(by: LeaseTrial.alone)
            try expect(try await world.lease(lane).count, is: 0, "behind it")
            try expect(
                try await world.store.setAside(nil, PageRequest()).items.map(\.notification),
                is: [guilty.id],
                "set-aside work"
            )
            try await world.settle(leased)
        },
        Check("work that is abandoned keeps no suspect waiting, comes due when its lease would have ended, and counts")
        {
            world in
            let app = try await world.makeApp()
            let lane = try await world.makeLane(app)
            try await world.register(app, 1)
            let broken = try await world.send(app)
            let sound = try await world.send(app)
            for _ in 0..<LeaseTrial.suspectFrom {
                for leased in try await world.lease(lane) {
                    try await world.store.abandon(leased.batch.row, lease: leased.lease)
                }
                try expect(try await world.lease(lane).count, is: 0, "before the lease would have ended")
                world.clock.advance(by: Lease.duration)
            }
            let first = try await world.leaseOne(lane)
            try expect(first.batch.notificationID, is: broken.id, "the older suspect")
            try await world.store.abandon(first.batch.row, lease: world.newLease())
            world.clock.advance(by: LeaseTrial.pause)
            try expect(try await world.lease(lane).count, is: 0, "beside one that somebody else abandoned")
            try await world.store.abandon(first.batch.row, lease: first.lease)
            world.clock.advance(by: LeaseTrial.pause)
            let second = try await world.leaseOne(lane)
            try expect(second.batch.notificationID, is: sound.id, "the other suspect")
            try await world.settle(second)
            for _ in LeaseTrial.suspectFrom + 1..<LeaseTrial.limit {
                world.clock.advance(by: Lease.duration)
                let leased = try await world.leaseOne(lane)
                try await world.store.abandon(leased.batch.row, lease: leased.lease)
            }
            world.clock.advance(by: Lease.duration)
            try expect(try await world.lease(lane).count, is: 0, "after the last try")
            let work = try await world.store.setAside(nil, PageRequest()).items
            try expect(work.map(\.notification), is: [broken.id], "set-aside work")
        },
        Check("suspects that wait keep nobody waiting: what is behind them is leased in the same call") { world in
            let app = try await world.makeApp()
            let lane = try await world.makeLane(app)
            try await world.register(app, 1)
            for _ in 0..<5 { _ = try await world.send(app) }
            for _ in 0..<LeaseTrial.suspectFrom {
                try expect(try await world.lease(lane).count, is: 5, "what is no suspect yet")
                world.clock.advance(by: Lease.duration)
            }
            let last = try await world.send(app)
            let leased = try await world.lease(lane, limit: 2)
            try expect(leased.count, is: 2, "one suspect, and what is behind the others")
            try expect(leased.last?.batch.notificationID, is: last.id, "what is behind the others")
        },
        Check("what is set aside ends with its notification: expired in its time, cancelled at once") { world in
            let app = try await world.makeApp()
            let lane = try await world.makeLane(app)
            try await world.register(app, 1)
            let expiring = try await world.send(app, lifetime: .seconds(1_000))
            try await world.crash(lane)
            let cancelled = try await world.send(app)
            try await world.crash(lane)
            try expect(try await world.store.setAside(nil, PageRequest()).items.count, is: 2, "set-aside work")
            _ = try await world.store.cancel(cancelled.row)
            world.clock.advance(to: expiring.expiresAt)
            while try await !world.store.expireBatches(limit: 1, except: []).isEmpty {}
            try expect(try await world.read(expiring.id).counts, is: DeliveryCounts(expired: 1), "expired")
            try expect(try await world.read(expiring.id).state, is: .done, "state")
            try expect(try await world.read(cancelled.id).counts, is: DeliveryCounts(cancelled: 1), "cancelled")
            try expect(try await world.store.setAside(nil, PageRequest()).items, is: [], "set-aside work")
        },
        Check("a fan-out whose leases end without a part is set aside and retried; one that is given back is not") {
            world in
            let app = try await world.makeApp()
            _ = try await world.makeLane(app)
            try await world.register(app, 1)
            let sent = try await world.submit(world.draft(app))
            for _ in 0..<(LeaseTrial.limit * 2) {
                let leased = try await world.store.leaseFanOuts(limit: 1, lease: world.newLease())
                try await world.store.releaseFanOut(try unwrap(leased.first, "fan-out"))
            }
            for _ in 0..<LeaseTrial.limit {
                let leased = try await world.store.leaseFanOuts(limit: 1, lease: world.newLease())
                try expect(leased.count, is: 1, "fan-outs")
                world.clock.advance(by: Lease.duration)
            }
            try expect(try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()), is: [], "fan-outs")
            try expect(try await world.store.dueWork(), is: DueWork(lanes: [], next: nil), "due work")
            let work = try unwrap(try await world.store.setAside(app.row, PageRequest()).items.first, "set-aside work")
            try expect(work.lane, is: nil, "lane")
            try expect(work.notification, is: sent.id, "notification")
            _ = try await world.store.retrySetAside(work.id)
            try await world.fanOut()
            try expect(try await world.read(sent.id).counts.pending, is: 1, "pending deliveries")
        },
        Check("work that is set aside is listed newest first, in pages, by app") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            var ids: [PublicID] = []
            for made in [app, other, app] {
                let lane = try await world.makeLane(made)
                try await world.register(made, 1)
                ids.append(try await world.send(made).id)
                try await world.crash(lane)
            }
            let all = try await world.readAll(pagesOf: 1) { try await world.store.setAside(nil, $0) }
            try expect(all.map(\.notification), is: Array(ids.reversed()), "everybody's")
            let own = try await world.store.setAside(app.row, PageRequest()).items
            try expect(own.map(\.notification), is: [ids[2], ids[0]], "an app's")
            try expect(try await world.store.setAside(world.makeID()), is: nil, "an unknown id")
        },
        Check("of an app with many open fan-outs at most its share is leased, and others get theirs") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            for _ in 0..<5 { _ = try await world.submit(world.draft(app)) }
            let urgent = try await world.submit(world.draft(other))
            let normal = try await world.submit(world.draft(other, priority: .normal))
            let share = FanOutShare(perApp: 3, taken: [app.row: 1])
            let leased = try await world.store.leaseFanOuts(limit: 8, share: share, lease: world.newLease())
            try expect(leased.filter { $0.notification.app == app.row }.count, is: 2, "the app's fan-outs")
            try expect(
                leased.map(\.notification.id).suffix(2),
                is: [urgent.id, normal.id],
                "the other app's fan-outs, by urgency and age"
            )
            let full = FanOutShare(perApp: 3, taken: [app.row: 3])
            try expect(
                try await world.store.leaseFanOuts(limit: 8, share: full, lease: world.newLease()),
                is: [],
                "fan-outs of an app that has its share"
            )
        },
        Check("what waits is counted: deliveries in batches, and audiences that are not read") { world in
            let app = try await world.makeApp()
            let lane = try await world.makeLane(app)
            for number in 1...3 { try await world.register(app, number) }
            try expect(try await world.store.waitingDeliveries(), is: 0, "waiting deliveries")
            _ = try await world.submit(world.draft(app))
            try expect(try await world.store.waitingDeliveries(), is: 1, "with an audience that is not read")
            try await world.fanOut()
            try expect(try await world.store.waitingDeliveries(), is: 3, "with a batch")
            try await world.deliver(lane)
            try expect(try await world.store.waitingDeliveries(), is: 0, "after the deliveries")
        },
    ]
}

extension World {
    /// Has the worker of a lane's due batches crash until they are set aside.
    func crash(_ lane: Lane) async throws {
        for _ in 0...LeaseTrial.limit {
            _ = try await lease(lane)
            clock.advance(by: Lease.duration)
        }
    }
}
