import MartletCore
import MartletWire

extension StoreConformance {
    /// Which of several is at fault when the worker dies, or what can never be recorded.
    static let suspects: [Check] = [
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
        Check(
            "a suspect that is under way for long keeps other lanes waiting for a moment, and its own until it is settled"
        ) { world in
            let slow = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            let (slowLane, otherLane) = (try await world.makeLane(slow), try await world.makeLane(other))
            for app in [slow, other] { try await world.register(app, 1) }
            for app in [slow, slow, other, other] { _ = try await world.send(app) }
            for _ in 0..<LeaseTrial.suspectFrom {
                for lane in [slowLane, otherLane] { _ = try await world.lease(lane) }
                world.clock.advance(by: Lease.duration)
            }
            let held = try await world.leaseOne(slowLane)
            try expect(try await world.lease(otherLane).count, is: 0, "beside one that has just begun")
            world.clock.advance(by: .seconds(2))
            try expect(try await world.lease(slowLane).count, is: 0, "in its own lane")
            try await world.settle(try await world.leaseOne(otherLane))
            world.clock.advance(by: Lease.renewalInterval)
            let kept = try await world.store.renew([held.batch.row], lease: held.lease)
            try expect(kept, is: [held.batch.row], "the lease that is renewed")
            try await world.settle(try await world.leaseOne(otherLane))
            world.clock.advance(by: Lease.duration - .milliseconds(1))
            try expect(try await world.lease(slowLane).count, is: 0, "while the renewed lease lasts")
            try await world.settle(held)
            world.clock.advance(by: LeaseTrial.pause)
            try await world.settle(try await world.leaseOne(slowLane))
        },
        Check(
            "whoever hangs beside it, the one that the server dies of is set aside and nobody else, also if it dies late"
        ) { world in
            for (number, time) in [0, 1, 3, 8, 15, 25].enumerated() {
                for isOlder in [true, false] {
                    try await world.findGuilty(killingAfter: .seconds(time), isOlder: isOlder, "\(number)-\(isOlder)")
                }
            }
        },
        Check("a suspect fan-out waits for another one until it has a part, and batches for it only a moment") {
            world in
            let app = try await world.makeApp()
            let lane = try await world.makeLane(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            for _ in 0..<2 { _ = try await world.submit(world.draft(app)) }
            func lease() async throws -> [FanOut] {
                try await world.store.leaseFanOuts(limit: 8, lease: world.newLease())
            }
            for _ in 0..<LeaseTrial.suspectFrom {
                try expect(try await lease().count, is: 2, "fan-outs that are no suspects yet")
                _ = try await world.leaseOne(lane)
                world.clock.advance(by: Lease.duration)
            }
            let first = try await lease()
            try expect(first.count, is: 1, "one suspect")
            try expect(try await world.lease(lane).count, is: 0, "a batch beside it")
            world.clock.advance(by: .seconds(2))
            try expect(try await lease().count, is: 0, "the other fan-out, while nothing is known of the first")
            try await world.settle(try await world.leaseOne(lane))
            try await world.store.releaseFanOut(first[0])
            try expect(try await lease().count, is: 1, "after it was given back")
        },
        Check("what is leased for the last time waits until every other suspect is settled") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            let (lane, otherLane) = (try await world.makeLane(app), try await world.makeLane(other))
            for app in [app, other] { try await world.register(app, 1) }
            _ = try await world.send(app)
            for _ in 1..<LeaseTrial.limit {
                _ = try await world.leaseOne(lane)
                world.clock.advance(by: Lease.duration)
            }
            _ = try await world.send(other)
            for _ in 0..<LeaseTrial.suspectFrom {
                _ = try await world.leaseOne(otherLane)
                world.clock.advance(by: Lease.duration)
            }
            let younger = try await world.leaseOne(otherLane)
            world.clock.advance(by: .seconds(20))
            try expect(try await world.lease(lane).count, is: 0, "beside another suspect")
            try await world.settle(younger)
            world.clock.advance(by: LeaseTrial.pause)
            try await world.settle(try await world.leaseOne(lane))
        },
        Check("behind suspect fan-outs that wait is read on, and one that was abandoned keeps nobody waiting") {
            world in
            let app = try await world.makeApp()
            _ = try await world.makeLane(app)
            try await world.register(app, 1)
            for _ in 0..<3 { _ = try await world.submit(world.draft(app)) }
            let share = FanOutShare(perApp: 3)
            func lease(limit: Int = 8) async throws -> [FanOut] {
                try await world.store.leaseFanOuts(limit: limit, share: share, lease: world.newLease())
            }
            for _ in 0..<LeaseTrial.suspectFrom {
                let leased = try await lease()
                try expect(leased.count, is: 3, "fan-outs that are no suspects yet")
                for fanOut in leased { try await world.store.abandonFanOut(fanOut) }
                try expect(try await lease().count, is: 0, "before their leases would have ended")
                world.clock.advance(by: Lease.duration)
            }
            let last = try await world.submit(world.draft(app))
            let leased = try await lease(limit: 2)
            try expect(leased.count, is: 2, "one suspect, and what is behind the others")
            try expect(leased.last?.notification.id, is: last.id, "what is behind the others")
            var stranger = leased[0]
            stranger.lease = world.newLease()
            try await world.store.abandonFanOut(stranger)
            world.clock.advance(by: LeaseTrial.pause)
            try expect(try await lease().count, is: 0, "beside one that somebody else abandoned")
            try await world.store.abandonFanOut(leased[0])
            world.clock.advance(by: LeaseTrial.pause)
            try expect(try await lease().count, is: 1, "the next suspect")
        },
        Check("batches that can be sent and never recorded are set aside, however many there are") { world in
            let apps = [try await world.makeApp(), try await world.makeApp("com.example.other")]
            var lanes: [Lane] = []
            for app in apps {
                lanes.append(try await world.makeLane(app))
                try await world.register(app, 1)
                for _ in 0..<2 { _ = try await world.send(app) }
            }
            // Each is held for as long as a worker tries to record what became of it.
            var held: [(leased: World.Leased, until: Timestamp)] = []
            var leases = 0
            for _ in 0..<5_000 where try await world.store.setAside(nil, PageRequest()).items.count < 4 {
                for lane in lanes {
                    let leased = try await world.lease(lane)
                    leases += leased.count
                    held += leased.map { ($0, world.now + .seconds(28)) }
                }
                world.clock.advance(by: .milliseconds(500))
                for one in held where one.until <= world.now {
                    try await world.store.abandon(one.leased.batch.row, lease: one.leased.lease)
                }
                held.removeAll { $0.until <= world.now }
            }
            let work = try await world.store.setAside(nil, PageRequest()).items
            try expect(
                work.map(\.tries),
                is: Array(repeating: LeaseTrial.limit, count: 4),
                "tries of what is set aside"
            )
            try expect(leases, is: 4 * LeaseTrial.limit, "leases")
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
    ]
}

extension World {
    /// Two apps of a process: one's provider answers nothing for half a minute, the other's push kills the process so long
    /// after its lease. Plays it until work is set aside, and then to the end.
    func findGuilty(killingAfter time: Duration, isOlder: Bool, _ name: String) async throws {
        let (slow, deadly) = (
            try await makeApp("com.example.slow\(name)"), try await makeApp("com.example.deadly\(name)")
        )
        let lanes = [try await makeLane(deadly), try await makeLane(slow)]
        for app in [slow, deadly] { try await register(app, 1) }
        var ids: [PublicID] = []
        for app in isOlder ? [deadly, slow, slow] : [slow, slow, deadly] { ids.append(try await send(app).id) }
        let guilty = ids[isOlder ? 0 : 2]
        var held: [(leased: Leased, since: Timestamp)] = []
        var crashes = 0
        for _ in 0..<5_000 where try await store.setAside(deadly.row, PageRequest()).items.isEmpty {
            for lane in isOlder ? lanes : lanes.reversed() { held += try await self.lease(lane).map { ($0, now) } }
            let kills = held.contains { $0.leased.batch.notificationID == guilty && now - $0.since >= time }
            if kills {
                crashes += 1
                held = []
                clock.advance(by: Lease.duration)
                continue
            }
            for one in held where now - one.since >= .seconds(29) {
                var settlement = one.leased.settlement
                settlement.remaining = one.leased.batch.members
                settlement.isLeaseReleased = true
                try await store.settle(settlement)
            }
            held.removeAll { now - $0.since >= .seconds(29) }
            clock.advance(by: .milliseconds(500))
        }
        try expect(crashes, is: LeaseTrial.limit, "deaths, each \(time) after a lease")
        try expect(try await store.setAside(slow.row, PageRequest()).items, is: [], "what hangs and is set aside")
        for one in held { try await settle(one.leased) }
        for _ in 0..<2 {
            clock.advance(by: LeaseTrial.pause)
            try await deliver(lanes[1])
        }
        for id in ids where id != guilty {
            try expect(try await read(id).state, is: .done, "state of what hung, \(name)")
        }
    }
}
