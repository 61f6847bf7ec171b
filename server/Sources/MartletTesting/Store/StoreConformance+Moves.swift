import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Endpoints that change their place in an audience while it is read.
    static let moves: [Check] = [
        Check("an endpoint that goes to where reading has been is not missed") { world in
            for audience in [Audience.all, .users(["ann", "bob"])] {
                let (app, _, bobs) = try await world.makeTwoUsers(of: "\(audience)")
                let fanOut = try await world.begin(app, audience)
                let rest = try unwrap(try await world.readOne(fanOut), "rest")
                _ = try await world.store.updateEndpoint(bobs.row, EndpointUpdate(owner: .user("ann")))
                _ = try await world.store.updateEndpoint(bobs.row, EndpointUpdate(owner: .nobody))
                if case .users = audience {
                    _ = try await world.store.updateEndpoint(bobs.row, EndpointUpdate(owner: .user("ann")))
                }
                try await world.readToEnd(rest)
                let reports = try await world.store.deliveries(fanOut.notification.row, PageRequest()).items
                try expect(reports.map(\.state), is: [.pending, .pending], "states of \(audience)")
                try expect(try await world.read(fanOut.notification.id).counts.pending, is: 2, "pending")
            }
        },
        Check("an endpoint that goes to where reading has not been is met once") { world in
            for audience in [Audience.all, .users(["ann", "bob"])] {
                let (app, anns, bobs) = try await world.makeTwoUsers(of: "\(audience)")
                let fanOut = try await world.begin(app, audience)
                let rest = try unwrap(try await world.readOne(fanOut), "rest")
                _ = try await world.store.updateEndpoint(anns.row, EndpointUpdate(owner: .user("bob")))
                try await world.readToEnd(rest)
                try expect(try await world.read(fanOut.notification.id).counts.pending, is: 2, "pending of \(audience)")
                let queue = DeliveryQueue(app: app.row, platform: .apns, environment: .production)
                let members = try await world.lease(queue).flatMap(\.batch.members)
                try expect(Set(members.map(\.endpoint)), is: [anns.row, bobs.row], "endpoints of \(audience)")
                try expect(members.count, is: 2, "members of \(audience)")
            }
        },
        Check("an endpoint that is named by its old and by its new token is met once") { world in
            let app = try await world.makeApp()
            let endpoint = try await world.register(app, 1)
            let tokens = [world.token(1), world.token(2)]
            let fanOut = try await world.begin(app, .tokens(tokens, platform: .apns))
            let rest = try unwrap(try await world.readOne(fanOut), "rest")
            var rotated = Registration(app: app.row, platform: .apns, token: tokens[1], previousToken: tokens[0])
            rotated.environment = .production
            try expect(try await world.store.register(rotated).endpoint.row, is: endpoint.row, "endpoint")
            try await world.readToEnd(rest)
            try expect(try await world.read(fanOut.notification.id).counts, is: DeliveryCounts(pending: 1), "counts")
        },
    ]

    /// A delivery has one state, whoever of two workers comes first.
    static let oneState: [Check] = [
        Check("a late answer takes the place of a suppression") { world in
            let (sent, first, second) = try await world.makeTwoHolders()
            var suppressed = second.settlement
            suppressed.suppressions = second.batch.members.map {
                Suppression(endpoint: $0.endpoint, user: $0.user, reason: .endpointDisabled)
            }
            try await world.store.settle(suppressed)
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(suppressed: 1), "counts before")
            try await world.settle(first)
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(accepted: 1), "counts")
            let suppressions = try await world.store.suppressions(sent.row, PageRequest()).items
            try expect(suppressions.count, is: 0, "suppressions")
        },
        Check("a suppression does not come beside a late answer") { world in
            let (sent, first, second) = try await world.makeTwoHolders()
            try await world.settle(first)
            var suppressed = second.settlement
            suppressed.suppressions = second.batch.members.map {
                Suppression(endpoint: $0.endpoint, user: $0.user, reason: .endpointDisabled)
            }
            try await world.store.settle(suppressed)
            let over = try await world.read(sent.id)
            try expect(over.counts, is: DeliveryCounts(accepted: 1), "counts")
            try expect(over.state, is: .done, "state")
        },
        Check("a dead letter whose delivery stands in a batch still is not put into a second one") { world in
            let (sent, first, second) = try await world.makeTwoHolders()
            try await world.settle(first, .dead, reason: "late")
            let letter = try unwrap(try await world.store.failedWork(DeadLetter.self).items.first, "dead letter")
            _ = try await world.store.retry(DeadLetter.self, letter.id)
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(pending: 1), "counts after the retry")
            try await world.settle(second)
            let over = try await world.read(sent.id)
            try expect(over.counts, is: DeliveryCounts(accepted: 1), "counts")
            try expect(over.state, is: .done, "state")
        },
    ]
}

extension World {
    /// An app with a queue and two users, the first of whom is read first; each has one endpoint.
    fileprivate func makeTwoUsers(of name: String) async throws -> (App, Endpoint, Endpoint) {
        let app = try await makeApp(name)
        _ = try await makeQueue(app)
        return (app, try await register(app, 1, user: "ann"), try await register(app, 2, user: "bob"))
    }

    /// A notification whose audience begins to be read.
    func begin(_ app: App, _ audience: Audience) async throws -> FanOut {
        _ = try await submit(draft(app, to: audience))
        return try unwrap(try await store.leaseFanOuts(limit: 1, lease: newLease()).first, "fan-out")
    }

    /// Reads and writes a part of one endpoint.
    func readOne(_ fanOut: FanOut) async throws -> FanOut? {
        let page = try await store.audience(of: fanOut, limit: 1)
        return try await store.commit(gate(for: fanOut).decide(page), of: fanOut)
    }

    /// Reads and writes the rest, one endpoint at a time.
    func readToEnd(_ fanOut: FanOut) async throws {
        var position: FanOut? = fanOut
        while let current = position { position = try await readOne(current) }
    }

    /// A delivery that one worker has sent when its lease ended, and that another one has leased since.
    fileprivate func makeTwoHolders() async throws -> (sent: Notification, first: Leased, second: Leased) {
        let app = try await makeApp()
        let queue = try await makeQueue(app)
        try await register(app, 1)
        let sent = try await send(app)
        let first = try await leaseOne(queue)
        clock.advance(by: Lease.duration)
        return (sent, first, try await leaseOne(queue))
    }
}
