import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What a checkpoint records.
    static let settlement: [Check] = [
        Check("every state is counted and reported, and the last one ends the notification") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...7 { try await world.register(app, number) }
            let sent = try await world.send(app)
            try expect(sent.counts, is: DeliveryCounts(pending: 7), "counts before")
            let leased = try await world.leaseOne(queue)
            let members = leased.batch.members
            var settlement = leased.settlement
            settlement.results = zip(members, DeliveryResult.State.allCases).map {
                world.result($0, $1, reason: "\($1)")
            }
            settlement.suppressions = [
                Suppression(endpoint: members[5].endpoint, user: nil, reason: .endpointDisabled)
            ]
            settlement.remaining = [members[6]]
            try await world.store.settle(settlement)
            var counts = DeliveryCounts(
                pending: 1,
                accepted: 1,
                rejected: 1,
                suppressed: 1,
                expired: 1,
                cancelled: 1,
                dead: 1
            )
            let halfway = try await world.read(sent.id)
            try expect(halfway.counts, is: counts, "counts on the way")
            try expect(halfway.state, is: .sending, "state on the way")
            settlement = leased.settlement
            settlement.results = [world.result(members[6])]
            try await world.store.settle(settlement)
            counts.pending = 0
            counts.accepted = 2
            let over = try await world.read(sent.id)
            try expect(over.counts, is: counts, "counts at the end")
            try expect(over.state, is: .done, "state at the end")
            try expect(try await world.store.dueWork(), is: DueWork(queues: [], next: nil), "due work")
        },
        Check("a result that is recorded never changes") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            let sent = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            var settlement = leased.settlement
            settlement.results = [world.result(leased.batch.members[0], .accepted)]
            settlement.remaining = leased.batch.members
            try await world.store.settle(settlement)
            world.clock.advance(by: .seconds(1))
            settlement.results = [world.result(leased.batch.members[0], .dead, reason: "late")]
            settlement.remaining = []
            try await world.store.settle(settlement)
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(accepted: 1), "counts")
            let report = try await world.store.deliveries(sent.row, PageRequest()).items.first
            try expect(report?.state, is: .accepted, "state")
            try expect(report?.reason, is: nil, "reason")
            try expect(report?.at, is: world.now - .seconds(1), "time")
            try expect(try await world.store.failedWork(DeadLetter.self).items, is: [], "dead letters")
        },
        Check("answers that come in any order, some of them twice, are each recorded once") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...150 { try await world.register(app, number) }
            let sent = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            let members = leased.batch.members
            let even = members.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
            var settlement = leased.settlement
            settlement.results = even.reversed().map { world.result($0) }
            settlement.remaining = members.filter { !even.contains($0) }
            try await world.store.settle(settlement)
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(pending: 75, accepted: 75), "half")
            settlement.results = members.map { world.result($0, .dead, reason: "late") } + [world.result(members[1])]
            settlement.remaining = []
            try await world.store.settle(settlement)
            let over = try await world.read(sent.id)
            try expect(over.counts, is: DeliveryCounts(accepted: 75, dead: 75), "all")
            try expect(over.state, is: .done, "state")
            let dead = try await world.store.failedWork(DeadLetter.self, PageRequest(count: 200)).items
            try expect(dead.count, is: 75, "dead letters")
        },
        Check("a checkpoint that comes a second time makes no second batch of what is tried again") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...3 { try await world.register(app, number) }
            _ = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            var settlement = leased.settlement
            let members = leased.batch.members
            settlement.results = [DeliveryResult(member: members[0], state: .accepted, attempts: 1)]
            settlement.retries = [
                BatchDraft(queue: queue, isEnvironmentKnown: true, attempts: 1, members: [members[1]])
            ]
            settlement.remaining = [members[2]]
            for _ in 0..<2 { try await world.store.settle(settlement) }
            try expect(try await world.lease(queue).map(\.batch.members), is: [[members[1]]], "what is tried again")
            let sent = try await world.read(leased.batch.notificationID)
            try expect(sent.counts.accepted, is: 1, "accepted")
            try expect(sent.counts.pending, is: 2, "pending")
        },
        Check("answers that come again after a checkpoint with a retry are recorded with those that came since") {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...4 { try await world.register(app, number) }
            let sent = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            let members = leased.batch.members
            var settlement = leased.settlement
            settlement.results = [world.result(members[0]), world.result(members[2])]
            settlement.retries = [
                BatchDraft(queue: queue, isEnvironmentKnown: true, attempts: 1, members: [members[1]])
            ]
            settlement.remaining = [members[3]]
            try await world.store.settle(settlement)
            // Its commit had no answer: the same answers, and one more.
            settlement.results.append(world.result(members[3]))
            settlement.remaining = []
            try await world.store.settle(settlement)
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(pending: 1, accepted: 3), "counts")
            try await world.deliver(queue)
            let over = try await world.read(sent.id)
            try expect(over.counts, is: DeliveryCounts(accepted: 4), "counts at the end")
            try expect(over.state, is: .done, "state at the end")
            let reports = try await world.store.deliveries(sent.row, PageRequest()).items
            try expect(reports.map(\.state), is: Array(repeating: .accepted, count: 4), "each delivery")
        },
        Check("a list of what was accepted that begins with another's endpoint is recorded in rows") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...3 { try await world.register(app, number) }
            let sent = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            let members = leased.batch.members
            var settlement = leased.settlement
            settlement.results = [world.result(members[0])]
            settlement.remaining = Array(members[1...])
            try await world.store.settle(settlement)
            // As one that another batch wrote: nothing of this batch is known of it.
            settlement.batch.members = Array(members[1...])
            settlement.results = members.map { world.result($0) }
            settlement.remaining = []
            try await world.store.settle(settlement)
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(accepted: 3), "counts")
            let reports = try await world.store.deliveries(sent.row, PageRequest()).items
            try expect(reports.map(\.state), is: Array(repeating: .accepted, count: 3), "each delivery")
        },
        Check("what remains stays with the holder, and is free once the lease is given back") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...3 { try await world.register(app, number) }
            _ = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            let members = leased.batch.members
            var settlement = leased.settlement
            settlement.results = [world.result(members[0])]
            settlement.remaining = [members[2], members[1]]
            try await world.store.settle(settlement)
            try expect(try await world.lease(queue).isEmpty, "a held batch is leased")
            settlement.results = []
            settlement.remaining = [members[2]]
            settlement.suppressions = [Suppression(endpoint: members[1].endpoint, user: nil, reason: .endpointRemoved)]
            settlement.isLeaseReleased = true
            try await world.store.settle(settlement)
            try expect(try await world.store.dueWork().queues, is: [queue], "queues")
            try expect(try await world.leaseOne(queue).batch.members, is: [members[2]], "members")
        },
        Check("what is tried again says why, when that was, and when it is due, to whoever asks what became of it") {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for (number, user) in ["ann", "bob", "cid"].enumerated() {
                try await world.register(app, number + 1, user: user)
            }
            let sent = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            let members = leased.batch.members
            var settlement = leased.settlement
            let due = world.now + .seconds(60)
            settlement.retries = [
                BatchDraft(
                    queue: queue,
                    isEnvironmentKnown: true,
                    attempts: 1,
                    notBefore: due,
                    lastReason: "HTTP 429",
                    members: Array(members[0...1])
                )
            ]
            settlement.remaining = [members[2]]
            try await world.store.settle(settlement)
            let cause = Waiting.Cause.attempt(after: "HTTP 429", at: world.now)
            let reports = try await world.readAll(pagesOf: 2) { try await world.store.deliveries(sent.row, $0) }
            try expect(reports.map(\.reason), is: ["HTTP 429", "HTTP 429", nil], "reasons")
            try expect(reports.map(\.at), is: [due, due, nil], "next tries")
            let waiting = reports.map(\.waiting)
            let turn = Waiting(queue: queue, cause: .turn)
            let again = Waiting(queue: queue, cause: cause)
            try expect(waiting, is: [again, again, turn], "what they wait for")
            try expect(try await world.store.whyFacts(of: sent.row, user: "ann").lines, is: [reports[0]], "why")
            let found = try await world.store.missedReasons(of: sent.row, limit: 10)
            let counted = Waiting(queue: queue, cause: .attempt(after: "HTTP 429", at: nil))
            try expect(found.waiting[counted], is: 2, "how many wait for it")
            try expect(found.isWaitingWhole, is: true, "whole")
        },
        Check("what is tried again waits for its time, in its queue, with its attempts and the old expiry") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let sandbox = try await world.makeQueue(app, .sandbox)
            for number in 1...3 { try await world.register(app, number, environment: nil) }
            let sent = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            let members = leased.batch.members
            var settlement = leased.settlement
            settlement.results = [world.result(members[0])]
            let later = world.now + .seconds(10)
            settlement.retries = [
                BatchDraft(
                    queue: queue,
                    isEnvironmentKnown: false,
                    attempts: 2,
                    notBefore: later,
                    members: [members[1]]
                ),
                BatchDraft(queue: sandbox, isEnvironmentKnown: true, attempts: 1, members: [members[2]]),
            ]
            try await world.store.settle(settlement)
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(pending: 2, accepted: 1), "counts")
            try expect(try await world.store.dueWork().queues, is: [sandbox], "queues at once")
            let other = try await world.leaseOne(sandbox)
            try expect(other.batch.members, is: [members[2]], "members at once")
            try expect(other.batch.isEnvironmentKnown, is: true, "whether the environment is known")
            try await world.settle(other)
            try expect(try await world.store.dueWork(), is: DueWork(queues: [], next: later), "due work")
            world.clock.advance(to: later - .milliseconds(1))
            try expect(try await world.lease(queue).isEmpty, "a retry is leased before its time")
            world.clock.advance(to: later)
            let second = try await world.leaseOne(queue)
            try expect(second.batch.members, is: [members[1]], "members later")
            try expect(second.batch.attempts, is: 2, "attempts")
            try expect(second.batch.expiresAt, is: sent.expiresAt, "expiry")
            try await world.settle(second)
            try expect(try await world.read(sent.id).state, is: .done, "state")
        },
        Check("a notification is not done while its audience is being read") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...2 { try await world.register(app, number) }
            let sent = try await world.submit(world.draft(app))
            let fanOut = try unwrap(
                try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()).first,
                "fan-out"
            )
            let page = try await world.store.audience(of: fanOut, limit: 1)
            let rest = try unwrap(try await world.store.commit(world.gated(page, app.row), of: fanOut), "rest")
            try await world.deliver(queue)
            try expect(try await world.read(sent.id).state, is: .sending, "state on the way")
            let last = try await world.store.audience(of: rest, limit: 10)
            _ = try await world.store.commit(world.gated(last, app.row), of: rest)
            try await world.deliver(queue)
            try expect(try await world.read(sent.id).state, is: .done, "state at the end")
        },
        Check("concurrent settlements of one notification lose no count") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...20 { try await world.register(app, number) }
            let sent = try await world.submit(world.draft(app))
            try await world.fanOut(pageSize: 1)
            let leased = try await world.lease(queue)
            try expect(leased.count, is: 20, "batches")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, item) in leased.enumerated() {
                    group.addTask { try await world.settle(item, index.isMultiple(of: 2) ? .accepted : .rejected) }
                }
                try await group.waitForAll()
            }
            let over = try await world.read(sent.id)
            try expect(over.counts, is: DeliveryCounts(accepted: 10, rejected: 10), "counts")
            try expect(over.state, is: .done, "state")
        },
    ]

    /// What answers change about endpoints.
    static let endpointChanges: [Check] = [
        Check("an answer disables, removes or teaches an endpoint") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...4 { try await world.register(app, number, environment: nil) }
            _ = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            let rows = leased.batch.members.map(\.endpoint)
            let reason = DisableReason(rawValue: "BadDeviceToken")
            try await world.settle(
                leased,
                changing: [
                    EndpointChange(endpoint: rows[0], kind: .disable(reason)),
                    EndpointChange(endpoint: rows[1], kind: .remove(reason)),
                    EndpointChange(endpoint: rows[2], kind: .learn(.sandbox)),
                ]
            )
            try expect(try await world.endpoint(app, rows[0]).status, is: .disabled(reason), "the disabled one")
            try expect(try await world.endpoint(app, rows[1]).status, is: .removed(reason), "the removed one")
            try expect(try await world.endpoint(app, rows[2]).environment, is: .sandbox, "the taught one")
            try expect(try await world.endpoint(app, rows[3]).status, is: .enabled, "the last one")
        },
        Check("a provider's word about an earlier time does not take precedence over a registration") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let registeredAt = world.now
            try await world.register(app, 1)
            try await world.register(app, 2)
            _ = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            let rows = leased.batch.members.map(\.endpoint)
            let reason = DisableReason(rawValue: "Unregistered")
            try await world.settle(
                leased,
                changing: [
                    EndpointChange(
                        endpoint: rows[0],
                        kind: .disableUnlessRegistered(since: registeredAt, reason)
                    ),
                    EndpointChange(
                        endpoint: rows[1],
                        kind: .disableUnlessRegistered(since: registeredAt + .milliseconds(1), reason)
                    ),
                ]
            )
            try expect(try await world.endpoint(app, rows[0]).status, is: .enabled, "registered at that moment")
            try expect(try await world.endpoint(app, rows[1]).status, is: .disabled(reason), "registered before")
        },
        Check("an answer about a token that was only addressed is believed whatever its time") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            _ = try await world.send(app, to: .tokens([world.token(1)], platform: .apns))
            let leased = try await world.leaseOne(queue)
            let row = leased.batch.members[0].endpoint
            let reason = DisableReason(rawValue: "Unregistered")
            let since = world.now - .seconds(1_000)
            let change = EndpointChange(endpoint: row, kind: .disableUnlessRegistered(since: since, reason))
            try await world.settle(leased, changing: [change])
            try expect(try await world.endpoint(app, row).status, is: .disabled(reason), "status")
        },
        Check("an answer to a push before a new registration does not disable the endpoint") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            world.clock.advance(by: .milliseconds(1))
            try await world.register(app, 1)
            let reason = DisableReason(rawValue: "BadDeviceToken")
            let row = leased.batch.members[0].endpoint
            try await world.settle(
                leased,
                changing: [
                    EndpointChange(endpoint: row, kind: .disable(reason)),
                    EndpointChange(endpoint: row, kind: .remove(reason)),
                ]
            )
            try expect(try await world.endpoint(app, row).status, is: .enabled, "status")
        },
        Check("a disabled endpoint keeps its first reason, and a removed one stays removed") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...2 { try await world.register(app, number) }
            _ = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            let rows = leased.batch.members.map(\.endpoint)
            _ = try await world.store.updateEndpoint(rows[0], EndpointUpdate(status: .disabled(.byRequest)))
            _ = try await world.store.updateEndpoint(rows[1], EndpointUpdate(status: .removed(.byRequest)))
            let reason = DisableReason(rawValue: "BadDeviceToken")
            try await world.settle(leased, changing: rows.map { EndpointChange(endpoint: $0, kind: .disable(reason)) })
            try expect(try await world.endpoint(app, rows[0]).status, is: .disabled(.byRequest), "the disabled one")
            try expect(try await world.endpoint(app, rows[1]).status, is: .removed(.byRequest), "the removed one")
        },
    ]

    /// Answers that come after the lease was lost.
    static let lateAnswers: [Check] = [
        Check("after the lease is lost only results are recorded, and those members are not leased again") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...3 { try await world.register(app, number) }
            let sent = try await world.send(app)
            let first = try await world.leaseOne(queue)
            let members = first.batch.members
            world.clock.advance(by: Lease.duration)
            let second = try await world.leaseOne(queue)
            var late = first.settlement
            late.results = [world.result(members[0]), world.result(members[1], .dead, reason: "late")]
            late.suppressions = [Suppression(endpoint: members[2].endpoint, user: nil, reason: .endpointDisabled)]
            late.changes = [EndpointChange(endpoint: members[0].endpoint, kind: .disable(.byRequest))]
            late.retries = [BatchDraft(queue: queue, isEnvironmentKnown: true, attempts: 1, members: [members[2]])]
            late.pause = Pause(queue: queue, reason: "late", advice: "", since: world.now)
            try await world.store.settle(late)
            let counts = try await world.read(sent.id).counts
            try expect([counts.accepted, counts.dead, counts.suppressed], is: [1, 1, 0], "counts")
            try expect(try await world.endpoint(app, members[0].endpoint).status, is: .enabled, "endpoint")
            try expect(try await world.store.pauses(nil), is: [], "pauses")
            try expect(try await world.store.failedWork(DeadLetter.self).items.count, is: 1, "dead letters")
            world.clock.advance(by: Lease.duration)
            let third = try await world.leaseOne(queue)
            try expect(third.batch.members, is: [members[2]], "members of the next lease")
            try await world.settle(second)
            try expect(
                try await world.read(sent.id).state,
                is: .sending,
                "state after the second holder's late results"
            )
            world.clock.advance(by: Lease.duration)
            try expect(try await world.lease(queue).isEmpty, "a batch without members is leased")
            let over = try await world.read(sent.id)
            try expect(over.counts, is: DeliveryCounts(accepted: 2, dead: 1), "counts at the end")
            try expect(over.state, is: .done, "state at the end")
        },
        Check("a retry whose delivery got its result late is not leased") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            let sent = try await world.send(app)
            let first = try await world.leaseOne(queue)
            world.clock.advance(by: Lease.duration)
            let second = try await world.leaseOne(queue)
            var settlement = second.settlement
            settlement.retries = [
                BatchDraft(queue: queue, isEnvironmentKnown: true, attempts: 1, members: second.batch.members)
            ]
            try await world.store.settle(settlement)
            try await world.settle(first)
            try expect(try await world.lease(queue).isEmpty, "a delivery with a result is leased")
            let over = try await world.read(sent.id)
            try expect(over.counts, is: DeliveryCounts(accepted: 1), "counts")
            try expect(over.state, is: .done, "state")
        },
        Check("a settlement for a notification that is gone is no error") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            try await world.store.deleteApp(app.row)
            try await world.settle(leased)
        },
    ]
}

extension World {
    /// Ends all deliveries of a batch as rejected, with what that changes about endpoints.
    func settle(_ leased: Leased, changing changes: [EndpointChange]) async throws {
        var settlement = leased.settlement
        settlement.results = leased.batch.members.map { result($0, .rejected, reason: "no") }
        settlement.changes = changes
        try await store.settle(settlement)
    }
}
