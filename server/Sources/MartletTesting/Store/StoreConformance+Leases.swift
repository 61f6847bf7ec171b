import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Leases of batches.
    static let leases: [Check] = [
        Check("batches are leased most urgent and oldest first, each once, in their own queue") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let sandbox = try await world.makeQueue(app, .sandbox)
            try await world.register(app, 1)
            try await world.register(app, 2, environment: .sandbox)
            var made: [NotificationClass: [PublicID]] = [:]
            for each in [NotificationClass.bulk, .transactional, .default, .transactional] {
                made[each, default: []].append(try await world.send(app, class: each).id)
            }
            let expected = [NotificationClass.transactional, .default, .bulk].flatMap { made[$0] ?? [] }
            try expect(Set(try await world.store.dueWork().queues), is: [queue, sandbox], "queues")
            let leased = try await world.lease(queue, limit: 3) + (try await world.lease(queue, limit: 3))
            try expect(leased.map(\.batch.notificationID), is: expected, "order")
            try expect(leased.allSatisfy { $0.batch.queue == queue && $0.batch.isEnvironmentKnown }, "a batch's queue")
            try expect(try await world.store.dueWork().queues, is: [sandbox], "queues that are left")
            try expect(try await world.lease(sandbox).count, is: 4, "the other queue's batches")
        },
        Check("batches of one class are leased alone, and it is known where a transactional one is due") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            for each in [NotificationClass.bulk, .default] { _ = try await world.send(app, class: each) }
            try expect(try await world.store.dueWork(), is: DueWork(queues: [queue], next: nil), "due without one")
            let urgent = try await world.send(app, class: .transactional)
            let due = DueWork(queues: [queue], urgent: [queue], next: nil)
            try expect(try await world.store.dueWork(), is: due, "due with one")
            let lease = { (only: NotificationClass) async throws -> [Batch] in
                try await world.store.leaseBatches(queue, capacity: BatchCapacity(only: only), lease: world.newLease())
                    .batches
            }
            try expect(try await lease(.bulk).map(\.class), is: [.bulk], "bulk")
            try expect(try await lease(.transactional).map(\.notificationID), is: [urgent.id], "transactional")
            try expect(try await lease(.transactional), is: [], "a second time")
            try expect(try await world.store.dueWork(), is: DueWork(queues: [queue], next: nil), "due after it")
            try expect(try await world.lease(queue).map(\.batch.class), is: [.default], "the rest")
        },
        Check("as many batches are leased as there is capacity for their deliveries, small ones count for more") {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...30 { try await world.register(app, number) }
            for _ in 0..<5 { _ = try await world.send(app) }
            let lease = { (capacity: BatchCapacity) async throws -> Int in
                try await world.store.leaseBatches(queue, capacity: capacity, lease: world.newLease())
                    .batches.count
            }
            try expect(try await lease(BatchCapacity(deliveries: 0)), is: 0, "batches without capacity")
            try expect(
                try await lease(BatchCapacity(deliveries: 31)),
                is: 2,
                "batches of thirty where there is capacity for one"
            )
            try expect(try await lease(BatchCapacity(batches: 2)), is: 2, "batches as they are counted")
            let alone = try await world.register(app, 31, user: "ann")
            for _ in 0..<3 { _ = try await world.send(app, to: .endpoints([alone.id])) }
            try expect(
                try await lease(BatchCapacity(deliveries: BatchCapacity.leastWeight)),
                is: 1,
                "the older one of thirty"
            )
            try expect(
                try await lease(BatchCapacity(deliveries: 2 * BatchCapacity.leastWeight)),
                is: 2,
                "batches of one"
            )
        },
        Check("a batch says what its notification came of, after a retry as well") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            try expect(try await world.leaseOne(queue).batch.origin, is: .caller, "what somebody asked for")
            var draft = world.draft(app)
            draft.origin = .deliveryFailure
            _ = try await world.submit(draft)
            try await world.fanOut()
            let leased = try await world.leaseOne(queue)
            try expect(leased.batch.origin, is: .deliveryFailure, "what tells of a failure")
            try await world.settle(leased, .dead, reason: "late")
            let letter = try unwrap(try await world.store.failedWork(DeadLetter.self).items.first, "dead letter")
            _ = try await world.store.retry(DeadLetter.self, letter.id)
            try expect(try await world.leaseOne(queue).batch.origin, is: .deliveryFailure, "again")
        },
        Check("a retry keeps the age of its notification: it goes before what was accepted after it") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            let first = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            world.clock.advance(by: .seconds(1))
            let second = try await world.send(app)
            var settlement = leased.settlement
            settlement.retries = [
                BatchDraft(queue: queue, isEnvironmentKnown: true, attempts: 1, members: leased.batch.members)
            ]
            try await world.store.settle(settlement)
            let order = try await world.lease(queue).map(\.batch.notificationID)
            try expect(order, is: [first.id, second.id], "order")
        },
        Check("a batch carries what its attempt needs") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let ann = try await world.register(app, 1, user: "ann", environment: nil)
            let anonymous = try await world.register(app, 2, environment: nil)
            var draft = world.draft(app, lifetime: .seconds(100))
            draft.retry.maxAttempts = 7
            let sent = try await world.submit(draft)
            try await world.fanOut()
            let batch = try await world.leaseOne(queue).batch
            try expect(batch.notification, is: sent.row, "notification")
            try expect(batch.notificationID, is: sent.id, "notification's id")
            try expect(batch.isEnvironmentKnown, is: false, "whether the environment is known")
            try expect(batch.attempts, is: 0, "attempts")
            try expect(batch.expiresAt, is: draft.expiresAt, "expiry")
            try expect(batch.isCancelled, is: false, "whether it is cancelled")
            try expect(batch.retry, is: draft.retry, "retry policy")
            let members = [
                Member(endpoint: ann.row, user: ann.user?.row), Member(endpoint: anonymous.row, user: nil),
            ]
            try expect(batch.members, is: members, "members")
        },
        Check("a lease ends by itself, lasts as long as it is renewed, and is lost to the next holder") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            let first = try await world.leaseOne(queue)
            world.clock.advance(by: Lease.duration - .milliseconds(1))
            try expect(try await world.lease(queue).isEmpty, "a held batch is leased")
            let row = first.batch.row
            try expect(try await world.store.renew([row, RowID(99)], lease: first.lease), is: [row], "renewed")
            world.clock.advance(by: Lease.duration - .milliseconds(1))
            try expect(
                try await world.store.dueWork(),
                is: DueWork(queues: [], next: world.now + .milliseconds(1)),
                "due"
            )
            world.clock.advance(by: .milliseconds(1))
            let second = try await world.leaseOne(queue)
            try expect(second.batch.members, is: first.batch.members, "members")
            try expect(try await world.store.renew([row], lease: first.lease), is: [], "renewed by the first holder")
            try expect(
                try await world.store.renew([row], lease: second.lease),
                is: [row],
                "renewed by the second holder"
            )
        },
        Check(
            "a process is not leased what it holds itself, but a lease of its own that nobody renews, once it was longer"
        ) {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            for _ in 0..<3 { _ = try await world.send(app) }
            let lease = { (process: Int64, limit: Int) async throws -> [Batch] in
                try await world.store.leaseBatches(queue, limit: limit, lease: Lease.new(process: process))
            }
            let held = Lease(process: 1, holder: 7)
            let first = try await world.store.leaseBatches(queue, limit: 2, lease: held)
            world.clock.advance(by: .seconds(3_600))
            let second = try await lease(1, 1)
            try expect(second.count, is: 1, "batches behind its own")
            try expect(second.contains(where: first.contains), is: false, "one of its own is leased")
            try expect(try await lease(2, 10), is: [], "leased by another process, although they are longer now")
            try expect(try await world.store.renew([first[0].row], lease: held), is: [first[0].row], "renewed")
            world.clock.advance(by: Lease.duration)
            try expect(try await lease(1, 10).map(\.row), is: [first[1].row], "what nobody has renewed")
            try expect(try await lease(2, 10), is: [], "leased by another process, although they are longer again")
            world.clock.advance(by: Lease.duration)
            try expect(
                try await lease(2, 10).map(\.row).sorted(),
                is: (first + second).map(\.row).sorted(),
                "what another process gets"
            )
        },
        Check("when the clock is set back, leases and waits last as long as before, and what is scheduled stays") {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...2 { try await world.register(app, number) }
            _ = try await world.send(app)
            let waiting = try await world.leaseOne(queue)
            var settlement = waiting.settlement
            settlement.results = [world.result(waiting.batch.members[0])]
            let retry = BatchDraft(
                queue: queue,
                isEnvironmentKnown: true,
                attempts: 1,
                notBefore: world.now + .seconds(60),
                members: [waiting.batch.members[1]]
            )
            settlement.retries = [retry]
            try await world.store.settle(settlement)
            _ = try await world.send(app)
            let held = try await world.leaseOne(queue)
            var draft = world.draft(app)
            draft.sendAt = world.now + .seconds(90)
            let scheduled = try await world.submit(draft)
            _ = try await world.submit(world.draft(app))
            let read = try await world.store.leaseFanOuts(limit: 10, lease: world.newLease())
            try expect(read.count, is: 1, "audiences that are read")
            let moment = world.now
            world.clock.set(by: .seconds(-3_600))
            try await world.store.clockWasSetBack(by: .seconds(3_600))
            world.clock.advance(by: Lease.duration - .milliseconds(1))
            try expect(try await world.lease(queue).isEmpty, "a held batch is leased")
            try expect(try await world.store.leaseFanOuts(limit: 10, lease: world.newLease()), is: [], "fan-outs")
            world.clock.advance(by: .milliseconds(1))
            let again = try await world.leaseOne(queue)
            try expect(again.batch.row, is: held.batch.row, "the lease's end")
            try await world.settle(again)
            try expect(try await world.store.leaseFanOuts(limit: 10, lease: world.newLease()).count, is: 1, "one's end")
            world.clock.advance(by: .seconds(30) - .milliseconds(1))
            try expect(try await world.lease(queue).isEmpty, "a retry before its time")
            world.clock.advance(by: .milliseconds(1))
            let retried = try await world.leaseOne(queue).batch
            try expect(retried.members, is: retry.members, "the retry")
            world.clock.advance(to: moment + .seconds(90))
            let due = try await world.store.leaseFanOuts(limit: 10, lease: world.newLease())
            try expect(due.map(\.notification.id).contains(scheduled.id), "what was scheduled")
        },
        Check("concurrent workers never hold the same batch") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            for _ in 0..<12 { _ = try await world.send(app) }
            let rows = try await withThrowingTaskGroup(of: [RowID<Batch>].self) { group in
                for _ in 0..<8 { group.addTask { try await world.lease(queue, limit: 2).map(\.batch.row) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try expect(rows.count, is: 12, "leased batches")
            try expect(Set(rows).count, is: 12, "different batches")
        },
        Check("targets show the endpoints as they are now") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            _ = try await world.register(app, 1, user: "ann")
            let disabled = try await world.register(app, 2)
            _ = try await world.register(app, 3)
            _ = try await world.send(app)
            let batch = try await world.leaseOne(queue).batch
            let bobs = try await world.register(app, 1, user: "bob", environment: .sandbox)
            _ = try await world.store.updateEndpoint(disabled.row, EndpointUpdate(status: .disabled(.byRequest)))
            var rotation = Registration(app: app.row, platform: .apns, token: world.token(4), environment: .production)
            rotation.previousToken = world.token(3)
            _ = try await world.store.register(rotation)
            let targets = try await world.store.context(of: batch).targets
            try expect(
                targets,
                is: [
                    TargetState(
                        token: world.token(1),
                        user: bobs.user?.row,
                        status: .enabled,
                        environment: .sandbox
                    ),
                    TargetState(
                        token: world.token(2),
                        user: nil,
                        status: .disabled,
                        environment: .production
                    ),
                    TargetState(
                        token: world.token(4),
                        user: nil,
                        status: .enabled,
                        environment: .production
                    ),
                ],
                "targets"
            )
            var unknown = batch
            unknown.members = [Member(endpoint: RowID(99), user: nil)]
            try expect(try await world.store.context(of: unknown).targets, is: [nil], "an endpoint that does not exist")
        },
        Check("nothing is due in an empty store") { world in
            try expect(try await world.store.dueWork(), is: DueWork(queues: [], next: nil), "due work")
            let queue = DeliveryQueue(app: RowID(1), platform: .apns, environment: .production)
            try expect(try await world.lease(queue).isEmpty, "there is a batch")
            try expect(try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()), is: [], "fan-outs")
        },
    ]
}
