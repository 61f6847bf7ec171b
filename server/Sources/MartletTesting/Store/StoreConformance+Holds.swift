import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// People who are sent to later.
    static let holds: [Check] = [
        Check("people who are held are leased once when they are due, and due work says when that is") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let phone = try await world.register(app, 1, user: "ann")
            let anonymous = try await world.register(app, 2)
            let sent = try await world.submit(world.draft(app))
            let rule = world.rule(after: .seconds(60))
            try expect(try await world.readDue(hold: rule).map(\.hold), is: [nil], "the audience")
            try expect(try await world.read(sent.id).state, is: .sending, "state")
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(), "counts while they are held")
            try expect(try await world.store.waitingDeliveries(), is: WaitingDeliveries(), "waiting deliveries")
            try expect(try await world.store.dueWork(), is: DueWork(queues: [], next: rule.until), "due work")
            world.clock.advance(to: rule.until - .milliseconds(1))
            try expect(try await world.store.leaseFanOuts(limit: 9, lease: world.newLease()), is: [], "too early")
            world.clock.advance(to: rule.until)
            let leased = try await world.store.leaseFanOuts(limit: 9, lease: world.newLease())
            try expect(leased.map(\.notification.row), is: [sent.row], "in time")
            let people = Set(try unwrap(leased.first?.hold, "hold").people)
            try expect(people, is: [.user(try world.user(of: phone)), .endpoint(anonymous.row)], "people")
            try expect(try await world.store.leaseFanOuts(limit: 9, lease: world.newLease()), is: [], "once more")
            try await world.store.endLease(.releaseFanOut(leased[0]))
            try expect(try await world.readDue(pageSize: 1).count, is: 1, "given back")
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(pending: 2), "counts when they are due")
            try await world.deliver(queue)
            try expect(try await world.read(sent.id).state, is: .done, "state in the end")
            try expect(try await world.store.dueWork(), is: DueWork(queues: [], next: nil), "due work in the end")
        },
        Check("parts fill up the last hold of their moment, and nobody stands in two") { world in
            let app = try await world.makeApp()
            _ = try await world.submit(world.draft(app))
            let (rule, other) = (world.rule(after: .seconds(60)), world.rule(after: .seconds(61)))
            var position = try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()).first
            let parts: [(rule: HoldRule, users: ClosedRange<Int64>)] = [
                (rule, 1...600), (other, 601...700), (rule, 600...1_200), (other, 701...710),
            ]
            for (index, part) in parts.enumerated() {
                let people = part.users.map { Subject.user(RowID($0)) }
                let isLast = index == parts.count - 1
                let page = GatedPage(
                    batches: [],
                    suppressions: [],
                    holds: [HoldDraft(rule: part.rule, times: 1, people: people)],
                    next: isLast ? nil : FanOut.Cursor(major: Int64(index) + 1)
                )
                position = try await world.store.commit(page, of: try unwrap(position, "part \(index)"))
            }
            world.clock.advance(to: rule.until)
            let due = try await world.store.leaseFanOuts(limit: 9, lease: world.newLease()).compactMap(\.hold)
            try expect(due.map(\.people.count).sorted(), is: [200, Hold.peopleLimit], "people of holds")
            try expect(Set(due.flatMap(\.people)), is: Set((1...1_200).map { .user(RowID($0)) }), "people")
            world.clock.advance(to: other.until)
            let later = try await world.store.leaseFanOuts(limit: 9, lease: world.newLease()).compactMap(\.hold)
            try expect(later.map(\.people), is: [(601...710).map { .user(RowID($0)) }], "people of another moment")
        },
        Check("the devices that people have when they are due are sent to: new ones too, and none that is gone") {
            world in
            let app = try await world.makeApp()
            let old = try await world.register(app, 1, user: "ann")
            let gone = try await world.register(app, 2, user: "bob")
            let sent = try await world.submit(world.draft(app, to: .users(["ann", "bob", "carl", "dora"])))
            let rule = world.rule(after: .seconds(60))
            try await world.readDue(hold: rule)
            let tablet = try await world.register(app, 3, user: "ann")
            let first = try await world.register(app, 4, user: "carl")
            _ = try await world.store.updateEndpoint(gone.row, EndpointUpdate(status: .removed(.byRequest)))
            world.clock.advance(to: rule.until)
            try await world.readDue(pageSize: 1)
            let counts = try await world.read(sent.id).counts
            try expect(counts, is: DeliveryCounts(pending: 3, suppressed: 2), "counts")
            let deliveries = try await world.store.deliveries(sent.row, PageRequest()).items
            try expect(deliveries.map(\.endpoint), is: [old.id, tablet.id, first.id], "endpoints")
            let suppressions = try await world.store.suppressions(sent.row, PageRequest()).items
            try expect(suppressions.map(\.user), is: ["bob", "dora"], "who has none")
            try expect(suppressions.map(\.reason), is: ["no_endpoint", "no_endpoint"], "reasons")
        },
        Check("an endpoint that has it already does not get it again from a user who was held") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let anns = try await world.register(app, 1, user: "ann")
            let bobs = try await world.register(app, 2, user: "bob")
            let fanOut = try await world.begin(app, .users(["ann", "bob"]))
            let rest = try unwrap(try await world.readOne(fanOut), "rest")
            let rule = world.rule(after: .seconds(60))
            try await world.readToEnd(rest, hold: rule)
            try await world.deliver(queue)
            _ = try await world.store.updateEndpoint(anns.row, EndpointUpdate(owner: .user("bob")))
            world.clock.advance(to: rule.until)
            try await world.readDue()
            let counts = try await world.read(fanOut.notification.id).counts
            try expect(counts, is: DeliveryCounts(pending: 1, accepted: 1), "counts")
            try expect(try await world.leaseOne(queue).batch.members.map(\.endpoint), is: [bobs.row], "members")
        },
        Check("a device that was named itself is held without the others of its user") { world in
            let app = try await world.makeApp()
            let phone = try await world.register(app, 1, user: "ann")
            try await world.register(app, 2, user: "ann")
            let sent = try await world.submit(world.draft(app, to: .endpoints([phone.id])))
            let rule = world.rule(after: .seconds(60))
            try await world.readDue(hold: rule)
            world.clock.advance(to: rule.until)
            try await world.readDue()
            let deliveries = try await world.store.deliveries(sent.row, PageRequest()).items
            try expect(deliveries.map(\.endpoint), is: [phone.id], "endpoints")
        },
    ]

    /// How holds end, and what they keep others from.
    static let holdEnds: [Check] = [
        Check("who is held has the claim, and passes it when due") { world in
            let app = try await world.makeApp()
            let dedup = Dedup(key: "alert")
            try await world.register(app, 1, user: "ann")
            let held = try await world.submit(world.draft(app, to: .users(["ann", "bob"]), dedup: dedup))
            let rule = world.rule(after: .seconds(60))
            try await world.readDue(hold: rule)
            let second = try await world.send(app, to: .users(["ann"]), dedup: dedup)
            try expect(second.counts, is: DeliveryCounts(suppressed: 1), "another one meanwhile")
            let third = try await world.submit(world.draft(app, to: .users(["ann", "bob"]), dedup: dedup))
            try await world.readDue(hold: rule)
            try expect(try await world.read(third.id).state, is: .done, "one that would be held")
            let reports = try await world.store.suppressions(third.row, PageRequest()).items
            try expect(reports.map(\.user), is: ["ann", "bob"], "each person once")
            try expect(reports.map(\.heldBy), is: [held.id, held.id], "holders")
            world.clock.advance(to: rule.until)
            try await world.readDue()
            let counts = try await world.read(held.id).counts
            try expect(counts, is: DeliveryCounts(pending: 1, suppressed: 1), "the one that was held")
        },
        Check("nobody is held more often than the limit, or until the end") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let dedup = Dedup(key: "alert")
            let sent = try await world.submit(world.draft(app, dedup: dedup))
            for times in 0..<Hold.limit {
                let rule = world.rule(after: .seconds(60))
                try expect(try await world.readDue(hold: rule).map { $0.hold?.times ?? 0 }, is: [times], "times")
                world.clock.advance(to: rule.until)
            }
            try await world.readDue(hold: world.rule(after: .seconds(60)))
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(suppressed: 1), "counts")
            try expect(try await world.read(sent.id).state, is: .done, "state")
            let reports = try await world.store.suppressions(sent.row, PageRequest()).items
            try expect(reports.map(\.user), is: ["ann"], "user")
            try expect(reports.map(\.endpoint), is: [nil], "endpoint")
            try expect(reports.map(\.reason), is: ["quiet_hours"], "reason")
            try expect(try await world.send(app, dedup: dedup).counts.pending, is: 1, "the claim is given back")
            let ending = try await world.submit(world.draft(app, lifetime: .seconds(60)))
            try await world.readDue(hold: world.rule(after: .seconds(60)))
            try expect(try await world.read(ending.id).counts, is: DeliveryCounts(suppressed: 1), "until the end")
        },
        Check("what was held is due until the end of the notification, and expires then") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1, user: "ann")
            let sent = try await world.submit(world.draft(app, lifetime: .seconds(100)))
            let rule = world.rule(after: .seconds(60))
            try await world.readDue(hold: rule)
            world.clock.advance(to: rule.until)
            try await world.readDue()
            try expect(try await world.leaseOne(queue).batch.expiresAt, is: sent.expiresAt, "end")
            world.clock.advance(to: sent.expiresAt)
            while try await !world.store.expire(limit: 1, process: 0).batches.isEmpty {}
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(expired: 1), "counts")
        },
        Check("people of a cancelled notification are due at once, and are recorded as cancelled") { world in
            let app = try await world.makeApp()
            let dedup = Dedup(key: "alert")
            for number in 1...2 { try await world.register(app, number, user: "user\(number)") }
            let sent = try await world.submit(world.draft(app, dedup: dedup))
            try await world.readDue(hold: world.rule(after: .seconds(60)))
            try expect(try await world.store.cancel(sent.row).state, is: .cancelled, "state")
            try expect(try await world.readDue().count, is: 1, "holds")
            while try await !world.store.expire(limit: 1, process: 0).batches.isEmpty {}
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(cancelled: 2), "counts")
            try expect(try await world.send(app, dedup: dedup).counts.pending, is: 2, "the claims are given back")
        },
        Check("a hold that comes to nothing is quarantined by itself, and retried or ended with its notification") {
            world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let sent = try await world.submit(world.draft(app, lifetime: .seconds(10_000)))
            let rule = world.rule(after: .seconds(60))
            try await world.readDue(hold: rule)
            world.clock.advance(to: rule.until)
            for _ in 0..<LeaseAdmission.limit {
                let leased = try await world.store.leaseFanOuts(limit: 1, lease: world.newLease())
                try expect(leased.count, is: 1, "holds")
                world.clock.advance(by: Lease.duration)
            }
            try expect(try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()), is: [], "once more")
            let work = try unwrap(
                try await world.store.failedWork(QuarantinedWork.self).items.first,
                "quarantined work"
            )
            try expect(work.notification, is: sent.id, "notification")
            _ = try await world.store.retry(QuarantinedWork.self, work.id)
            try await world.readDue(hold: world.rule(after: .seconds(60)))
            world.clock.advance(by: .seconds(60))
            for _ in 0...LeaseAdmission.limit {
                _ = try await world.store.leaseFanOuts(limit: 1, lease: world.newLease())
                world.clock.advance(by: Lease.duration)
            }
            world.clock.advance(to: sent.expiresAt)
            try expect(try await world.store.expire(limit: 8, process: 0).fanOuts, is: 1, "what ends")
            try expect(try await world.read(sent.id).state, is: .done, "state")
            try expect(try await world.store.failedWork(QuarantinedWork.self).items, is: [], "what is left")
        },
        Check("a notification is kept while people are held, and goes with them when its app is deleted") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let sent = try await world.submit(world.draft(app))
            try await world.readDue(hold: world.rule(after: .seconds(60)))
            let later = world.now + .seconds(1_000_000)
            _ = try await world.store.purge(.notifications, before: later, limit: 100)
            try expect(try await world.read(sent.id).state, is: .sending, "state")
            try await world.store.deleteApp(app.row)
            world.clock.advance(by: .seconds(60))
            try expect(try await world.store.leaseFanOuts(limit: 9, lease: world.newLease()), is: [], "holds")
            try expect(try await world.store.notification(sent.id), is: nil, "notification")
        },
    ]
}

extension World {
    /// Quiet hours that end so long from now.
    func rule(after duration: Duration) -> HoldRule { HoldRule(until: now + duration, reason: .quietHours) }

    /// Reads all that is due to its end: delivers to everybody, or holds them. Says what it was.
    @discardableResult
    func readDue(pageSize: Int = 1_000, hold rule: HoldRule? = nil) async throws -> [FanOut] {
        let leased = try await store.leaseFanOuts(limit: 100, lease: newLease())
        for fanOut in leased { try await readToEnd(fanOut, pageSize: pageSize, hold: rule) }
        return leased
    }

    /// Reads the rest of an audience or a hold, and holds everybody.
    func readToEnd(_ fanOut: FanOut, pageSize: Int = 1_000, hold rule: HoldRule?) async throws {
        var position: FanOut? = fanOut
        while let current = position {
            let page = try await store.audience(of: current, limit: pageSize)
            var gate = gate(of: current.notification.app)
            gate.person = PersonGate(current)
            gate.person.hold = rule
            position = try await store.commit(gate.decide(page), of: current)
        }
    }
}
