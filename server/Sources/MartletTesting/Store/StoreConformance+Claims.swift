import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// The dedup decision.
    static let claims: [Check] = [
        Check("all of a user's devices pass, in one part or in several") { world in
            let app = try await world.makeApp()
            for number in 1...3 { try await world.register(app, number, user: "ann") }
            for (index, pageSize) in [100, 1].enumerated() {
                let sent = try await world.submit(world.draft(app, dedup: Dedup(key: "alert\(index)")))
                try await world.fanOut(pageSize: pageSize)
                let counts = try await world.read(sent.id).counts
                try expect(counts, is: DeliveryCounts(pending: 3), "counts in parts of \(pageSize)")
            }
        },
        Check("a subject whose key another notification holds is a duplicate that names the holder") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let known = try await world.register(app, 1, user: "ann")
            let anonymous = try await world.register(app, 2)
            let first = try await world.send(app, dedup: Dedup(key: "alert"))
            try await world.register(app, 3, user: "bob")
            let second = try await world.send(app, dedup: Dedup(key: "alert"))
            try expect(second.counts, is: DeliveryCounts(pending: 1, suppressed: 2), "counts")
            let reports = try await world.store.suppressions(second.row, PageRequest()).items
            try expect(reports.map(\.endpoint), is: [known.id, anonymous.id], "endpoints")
            try expect(reports.map(\.reason), is: ["duplicate", "duplicate"], "reasons")
            try expect(reports.map(\.heldBy), is: [first.id, first.id], "holders")
            let other = try await world.send(app, dedup: Dedup(key: "another alert"))
            try expect(other.counts, is: DeliveryCounts(pending: 3), "counts under another key")
            try expect(try await world.send(app).counts, is: DeliveryCounts(pending: 3), "counts without a key")
            try await world.deliver(queue)
            try expect(try await world.read(second.id).state, is: .done, "state")
        },
        Check("of many subjects just those are duplicates that another notification holds") { world in
            let app = try await world.makeApp()
            let held = Set(stride(from: 1, through: 100, by: 7))
            var endpoints: [PublicID] = []
            for number in held.sorted() {
                endpoints.append(try await world.register(app, number, user: "user\(number)").id)
            }
            let first = try await world.send(app, dedup: Dedup(key: "alert"))
            for number in 1...100 where !held.contains(number) {
                // Every third has no user and is claimed by itself.
                try await world.register(app, number, user: number.isMultiple(of: 3) ? nil : "user\(number)")
            }
            let second = try await world.send(app, dedup: Dedup(key: "alert"))
            let free = 100 - held.count
            try expect(second.counts, is: DeliveryCounts(pending: free, suppressed: held.count), "counts")
            let reports = try await world.store.suppressions(second.row, PageRequest()).items
            try expect(Set(reports.compactMap(\.endpoint)), is: Set(endpoints), "endpoints")
            try expect(Set(reports.map(\.heldBy)), is: [first.id], "holders")
        },
        Check("another app's claim under the same key does not count") { world in
            for name in ["one", "two"] {
                let app = try await world.makeApp(name)
                try await world.register(app, 1, user: "ann")
                let sent = try await world.send(app, dedup: Dedup(key: "alert"))
                try expect(sent.counts, is: DeliveryCounts(pending: 1), "counts of \(name)")
            }
        },
        Check("a claim moves when the asking notification's cooldown is over, and not before") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let dedup = Dedup(key: "alert", cooldown: .seconds(60))
            _ = try await world.send(app, dedup: dedup)
            world.clock.advance(by: .seconds(60) - .milliseconds(1))
            try expect(try await world.send(app, dedup: dedup).counts.suppressed, is: 1, "within the cooldown")
            let longer = Dedup(key: "alert", cooldown: .seconds(61))
            world.clock.advance(by: .milliseconds(1))
            try expect(try await world.send(app, dedup: longer).counts.suppressed, is: 1, "within a longer cooldown")
            let holder = try await world.send(app, dedup: dedup)
            try expect(holder.counts, is: DeliveryCounts(pending: 1), "after the cooldown")
            let next = try await world.send(app, dedup: dedup)
            let report = try await world.store.suppressions(next.row, PageRequest()).items.first
            try expect(report?.heldBy, is: holder.id, "who holds the claim now")
        },
        Check("a claim for ever never moves") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let dedup = Dedup(key: "alert", cooldown: nil)
            _ = try await world.send(app, dedup: dedup)
            world.clock.advance(by: .seconds(1_000_000_000))
            try expect(try await world.send(app, dedup: dedup).counts.suppressed, is: 1, "after thirty years")
        },
        Check("an own claim passes a cooldown that is shorter than the fan-out, and keeps its time") { world in
            let app = try await world.makeApp()
            for number in 1...2 { try await world.register(app, number, user: "ann") }
            let dedup = Dedup(key: "alert", cooldown: .seconds(10))
            let sent = try await world.submit(world.draft(app, dedup: dedup))
            let fanOut = try unwrap(
                try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()).first,
                "fan-out"
            )
            let first = try await world.store.audience(of: fanOut, limit: 1)
            let rest = try unwrap(try await world.store.commit(world.gated(first, app.row), of: fanOut), "rest")
            world.clock.advance(by: .seconds(9))
            let second = try await world.store.audience(of: rest, limit: 10)
            _ = try await world.store.commit(world.gated(second, app.row), of: rest)
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(pending: 2), "counts")
            world.clock.advance(by: .seconds(1))
            let next = try await world.send(app, dedup: dedup)
            try expect(next.counts, is: DeliveryCounts(pending: 2), "counts ten seconds after the claim")
        },
        Check("of notifications that claim the same subjects at the same time one wins each") { world in
            let app = try await world.makeApp()
            for number in 0..<40 { try await world.register(app, number, user: "user\(number % 20)") }
            for _ in 0..<4 { _ = try await world.submit(world.draft(app, dedup: Dedup(key: "alert"))) }
            let fanOuts = try await world.store.leaseFanOuts(limit: 4, lease: world.newLease())
            try expect(fanOuts.count, is: 4, "fan-outs")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for fanOut in fanOuts {
                    group.addTask {
                        var position: FanOut? = fanOut
                        while let current = position {
                            let page = try await world.store.audience(of: current, limit: 7)
                            position = try await world.store.commit(world.gated(page, app.row), of: current)
                        }
                    }
                }
                try await group.waitForAll()
            }
            var winners: [String: Set<PublicID>] = [:]
            for fanOut in fanOuts {
                let sent = fanOut.notification
                for report in try await world.store.deliveries(sent.row, PageRequest()).items
                where report.state == .pending { winners[report.user ?? "", default: []].insert(sent.id) }
            }
            try expect(winners.count, is: 20, "users that are reached")
            try expect(winners.values.allSatisfy { $0.count == 1 }, "a user is reached by two notifications")
        },
        Check("a notification gives back the claims of those whom it did not reach") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let failures: [DeliveryResult.State] = [.rejected, .expired, .cancelled, .dead]
            for (number, _) in failures.enumerated() { try await world.register(app, number, user: "user\(number)") }
            try await world.register(app, 10)
            try await world.register(app, 11, user: "reached")
            _ = try await world.send(app, dedup: Dedup(key: "alert"))
            let leased = try await world.leaseOne(queue)
            var settlement = leased.settlement
            let members = leased.batch.members
            settlement.results = zip(members, failures + [.rejected, .accepted]).map {
                world.result($0, $1, reason: "no")
            }
            try await world.store.settle(settlement)
            let second = try await world.send(app, dedup: Dedup(key: "alert"))
            try expect(second.counts, is: DeliveryCounts(pending: 5, suppressed: 1), "counts of the next one")
            let reports = try await world.store.suppressions(second.row, PageRequest()).items
            try expect(reports.map(\.user), is: ["reached"], "who was reached")
        },
        Check("one device that was reached keeps the user's claim") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...2 { try await world.register(app, number, user: "ann") }
            _ = try await world.send(app, dedup: Dedup(key: "alert"))
            let leased = try await world.leaseOne(queue)
            var settlement = leased.settlement
            settlement.results = zip(leased.batch.members, [.rejected, .accepted]).map { world.result($0, $1) }
            try await world.store.settle(settlement)
            let second = try await world.send(app, dedup: Dedup(key: "alert"))
            try expect(second.counts, is: DeliveryCounts(suppressed: 2), "counts of the next one")
        },
        Check("claims are given back at the end and not while a device of the user still waits") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...2 { try await world.register(app, number, user: "ann") }
            _ = try await world.send(app, dedup: Dedup(key: "alert"))
            let leased = try await world.leaseOne(queue)
            var settlement = leased.settlement
            settlement.results = [world.result(leased.batch.members[0], .rejected)]
            settlement.remaining = [leased.batch.members[1]]
            try await world.store.settle(settlement)
            let second = try await world.send(app, dedup: Dedup(key: "alert"))
            try expect(second.counts, is: DeliveryCounts(suppressed: 2), "counts while one waits")
            settlement.results = []
            settlement.suppressions = [
                Suppression(
                    endpoint: leased.batch.members[1].endpoint,
                    user: leased.batch.members[1].user,
                    reason: .endpointDisabled
                )
            ]
            settlement.remaining = []
            try await world.store.settle(settlement)
            let third = try await world.send(app, dedup: Dedup(key: "alert"))
            try expect(third.counts, is: DeliveryCounts(pending: 2), "counts after nobody was reached")
        },
        Check("a claim that is given back is not one that moved to another notification") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1, user: "ann")
            let dedup = Dedup(key: "alert", cooldown: .seconds(10))
            _ = try await world.send(app, dedup: dedup)
            let first = try await world.leaseOne(queue)
            world.clock.advance(by: .seconds(10))
            _ = try await world.send(app, dedup: dedup)
            try await world.settle(first, .rejected)
            try expect(try await world.send(app, dedup: dedup).counts, is: DeliveryCounts(suppressed: 1), "counts")
        },
    ]
}
