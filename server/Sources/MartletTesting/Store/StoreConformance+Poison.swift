import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Work that a crash may be the fault of.
    static let poison: [Check] = [
        Check(
            "of those that two crashes leave behind one is leased at a time in a queue; the sound ones are not quarantined"
        ) {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            let broken = try await world.send(app)
            let sound = try await world.sendSeveral(4, app)
            // The server dies while all of them are under way, and is back when the leases have ended.
            for _ in 0..<LeaseAdmission.isolatedFrom {
                try expect(try await world.lease(queue).count, is: 5, "batches that crashed less often")
                world.clock.advance(by: Lease.duration)
            }
            while let one = try await world.lease(queue).first {
                if one.batch.notificationID == broken.id {
                    try expect(try await world.lease(queue).count, is: 0, "batches beside the one that is alone")
                    world.clock.advance(by: Lease.duration)
                } else {
                    try await world.settle(one)
                }
            }
            let work = try await world.store.failedWork(QuarantinedWork.self).items
            try expect(work.map(\.notification), is: [broken.id], "what is quarantined")
            try expect(work.map(\.tries), is: [LeaseAdmission.limit], "tries")
            for one in sound { try expect(try await world.read(one.id).state, is: .done, "a sound one") }
        },
        Check("one that is alone keeps neither other queues waiting nor what was not there at the crashes") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let other = try await world.makeApp("com.example.other")
            let otherQueue = try await world.makeQueue(other)
            for one in [app, other] { try await world.register(one, 1) }
            let old = try await world.sendSeveral(3, app).map(\.id)
            _ = try await world.send(other)
            for _ in 0..<LeaseAdmission.isolatedFrom {
                for one in [queue, otherQueue] { _ = try await world.lease(one) }
                world.clock.advance(by: Lease.duration)
            }
            let new = try await world.sendSeveral(2, app).map(\.id)
            let leased = try await world.lease(queue).map(\.batch.notificationID)
            try expect(leased, is: [old[0]] + new, "one of the old, and the new behind the others")
            try expect(try await world.lease(otherQueue).count, is: 1, "another queue's")
        },
        Check("a worker that gives a batch up counts a lease, and the next one is leased at once") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            let both = try await world.sendSeveral(2, app).map(\.id)
            for _ in 0..<LeaseAdmission.isolatedFrom {
                _ = try await world.lease(queue)
                world.clock.advance(by: Lease.duration)
            }
            let first = try await world.leaseOne(queue)
            try expect(first.batch.notificationID, is: both[0], "the older one")
            try await world.store.endLease(.nackBatch(first.batch.row, first.lease))
            let second = try await world.leaseOne(queue)
            try expect(second.batch.notificationID, is: both[1], "the other one")
            try await world.settle(second)
            for _ in LeaseAdmission.isolatedFrom + 1..<LeaseAdmission.limit {
                world.clock.advance(by: Lease.duration)
                let again = try await world.leaseOne(queue)
                try await world.store.endLease(.nackBatch(again.batch.row, again.lease))
            }
            world.clock.advance(by: Lease.duration)
            try expect(try await world.lease(queue).count, is: 0, "once more")
            let work = try await world.store.failedWork(QuarantinedWork.self).items
            try expect(work.map(\.notification), is: [both[0]], "what is quarantined")
        },
        Check("of an app's audiences that two crashes leave behind one is read at a time") { world in
            let app = try await world.makeApp()
            _ = try await world.makeQueue(app)
            try await world.register(app, 1)
            for _ in 0..<2 { _ = try await world.submit(world.draft(app)) }
            let lease = { try await world.store.leaseFanOuts(limit: 8, lease: world.newLease()) }
            for _ in 0..<LeaseAdmission.isolatedFrom {
                try expect(try await lease().count, is: 2, "audiences that crashed less often")
                world.clock.advance(by: Lease.duration)
            }
            let first = try await lease()
            try expect(first.count, is: 1, "one alone")
            _ = try await world.submit(world.draft(app))
            try expect(try await lease().count, is: 1, "what was not there at the crashes")
            try expect(try await lease().count, is: 0, "the other one")
            try await world.store.endLease(.nackFanOut(try unwrap(first.first, "audience")))
            try expect(try await lease().count, is: 1, "the other one, once the first is given up")
        },
    ]
}

extension World {
    /// Sends so many, one after the other.
    fileprivate func sendSeveral(_ count: Int, _ app: App) async throws -> [Notification] {
        var sent: [Notification] = []
        for _ in 0..<count {
            sent.append(try await send(app))
            clock.advance(by: .milliseconds(1))
        }
        return sent
    }
}
