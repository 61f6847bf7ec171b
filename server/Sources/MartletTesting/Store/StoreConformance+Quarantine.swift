import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Work that is taken up and never recorded.
    static let quarantine: [Check] = [
        Check("a batch whose leases end without a settlement is quarantined, stays pending, and is retried by hand") {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            let sent = try await world.send(app)
            for _ in 0..<LeaseAdmission.limit {
                _ = try await world.leaseOne(queue)
                world.clock.advance(by: Lease.duration)
            }
            try expect(try await world.lease(queue).isEmpty, "it is tried once more")
            try expect(try await world.store.dueWork(), is: DueWork(queues: [], next: nil), "due work")
            let work = try unwrap(
                try await world.store.failedWork(QuarantinedWork.self, of: app.row).items.first,
                "quarantined work"
            )
            try expect(work.app, is: app.row, "app")
            try expect(work.notification, is: sent.id, "notification")
            try expect(work.queue, is: queue, "queue")
            try expect(work.deliveries, is: 1, "deliveries")
            try expect(work.reason, is: .crashed, "reason")
            try expect(work.tries, is: LeaseAdmission.limit, "tries")
            try expect(work.since, is: world.now, "since")
            try expect(try await world.store.failedWork(QuarantinedWork.self, work.id), is: work, "by its id")
            try expect(try await world.store.statistics().quarantined, is: 1, "statistics")
            try expect(try await world.read(sent.id).counts.pending, is: 1, "pending deliveries")
            try expect(try await world.store.retry(QuarantinedWork.self, work.id).work, is: work, "what is retried")
            try await expectRefusal(.notFound, "a second retry") {
                _ = try await world.store.retry(QuarantinedWork.self, work.id)
            }
            try expect(try await world.store.statistics().quarantined, is: 0, "statistics after the retry")
            try await world.settle(try await world.leaseOne(queue))
            try expect(try await world.read(sent.id).state, is: .done, "state")
        },
        Check("a settlement clears a batch, also one that only gives the lease back") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            for _ in 0..<3 {
                for _ in 0..<(LeaseAdmission.limit - 1) {
                    _ = try await world.leaseOne(queue)
                    world.clock.advance(by: Lease.duration)
                }
                let leased = try await world.leaseOne(queue)
                var settlement = leased.settlement
                settlement.remaining = leased.batch.members
                settlement.isLeaseReleased = true
                try await world.store.settle(settlement)
            }
            for _ in 0..<(LeaseAdmission.limit * 2) {
                let leased = try await world.leaseOne(queue)
                var settlement = leased.settlement
                settlement.remaining = leased.batch.members
                settlement.isLeaseReleased = true
                try await world.store.settle(settlement)
            }
            try expect(try await world.store.failedWork(QuarantinedWork.self).items, is: [], "quarantined work")
        },
        Check("what is quarantined ends with its notification: expired in its time, cancelled at once") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            let expiring = try await world.send(app, lifetime: .seconds(1_000))
            try await world.crash(queue)
            let cancelled = try await world.send(app)
            try await world.crash(queue)
            try expect(try await world.store.failedWork(QuarantinedWork.self).items.count, is: 2, "quarantined work")
            _ = try await world.store.cancel(cancelled.row)
            world.clock.advance(to: expiring.expiresAt)
            while try await !world.store.expire(limit: 1, process: 0).batches.isEmpty {}
            try expect(try await world.read(expiring.id).counts, is: DeliveryCounts(expired: 1), "expired")
            try expect(try await world.read(expiring.id).state, is: .done, "state")
            try expect(try await world.read(cancelled.id).counts, is: DeliveryCounts(cancelled: 1), "cancelled")
            try expect(try await world.store.failedWork(QuarantinedWork.self).items, is: [], "quarantined work")
        },
        Check("a fan-out whose leases end without a part is quarantined and retried; one that is given back is not") {
            world in
            let app = try await world.makeApp()
            _ = try await world.makeQueue(app)
            try await world.register(app, 1)
            let sent = try await world.submit(world.draft(app))
            for _ in 0..<(LeaseAdmission.limit * 2) {
                let leased = try await world.store.leaseFanOuts(limit: 1, lease: world.newLease())
                try await world.store.endLease(.releaseFanOut(try unwrap(leased.first, "fan-out")))
            }
            for _ in 0..<LeaseAdmission.limit {
                let leased = try await world.store.leaseFanOuts(limit: 1, lease: world.newLease())
                try expect(leased.count, is: 1, "fan-outs")
                world.clock.advance(by: Lease.duration)
            }
            try expect(try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()), is: [], "fan-outs")
            try expect(try await world.store.dueWork(), is: DueWork(queues: [], next: nil), "due work")
            let work = try unwrap(
                try await world.store.failedWork(QuarantinedWork.self, of: app.row).items.first,
                "quarantined work"
            )
            try expect(work.queue, is: nil, "queue")
            try expect(work.notification, is: sent.id, "notification")
            _ = try await world.store.retry(QuarantinedWork.self, work.id)
            try await world.fanOut()
            try expect(try await world.read(sent.id).counts.pending, is: 1, "pending deliveries")
        },
        Check("an audience that is quarantined is over when its notification's time is, and one of another time is not")
        {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            let ending = try await world.submit(world.draft(app, lifetime: .seconds(1_000)))
            let lasting = try await world.submit(world.draft(app))
            // First both at once, then one after the other.
            for _ in 0..<(LeaseAdmission.limit * 3) {
                _ = try await world.store.leaseFanOuts(limit: 8, lease: world.newLease())
                world.clock.advance(by: Lease.duration)
            }
            let aside = { try await world.store.failedWork(QuarantinedWork.self).items.map(\.notification) }
            try expect(Set(try await aside()), is: [ending.id, lasting.id], "quarantined work")
            try expect(try await world.store.expire(limit: 8, process: 0).fanOuts, is: 0, "too early")
            world.clock.advance(to: try await world.read(ending.id).expiresAt)
            try expect(try await world.store.expire(limit: 8, process: 0).fanOuts, is: 1, "in time")
            try expect(try await world.store.expire(limit: 8, process: 0).fanOuts, is: 0, "once more")
            try expect(try await world.read(ending.id).state, is: .done, "state")
            try expect(try await world.read(ending.id).counts, is: DeliveryCounts(), "counts")
            try expect(try await world.read(lasting.id).state, is: .sending, "the other's state")
            try expect(try await aside(), is: [lasting.id], "what is left")
            for work in try await world.store.failedWork(QuarantinedWork.self).items {
                _ = try await world.store.retry(QuarantinedWork.self, work.id)
            }
            try await world.fanOut()
            try await world.deliver(queue)
            try expect(try await world.read(lasting.id).counts, is: DeliveryCounts(accepted: 1), "what was tried again")
        },
        Check("a quarantined batch of a cancelled notification keeps its id until its end is recorded") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            let sent = try await world.send(app)
            try await world.crash(queue)
            let before = try await world.store.failedWork(QuarantinedWork.self).items
            _ = try await world.store.cancel(sent.row)
            try expect(try await world.lease(queue).count, is: 0, "batches to work on")
            try expect(try await world.store.failedWork(QuarantinedWork.self).items, is: before, "quarantined work")
            while try await !world.store.expire(limit: 1, process: 0).batches.isEmpty {}
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(cancelled: 1), "counts")
        },
        Check("work that is quarantined is listed newest first, in pages, by app") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            var ids: [PublicID] = []
            for made in [app, other, app] {
                let queue = try await world.makeQueue(made)
                try await world.register(made, 1)
                ids.append(try await world.send(made).id)
                try await world.crash(queue)
            }
            let all = try await world.readAll(pagesOf: 1) { try await world.store.failedWork(QuarantinedWork.self, $0) }
            try expect(all.map(\.notification), is: Array(ids.reversed()), "everybody's")
            let own = try await world.store.failedWork(QuarantinedWork.self, of: app.row).items
            try expect(own.map(\.notification), is: [ids[2], ids[0]], "an app's")
            try expect(try await world.store.failedWork(QuarantinedWork.self, world.makeID()), is: nil, "an unknown id")
        },
        Check("of an app with many open fan-outs at most its share is leased, and others get theirs") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            for _ in 0..<5 { _ = try await world.submit(world.draft(app)) }
            let urgent = try await world.submit(world.draft(other, class: .transactional))
            let normal = try await world.submit(world.draft(other))
            let share = FanOutShare(perApp: 3, taken: [app.row: 1])
            let leased = try await world.store.leaseFanOuts(limit: 8, share: share, lease: world.newLease())
            try expect(leased.filter { $0.notification.app == app.row }.count, is: 2, "the app's fan-outs")
            try expect(
                leased.map(\.notification).filter { $0.app == other.row }.map(\.id),
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
            let queue = try await world.makeQueue(app)
            for number in 1...3 { try await world.register(app, number) }
            try expect(try await world.store.waitingDeliveries(), is: WaitingDeliveries(), "waiting deliveries")
            _ = try await world.submit(world.draft(app))
            let counts = { try await world.store.waitingDeliveries().counts }
            try expect(try await counts(), is: [.app(app.row): 1], "with an audience that is not read")
            try await world.fanOut()
            try expect(try await counts(), is: [.app(app.row): 3], "with a batch")
            let other = try await world.makeApp("com.example.other")
            _ = try await world.submit(world.draft(other))
            try expect(try await counts(), is: [.app(app.row): 3, .app(other.row): 1], "with another app's")
            try expect(try await world.store.waitingDeliveries().total, is: 4, "all of them")
            try await world.deliver(queue)
            try expect(try await counts(), is: [.app(other.row): 1], "after the deliveries")
        },
    ]
}

extension World {
    /// Has the worker of a queue's due batches crash until they are quarantined.
    func crash(_ queue: DeliveryQueue) async throws {
        for _ in 0...LeaseAdmission.limit {
            _ = try await lease(queue)
            clock.advance(by: Lease.duration)
        }
    }
}
