import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Devices that change while a push to them is under way, or while an audience is being read.
    static let deviceChanges: [Check] = [
        Check("what is said about a token that was replaced meanwhile is not said about the new one") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...2 { try await world.register(app, number, user: "ann", environment: nil) }
            _ = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            let rows = leased.batch.members.map(\.endpoint)
            world.clock.advance(by: .seconds(1))
            for number in 1...2 { try await world.rotate(app, from: number, to: number + 10) }
            world.clock.advance(by: .seconds(1))
            let reason = DisableReason(rawValue: "Unregistered")
            try await world.settle(
                leased,
                changing: [
                    EndpointChange(endpoint: rows[0], kind: .disableUnlessRegistered(since: world.now, reason)),
                    EndpointChange(endpoint: rows[1], kind: .learn(.production)),
                ]
            )
            let first = try await world.endpoint(app, rows[0])
            try expect(first.token, is: world.token(11), "token")
            try expect(first.status, is: .enabled, "status")
            try expect(try await world.endpoint(app, rows[1]).environment, is: nil, "environment")
        },
        Check("a new token's environment is not the old one's, unless it is named") { world in
            let app = try await world.makeApp()
            let old = try await world.register(app, 1, user: "ann", environment: .production)
            let again = try await world.register(app, 1, user: "ann", environment: nil)
            try expect(again.environment, is: .production, "environment of the same token")
            let rotated = try await world.rotate(app, from: 1, to: 2)
            try expect(rotated.row, is: old.row, "row")
            try expect(rotated.environment, is: nil, "environment of the new token")
            let named = try await world.rotate(app, from: 2, to: 3, environment: .sandbox)
            try expect(named.environment, is: .sandbox, "environment that is named")
        },
        Check("a device that goes to another user while everybody is read gets no second push") { world in
            for isUpdate in [false, true] {
                let app = try await world.makeApp("app.\(isUpdate)")
                let queue = try await world.makeQueue(app)
                let moving = try await world.register(app, 1)
                let other = try await world.register(app, 2, user: "ann")
                let sent = try await world.submit(world.draft(app))
                let fanOut = try unwrap(
                    try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()).first,
                    "fan-out"
                )
                let page = try await world.store.audience(of: fanOut, limit: 1)
                try expect(page.candidates.map(\.member.endpoint), is: [moving.row], "first part")
                let rest = try await world.store.commit(world.gated(page, app.row), of: fanOut)
                try await world.deliver(queue)
                if isUpdate {
                    _ = try await world.store.updateEndpoint(moving.row, EndpointUpdate(owner: .user("bob")))
                } else {
                    try await world.register(app, 1, user: "bob")
                }
                var position: FanOut? = try unwrap(rest, "rest")
                while let current = position {
                    let further = try await world.store.audience(of: current, limit: 10)
                    position = try await world.store.commit(world.gated(further, app.row), of: current)
                }
                let leased = try await world.leaseOne(queue)
                try expect(leased.batch.members.map(\.endpoint), is: [other.row], "members")
                try await world.settle(leased)
                let over = try await world.read(sent.id)
                try expect(over.counts, is: DeliveryCounts(accepted: 2), "counts")
                try expect(over.state, is: .done, "state")
            }
        },
        Check("a token that a backend addresses and no device registers does not grow stale while it works") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let tokens = Audience.tokens([world.token(1), world.token(2)], platform: .apns)
            _ = try await world.send(app, to: tokens)
            let leased = try await world.leaseOne(queue)
            let dead = leased.batch.members[1].endpoint
            let change = EndpointChange(endpoint: dead, kind: .disable(DisableReason(rawValue: "Unregistered")))
            try await world.settle(leased, changing: [change])
            world.clock.advance(by: .seconds(10))
            try expect(try await world.store.purge(.staleEndpoints, before: world.now, limit: 9), is: 1, "stale")
            let next = try await world.send(app, to: tokens)
            try expect(next.counts, is: DeliveryCounts(pending: 1, suppressed: 1), "counts")
            try expect(try await world.endpoint(app, dead).status, is: .removed(.stale), "the one that is gone")
        },
    ]
}

extension World {
    /// Registers a token in the place of another one.
    @discardableResult
    fileprivate func rotate(
        _ app: App,
        from old: Int,
        to new: Int,
        environment: Environment? = nil
    ) async throws -> Endpoint {
        let registration = Registration(
            app: app.row,
            platform: .apns,
            token: token(new),
            environment: environment,
            previousToken: token(old),
            owner: .user("ann")
        )
        return try await store.register(registration).endpoint
    }
}
