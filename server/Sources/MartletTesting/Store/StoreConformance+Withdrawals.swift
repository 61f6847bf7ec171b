import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What is taken back from who has read it.
    static let withdrawals: [Check] = [
        Check("a batch that is leased leaves out the users from whom its notification was withdrawn, and says why") {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let phone = try await world.register(app, 1, user: "ann")
            let tablet = try await world.register(app, 2, user: "ann")
            let others = [try await world.register(app, 3, user: "bob"), try await world.register(app, 4)]
            let sent = try await world.send(app)
            try await world.withdraw(world.user(of: phone), sent.row)
            try await world.withdraw(world.user(of: phone), sent.row)
            let leased = try await world.leaseOne(queue)
            try expect(leased.batch.members.map(\.endpoint), is: others.map(\.row), "members")
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(pending: 2, suppressed: 2), "counts")
            let reports = try await world.store.suppressions(sent.row, PageRequest()).items
            try expect(reports.map(\.endpoint), is: [phone.id, tablet.id], "endpoints")
            try expect(reports.map(\.reason), is: ["read_in_inbox", "read_in_inbox"], "reasons")
            try await world.settle(leased)
            let counts = try await world.read(sent.id).counts
            try expect(counts, is: DeliveryCounts(accepted: 2, suppressed: 2), "counts in the end")
        },
        Check("a batch of which nobody is left is gone, and what stands behind it is leased") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let phone = try await world.register(app, 1, user: "ann")
            let withdrawn = try await world.send(app)
            let next = try await world.send(app)
            try await world.withdraw(world.user(of: phone), withdrawn.row)
            let leased = try await world.lease(queue, limit: 1)
            try expect(leased.map(\.batch.notification), is: [next.row], "what is leased")
            try expect(try await world.read(withdrawn.id).state, is: .done, "state")
            try expect(try await world.read(withdrawn.id).counts, is: DeliveryCounts(suppressed: 1), "counts")
        },
        Check("what waits for a retry or in a paused queue can be withdrawn, what was accepted stays accepted") {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let phones = [
                try await world.register(app, 1, user: "ann"), try await world.register(app, 2, user: "bob"),
            ]
            let sent = try await world.send(app)
            let first = try await world.leaseOne(queue)
            var settlement = first.settlement
            settlement.results = [world.result(first.batch.members[0])]
            let retry = world.now + .seconds(60)
            settlement.retries = [
                BatchDraft(
                    queue: queue,
                    isEnvironmentKnown: true,
                    attempts: 1,
                    notBefore: retry,
                    members: [first.batch.members[1]]
                )
            ]
            try await world.store.settle(settlement)
            for phone in phones { try await world.withdraw(world.user(of: phone), sent.row) }
            world.clock.advance(to: retry)
            try expect(try await world.lease(queue).isEmpty, "nothing is left to send")
            let counts = try await world.read(sent.id).counts
            try expect(counts, is: DeliveryCounts(accepted: 1, suppressed: 1), "counts")
        },
        Check("an answer that comes after a withdrawal takes precedence over it") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let phone = try await world.register(app, 1, user: "ann")
            let sent = try await world.send(app)
            let lost = try await world.leaseOne(queue)
            world.clock.advance(by: Lease.duration)
            try await world.withdraw(world.user(of: phone), sent.row)
            try expect(try await world.lease(queue).isEmpty, "nothing is left to send")
            try await world.settle(lost)
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(accepted: 1), "counts")
        },
        Check("who has read it keeps the claim, and one notification's withdrawal is none of another's") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let phone = try await world.register(app, 1, user: "ann")
            let sent = try await world.send(app, dedup: Dedup(key: "alert"))
            try await world.withdraw(world.user(of: phone), sent.row)
            try expect(try await world.lease(queue).isEmpty, "nothing is left to send")
            let again = try await world.send(app, dedup: Dedup(key: "alert"))
            try expect(again.counts, is: DeliveryCounts(suppressed: 1), "the same once more")
            let other = try await world.send(app, dedup: Dedup(key: "another alert"))
            try expect(try await world.leaseOne(queue).batch.notification, is: other.row, "another one")
        },
    ]
}

extension World {
    /// Whose an endpoint is.
    func user(of endpoint: Endpoint) throws -> RowID<User> {
        try unwrap(endpoint.user?.row, "the user of endpoint \(endpoint.row)")
    }
}
