import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Leases of notifications whose audience is read.
    static let fanOuts: [Check] = [
        Check("fan-outs are leased most urgent and oldest first, each once") { world in
            let app = try await world.makeApp()
            var made: [NotificationClass: [PublicID]] = [:]
            for each in [NotificationClass.bulk, .transactional, .default, .transactional, .bulk] {
                made[each, default: []].append(try await world.submit(world.draft(app, class: each)).id)
            }
            let expected = [NotificationClass.transactional, .default, .bulk].flatMap { made[$0] ?? [] }
            let first = try await world.store.leaseFanOuts(limit: 3, lease: world.newLease())
            let second = try await world.store.leaseFanOuts(limit: 3, lease: world.newLease())
            try expect((first + second).map(\.notification.id), is: expected, "order")
            try expect(first.map(\.cursor), is: Array(repeating: FanOut.Cursor(), count: 3), "cursors")
            try expect(try await world.store.leaseFanOuts(limit: 3, lease: world.newLease()), is: [], "what is left")
        },
        Check("a scheduled notification is leased from its time on, and due work says when that is") { world in
            let app = try await world.makeApp()
            let sendAt = world.now + .seconds(60)
            let scheduled = try await world.submit(world.draft(app, sendAt: sendAt))
            world.clock.advance(by: .seconds(60) - .milliseconds(1))
            try expect(try await world.store.leaseFanOuts(limit: 10, lease: world.newLease()), is: [], "too early")
            try expect(try await world.store.dueWork(), is: DueWork(queues: [], next: sendAt), "due work")
            world.clock.advance(by: .milliseconds(1))
            let due = try await world.store.leaseFanOuts(limit: 10, lease: world.newLease())
            try expect(due.map(\.notification.id), is: [scheduled.id], "in time")
            try expect(try await world.read(scheduled.id).state, is: .sending, "state")
        },
        Check("a fan-out goes on where it stood, when its lease ended or was given back") { world in
            let app = try await world.makeApp()
            for number in 1...4 { try await world.register(app, number) }
            _ = try await world.submit(world.draft(app))
            let leaseOne = { () async throws -> FanOut? in
                try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()).first
            }
            func step(_ fanOut: FanOut) async throws -> FanOut? {
                let page = try await world.store.audience(of: fanOut, limit: 1)
                return try await world.store.commit(world.gated(page, app.row), of: fanOut)
            }
            let first = try unwrap(try await leaseOne(), "fan-out")
            let further = try unwrap(try await step(first), "rest")
            try await world.store.endLease(.releaseFanOut(further))
            let second = try unwrap(try await leaseOne(), "fan-out that was given back")
            try expect(second.cursor, is: further.cursor, "cursor")
            world.clock.advance(by: Lease.duration - .milliseconds(1))
            try expect(try await leaseOne(), is: nil, "a held fan-out")
            world.clock.advance(by: .milliseconds(1))
            let third = try unwrap(try await leaseOne(), "fan-out whose lease ended")
            try expect(try await step(second), is: nil, "a part under the lost lease")
            try await world.store.endLease(.releaseFanOut(second))
            try expect(try await leaseOne(), is: nil, "the lease after somebody else gave theirs back")
            let rest = try unwrap(try await step(third), "third part")
            try expect(try await world.read(third.notification.id).counts.pending, is: 2, "written deliveries")
            let due = try await world.store.dueWork()
            try expect(due.queues.count, is: 1, "queues")
            try expect(try await step(third), is: nil, "the same part again")
            try expect(try await step(rest)?.cursor != nil, "the lease is lost by writing a part")
        },
        Check("writing a part renews the lease") { world in
            let app = try await world.makeApp()
            for number in 1...3 { try await world.register(app, number) }
            _ = try await world.submit(world.draft(app))
            var fanOut = try unwrap(
                try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()).first,
                "fan-out"
            )
            for _ in 0..<2 {
                world.clock.advance(by: Lease.duration - .milliseconds(1))
                let page = try await world.store.audience(of: fanOut, limit: 1)
                fanOut = try unwrap(try await world.store.commit(world.gated(page, app.row), of: fanOut), "rest")
            }
            world.clock.advance(by: Lease.duration - .milliseconds(1))
            try expect(try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()), is: [], "held fan-outs")
        },
        Check("a notification that reaches nobody is done when its audience is read") { world in
            let app = try await world.makeApp()
            let sent = try await world.send(app, to: .users(["ann"]))
            try expect(sent.state, is: .done, "state")
            try expect(sent.counts, is: DeliveryCounts(suppressed: 1), "counts")
            let reports = try await world.store.suppressions(sent.row, PageRequest()).items
            try expect(reports.map(\.user), is: ["ann"], "users")
            try expect(reports.map(\.reason), is: ["no_endpoint"], "reasons")
            try expect(try await world.send(app).state, is: .done, "state without anybody")
        },
        Check("a part with more members than a batch holds becomes several batches") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            _ = try await world.submit(world.draft(app))
            let fanOut = try unwrap(
                try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()).first,
                "fan-out"
            )
            let members = (1...(MemberList.limit + 1)).map { Member(endpoint: RowID(Int64($0)), user: nil) }
            let draft = BatchDraft(queue: queue, isEnvironmentKnown: true, members: members.reversed())
            let page = GatedPage(batches: [draft], suppressions: [], next: nil)
            try expect(try await world.store.commit(page, of: fanOut), is: nil, "rest")
            let leased = try await world.lease(queue)
            try expect(leased.map(\.batch.members.count), is: [MemberList.limit, 1], "sizes")
            try expect(leased.flatMap(\.batch.members), is: members, "members")
        },
    ]

    /// What an audience comes to.
    static let audiences: [Check] = [
        Check("everybody is read once, endpoints of nobody first and then by user, in parts of any size") { world in
            let (app, other) = (try await world.makeApp("one"), try await world.makeApp("two"))
            var expected: [Member] = []
            for number in 1...9 {
                let user = number.isMultiple(of: 3) ? nil : "user\(number % 2)"
                let endpoint = try await world.register(app, number, user: user)
                expected.append(Member(endpoint: endpoint.row, user: endpoint.user?.row))
            }
            try await world.register(other, 1)
            let removed = expected.remove(at: 0)
            _ = try await world.store.updateEndpoint(removed.endpoint, EndpointUpdate(status: .removed(.byRequest)))
            let disabled = expected[0].endpoint
            _ = try await world.store.updateEndpoint(disabled, EndpointUpdate(status: .disabled(.byRequest)))
            expected.sort { ($0.user?.rawValue ?? 0, $0.endpoint) < ($1.user?.rawValue ?? 0, $1.endpoint) }
            for limit in [1, 2, 3, 8, 100] {
                let candidates = try await world.readAudience(app, .all, limit: limit).candidates
                try expect(candidates.map(\.member), is: expected, "members in parts of \(limit)")
                try expect(candidates.count { $0.status == .disabled }, is: 1, "disabled ones")
            }
        },
        Check("named users bring all their endpoints, are made where missing, and may have none") { world in
            let app = try await world.makeApp()
            for number in 1...5 { try await world.register(app, number, user: number < 4 ? "ann" : "bob") }
            let gone = try await world.register(app, 6, user: "eve")
            _ = try await world.store.updateEndpoint(gone.row, EndpointUpdate(status: .removed(.byRequest)))
            var withoutEndpoint: Set<RowID<User>> = []
            for limit in [1, 2, 3, 100] {
                let page = try await world.readAudience(app, .users(["bob", "eve", "new", "ann"]), limit: limit)
                withoutEndpoint.formUnion(page.usersWithoutEndpoint)
                let users = page.candidates.compactMap(\.member.user)
                try expect(users.count, is: 5, "endpoints in parts of \(limit)")
                try expect(Set(page.candidates.map(\.member.endpoint)).count, is: 5, "different endpoints")
                try expect(page.usersWithoutEndpoint.count, is: 2, "users without an endpoint in parts of \(limit)")
            }
            try expect(withoutEndpoint.count, is: 2, "users without an endpoint, each made once")
        },
        Check("named endpoints are counted where they do not exist in this app, and found when removed") { world in
            let (app, other) = (try await world.makeApp("one"), try await world.makeApp("two"))
            let kept = try await world.register(app, 1, environment: .sandbox)
            let removed = try await world.register(app, 2, user: "ann", environment: nil)
            _ = try await world.store.updateEndpoint(removed.row, EndpointUpdate(status: .removed(.byRequest)))
            let strangers = try await world.register(other, 1)
            let ids = [strangers.id, removed.id, world.makeID(), kept.id]
            for limit in [1, 3, 100] {
                let page = try await world.readAudience(app, .endpoints(ids), limit: limit)
                try expect(page.unknownEndpoints, is: 2, "unknown endpoints")
                try expect(
                    page.candidates,
                    is: [
                        Candidate(
                            member: Member(endpoint: removed.row, user: removed.user?.row),
                            platform: .apns,
                            environment: nil,
                            status: .removed
                        ),
                        Candidate(
                            member: Member(endpoint: kept.row, user: nil),
                            platform: .apns,
                            environment: .sandbox,
                            status: .enabled
                        ),
                    ],
                    "candidates"
                )
            }
        },
        Check("tokens that nobody registered become endpoints of nobody") { world in
            let app = try await world.makeApp()
            let known = try await world.register(app, 1, user: "ann")
            for limit in [1, 100] {
                let tokens = Audience.tokens([world.token(1), world.token(2)], platform: .apns)
                let page = try await world.readAudience(app, tokens, limit: limit)
                try expect(page.unknownEndpoints, is: 0, "unknown ones")
                try expect(page.candidates.map(\.member.user), is: [known.user?.row, nil], "users")
                try expect(page.candidates.map(\.status), is: [.enabled, .enabled], "states")
                try expect(page.candidates[0].member.endpoint, is: known.row, "the registered one")
            }
            let made = try await world.store.endpoint(app.row, .token(.apns, world.token(2)))
            try expect(made?.user, is: nil, "user")
            try expect(made?.environment, is: nil, "environment")
            try expect(
                try await world.store.endpoints(app.row, user: nil, PageRequest()).items.count,
                is: 2,
                "endpoints"
            )
        },
        Check("what is suppressed is counted once and reported with its reason") { world in
            let app = try await world.makeApp()
            let disabled = try await world.register(app, 1, user: "ann")
            _ = try await world.store.updateEndpoint(disabled.row, EndpointUpdate(status: .disabled(.byRequest)))
            let sent = try await world.submit(world.draft(app, to: .endpoints([world.makeID()])))
            let fanOut = try unwrap(
                try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()).first,
                "fan-out"
            )
            let unknown = Suppression(endpoint: nil, user: nil, reason: .unknownEndpoint)
            let page = GatedPage(
                batches: [],
                suppressions: [
                    unknown, Suppression(endpoint: disabled.row, user: disabled.user?.row, reason: .endpointDisabled),
                    Suppression(endpoint: nil, user: disabled.user?.row, reason: .noEndpoint), unknown,
                ],
                next: nil
            )
            _ = try await world.store.commit(page, of: fanOut)
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(suppressed: 4), "counts")
            let reports = try await world.readAll(pagesOf: 1) { try await world.store.suppressions(sent.row, $0) }
            let reasons = reports.map(\.reason)
            try expect(
                reasons,
                is: ["unknown_endpoint", "unknown_endpoint", "no_endpoint", "endpoint_disabled"],
                "reasons"
            )
            try expect(reports.map(\.user), is: [nil, nil, "ann", "ann"], "users")
            try expect(reports.map(\.endpoint), is: [nil, nil, nil, disabled.id], "endpoints")
            let deliveries = try await world.store.deliveries(sent.row, PageRequest()).items
            try expect(deliveries.map(\.endpoint), is: [disabled.id], "endpoints among the deliveries")
            try expect(deliveries.map(\.state), is: [.suppressed], "states among the deliveries")
        },
        Check("a short audience is read, gated and claimed in the transaction that accepts it") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let gate = Gate(app: app.row, queues: [queue])
            let first = try await world.register(app, 1, user: "ann")
            try await world.register(app, 2, user: "ann")
            let sandbox = try await world.register(app, 3, user: "ann", environment: .sandbox)
            let draft = world.draft(app, to: .users(["ann", "nobody"]), dedup: Dedup(key: "alert"))
            let submitted = try await world.store.submit(draft, idempotency: nil, gate: gate)
            try expect(submitted.fanOut?.batches.map(\.members.count), is: [2], "batches")
            try expect(submitted.fanOut?.suppressions.map(\.reason), is: [.noEndpoint, .noCredential], "suppressions")
            try expect(
                try await world.read(submitted.id).counts,
                is: DeliveryCounts(pending: 2, suppressed: 2),
                "counts"
            )
            try expect(try await world.store.leaseFanOuts(limit: 9, lease: world.newLease()), is: [], "open fan-outs")
            let leased = try await world.leaseOne(queue)
            try expect(leased.batch.notificationID, is: submitted.id, "whose batch it is")
            let again = world.draft(
                app,
                to: .endpoints([first.id, sandbox.id, world.makeID()]),
                dedup: Dedup(key: "alert")
            )
            let second = try await world.store.submit(again, idempotency: nil, gate: gate)
            let over = try await world.read(second.id)
            try expect(over.state, is: .done, "state of what is held back whole")
            try expect(over.counts, is: DeliveryCounts(suppressed: 3), "counts of what is held back whole")
            try await world.settle(leased)
            try expect(try await world.read(submitted.id).state, is: .done, "state")
        },
        Check("tokens of a short audience that nobody registered become endpoints") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let draft = world.draft(app, to: .tokens([world.token(1), world.token(2)], platform: .apns))
            let gate = Gate(app: app.row, queues: [queue])
            let submitted = try await world.store.submit(draft, idempotency: nil, gate: gate)
            try expect(submitted.fanOut?.batches.flatMap(\.members).count, is: 2, "deliveries")
            let targets = try await world.store.context(of: world.leaseOne(queue).batch).targets
            try expect(targets.compactMap { $0?.token }, is: [world.token(1), world.token(2)], "tokens")
        },
        Check("everybody, a long list and what is to be sent later are left for the fan-out") { world in
            let app = try await world.makeApp()
            let gate = Gate(app: app.row, queues: [try await world.makeQueue(app)])
            try await world.register(app, 1, user: "ann")
            let long = (0..<1_000).map { "user\($0)" }
            for draft in [
                world.draft(app), world.draft(app, to: .users(long)),
                world.draft(app, to: .users(["ann"]), sendAt: world.now + .seconds(1)),
            ] {
                let submitted = try await world.store.submit(draft, idempotency: nil, gate: gate)
                try expect(submitted.fanOut, is: nil, "what was read at once")
                try expect(try await world.read(submitted.id).counts, is: DeliveryCounts(), "counts")
            }
            let open = try await world.store.leaseFanOuts(limit: 9, lease: world.newLease())
            try expect(open.count, is: 2, "open fan-outs")
        },
        Check("a repeated request of a short audience makes no second batch") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1, user: "ann")
            let record = try await world.idempotency("1")
            for isRepeated in [false, true] {
                let submitted = try await world.store.submit(
                    world.draft(app, to: .users(["ann"])),
                    idempotency: record,
                    gate: Gate(app: app.row, queues: [queue])
                )
                try expect(submitted.isRepeated, is: isRepeated, "whether it is repeated")
            }
            try expect(try await world.lease(queue).count, is: 1, "batches")
        },
    ]
}

extension World {
    /// All parts of an audience as one.
    func readAudience(_ app: App, _ audience: Audience, limit: Int) async throws -> AudiencePage {
        let notification = try await submit(draft(app, to: audience))
        var whole = AudiencePage()
        var cursor: FanOut.Cursor? = FanOut.Cursor()
        while let current = cursor {
            let fanOut = FanOut(notification: notification, cursor: current, lease: newLease())
            let page = try await store.audience(of: fanOut, limit: limit)
            let count = page.candidates.count + page.usersWithoutEndpoint.count + page.unknownEndpoints
            try expect(count <= limit, "a part of \(limit) has \(count)")
            whole.candidates += page.candidates
            whole.usersWithoutEndpoint += page.usersWithoutEndpoint
            whole.unknownEndpoints += page.unknownEndpoints
            cursor = page.next
        }
        return whole
    }
}
