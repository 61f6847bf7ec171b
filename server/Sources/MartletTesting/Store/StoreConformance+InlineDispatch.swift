import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Batches that are leased in the transaction that accepts them.
    static let inlineDispatch: [Check] = [
        Check("a batch with a reservation is leased as it is written, and looks as any lease shows it") { world in
            let (app, queue) = try await world.queueWithAnn()
            let reservation = Reservation(lease: world.newLease(), queues: [queue])
            let submitted = try await world.begin(app, queue, reservation)
            let batch = try unwrap(submitted.leased.first, "batch")
            try expect(submitted.leased.count, is: 1, "batches")
            try expect(batch.notificationID, is: submitted.id, "whose it is")
            try expect(batch.members.count, is: 2, "deliveries")
            try expect(batch.members, is: batch.members.sorted { $0.endpoint < $1.endpoint }, "order of deliveries")
            try expect(try await world.store.dueWork().queues, is: [], "queues that wait")
            try expect(try await world.lease(queue).count, is: 0, "batches that others get")
            try expect(try await world.store.waitingDeliveries().total, is: 2, "deliveries that wait")
            world.clock.advance(by: Lease.duration)
            let again = try await world.leaseOne(queue)
            var second = batch
            second.wasLeased = true
            try expect(again.batch, is: second, "the batch of an ordinary lease")
        },
        Check("what was leased with a reservation is renewed and settled by its holder alone") { world in
            let (app, queue) = try await world.queueWithAnn()
            let reservation = Reservation(lease: world.newLease(), queues: [queue])
            let batch = try unwrap(try await world.begin(app, queue, reservation).leased.first, "batch")
            try expect(
                try await world.store.renew([batch.row], lease: world.newLease()),
                is: [],
                "a stranger's renewal"
            )
            world.clock.advance(by: Lease.renewalInterval)
            try expect(try await world.store.renew([batch.row], lease: reservation.lease), is: [batch.row], "renewal")
            world.clock.advance(by: Lease.duration - .milliseconds(1))
            try expect(try await world.lease(queue).count, is: 0, "batches while the lease lasts")
            try await world.settle(World.Leased(batch: batch, lease: reservation.lease))
            let over = try unwrap(try await world.store.notification(batch.notificationID), "notification")
            try expect(over.state, is: .done, "state")
            try expect(over.counts, is: DeliveryCounts(accepted: 2), "counts")
        },
        Check("that all of it was accepted is recorded once, whether it was leased again meanwhile or not") { world in
            for isLeasedAgain in [false, true] {
                let (app, queue) = try await world.queueWithAnn(app: "\(isLeasedAgain)")
                let reservation = Reservation(lease: world.newLease(), queues: [queue])
                let submitted = try await world.begin(app, queue, reservation)
                let batch = try unwrap(submitted.leased.first, "batch")
                let tokens = submitted.targets.first?.compactMap { $0?.token }
                try expect(tokens?.count, is: 2, "tokens of its devices")
                if isLeasedAgain {
                    world.clock.advance(by: Lease.duration)
                    _ = try await world.leaseOne(queue)
                }
                var settlement = Settlement(batch: batch, lease: reservation.lease)
                settlement.results = batch.members.map { world.result($0) }
                try expect(settlement.isWhole, is: true, "nothing else is to be recorded")
                // The second one stands for a commit whose answer was lost.
                for _ in 0..<2 { try await world.settleSoon(settlement) }
                let found = try unwrap(try await world.store.notification(batch.notificationID), "notification")
                try expect(found.counts.accepted, is: 2, "accepted")
                try expect(found.state, is: isLeasedAgain ? .sending : .done, "state")
                let reports = try await world.store.deliveries(found.row, PageRequest(count: 10)).items
                try expect(reports.map(\.state), is: [.accepted, .accepted], "reports")
                let waiting = try await world.store.waitingDeliveries().total
                if !isLeasedAgain { try expect(waiting, is: 0, "deliveries that wait") }
            }
        },
        Check("without capacity, in a paused queue, for later and for many there is nothing to begin with") { world in
            let (app, queue) = try await world.queueWithAnn()
            let none = Reservation(lease: world.newLease(), queues: [])
            try expect(try await world.begin(app, queue, none).leased, is: [], "without capacity")
            let waiting = try await world.leaseOne(queue)
            let reservation = Reservation(lease: world.newLease(), queues: [queue])
            let later = world.draft(app, to: .users(["ann"]), sendAt: world.now + .seconds(1))
            let gate = Gate(app: app.row, queues: [queue])
            let scheduled = try await world.store.submit(later, idempotency: nil, gate: gate, reservation: reservation)
            try expect(scheduled.leased, is: [], "for later")
            let everybody = world.draft(app)
            let long = try await world.store.submit(everybody, idempotency: nil, gate: gate, reservation: reservation)
            try expect(long.leased, is: [], "for everybody")
            var pausing = waiting.settlement
            pausing.remaining = waiting.batch.members
            pausing.pause = Pause(queue: queue, reason: "InvalidProviderToken", advice: "", since: world.now)
            try await world.store.settle(pausing)
            try expect(try await world.begin(app, queue, reservation).leased, is: [], "in a paused queue")
        },
        Check("a repeated request and a claim that is held leave nothing to begin with") { world in
            let (app, queue) = try await world.queueWithAnn()
            let record = try await world.idempotency("1")
            let gate = Gate(app: app.row, queues: [queue])
            var leased: [Int] = []
            for _ in 0..<2 {
                let draft = world.draft(app, to: .users(["ann"]), dedup: Dedup(key: "alert"))
                let reservation = Reservation(lease: world.newLease(), queues: [queue])
                leased.append(
                    try await world.store.submit(draft, idempotency: record, gate: gate, reservation: reservation)
                        .leased.count
                )
            }
            try expect(leased, is: [1, 0], "batches of a request and of its repetition")
            let duplicate = world.draft(app, to: .users(["ann"]), dedup: Dedup(key: "alert"))
            let reservation = Reservation(lease: world.newLease(), queues: [queue])
            let held = try await world.store.submit(duplicate, idempotency: nil, gate: gate, reservation: reservation)
            try expect(held.leased, is: [], "batches of a duplicate")
        },
        Check("a submission that shares its transaction with one that fails begins once") { world in
            let (app, queue) = try await world.queueWithAnn()
            let record = try await world.idempotency("1")
            let mismatch = IdempotencyRecord(
                key: record.key,
                route: record.route,
                value: record.value,
                bodyHash: SecretHash(of: "another body")
            )
            let gate = Gate(app: app.row, queues: [queue])
            try await withThrowingTaskGroup(of: [RowID<Batch>].self) { group in
                for index in 0..<20 {
                    group.addTask {
                        let draft = world.draft(app, to: .users(["ann"]))
                        let reservation = Reservation(lease: world.newLease(), queues: [queue])
                        let key = index < 10 ? nil : index.isMultiple(of: 2) ? record : mismatch
                        do {
                            return try await world.store.submit(
                                draft,
                                idempotency: key,
                                gate: gate,
                                reservation: reservation
                            )
                            .leased.map(\.row)
                        } catch let failure as Failure where failure.detail.code == .idempotencyMismatch {
                            return []
                        }
                    }
                }
                let leased = try await group.reduce(into: []) { $0 += $1 }
                try expect(Set(leased).count, is: leased.count, "batches, each once")
                try expect(leased.count, is: 11, "as many as submissions were made")
                try expect(try await world.lease(queue).count, is: 0, "batches that are not leased")
            }
        },
    ]
}

extension World {
    /// Records a settlement with a commit of others.
    fileprivate func settleSoon(_ settlement: Settlement) async throws {
        try await withCheckedThrowingContinuation { done in
            store.settleSoon(settlement) { done.resume(with: $0) }
        }
    }

    /// A queue, and a user with two endpoints in it.
    fileprivate func queueWithAnn(app name: String = "com.example.app") async throws -> (App, DeliveryQueue) {
        let app = try await makeApp(name)
        let queue = try await makeQueue(app)
        for number in [2, 1] { try await register(app, number, user: "ann") }
        return (app, queue)
    }

    /// Submits to that user with a reservation.
    fileprivate func begin(_ app: App, _ queue: DeliveryQueue, _ reservation: Reservation) async throws -> Submitted {
        try await store.submit(
            draft(app, to: .users(["ann"])),
            idempotency: nil,
            gate: Gate(app: app.row, queues: [queue]),
            reservation: reservation
        )
    }
}
