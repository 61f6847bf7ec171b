import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What browsers' endpoints and the queues of push services are like.
    static let webPush: [Check] = [
        Check("an attempt finds what a browser's messages are sealed with, and a new subscription replaces it") {
            world in
            let app = try await world.makeApp()
            let credential = try await world.makeQueue(app, platform: .webpush)
            let first = subscription(1, key: "first")
            let endpoint = try await world.register(app, "https://a.example/1", .google, first)
            _ = try await world.register(app, 1)
            _ = try await world.send(app)
            let queue = DeliveryQueue(app: app.row, platform: .webpush, environment: .google)
            let batch = try await world.leaseOne(queue).batch
            let context = try await world.store.context(of: batch)
            try expect(context.targets.map { $0?.subscription }, is: [first], "subscription")
            try expect(context.credentials.map(\.queue), is: [credential], "credentials")
            let second = subscription(2, key: "second")
            let again = Registration(
                app: app.row,
                platform: .webpush,
                token: "https://b.example/2",
                environment: .mozilla,
                previousToken: "https://a.example/1",
                subscription: second
            )
            try expect(try await world.store.register(again).endpoint.row, is: endpoint.row, "endpoint")
            let target = try await world.store.context(of: batch).targets.first ?? nil
            try expect(target?.subscription, is: second, "subscription afterwards")
            try expect(target?.environment, is: .mozilla, "service afterwards")
        },
        Check("a subscription that its push service has ended is not registered again, and another takes its place") {
            world in
            let app = try await world.makeApp()
            let address = "https://a.example/1"
            let endpoint = try await world.register(app, address, .google, subscription(1, key: "k"))
            for reason in [DisableReason.byRequest, .stale] {
                let update = EndpointUpdate(status: .disabled(reason))
                _ = try await world.store.updateEndpoint(endpoint.row, update)
                let again = try await world.register(app, address, .google, subscription(1, key: "k"))
                try expect(again.status, is: .enabled, "status after \(reason.rawValue)")
            }
            let ended = Endpoint.Status.disabled(DisableReason(rawValue: "Gone"))
            _ = try await world.store.updateEndpoint(endpoint.row, EndpointUpdate(status: ended))
            try await expectRefusal(.subscriptionEnded, "an ended one") {
                _ = try await world.register(app, address, .google, subscription(1, key: "k"))
            }
            try expect(try await world.endpoint(app, endpoint.row).status, is: ended, "its status")
            let next = Registration(
                app: app.row,
                platform: .webpush,
                token: "https://a.example/2",
                environment: .google,
                previousToken: address,
                subscription: subscription(2, key: "k")
            )
            let registered = try await world.store.register(next).endpoint
            try expect(registered.row, is: endpoint.row, "the next one's endpoint")
            try expect(registered.status, is: .enabled, "its status")
        },
        Check("each push service has a queue of its own") { world in
            let app = try await world.makeApp()
            _ = try await world.makeQueue(app, platform: .webpush)
            for (number, service) in [Environment.google, .mozilla, .apple].enumerated() {
                _ = try await world.register(app, "https://a.example/\(number)", service, subscription(1, key: "k"))
            }
            _ = try await world.send(app)
            let due = try await world.store.dueWork().queues.map(\.environment)
            try expect(Set(due), is: [.google, .mozilla, .apple], "queues")
            try expect(due.count, is: 3, "queues")
        },
        Check("a key that is stored lets the queues of all push services go on, and an older answer stops none") {
            world in
            let app = try await world.makeApp()
            let credential = try await world.makeQueue(app, platform: .webpush)
            let queues = [Environment.google, .mozilla].map { environment in
                DeliveryQueue(app: app.row, platform: .webpush, environment: environment)
            }
            for (number, queue) in queues.enumerated() {
                let address = "https://a.example/\(number)"
                _ = try await world.register(app, address, queue.environment, subscription(1, key: "k"))
            }
            _ = try await world.send(app)
            let (first, second) = (try await world.leaseOne(queues[0]), try await world.leaseOne(queues[1]))
            try await world.pause(first)
            try expect(try await world.store.pauses(app.row).map(\.queue), is: [queues[0]], "paused")
            world.clock.advance(by: .seconds(1))
            _ = try await world.store.storeCredential(credential, world.credentialDraft())
            try expect(try await world.store.pauses(app.row).map(\.queue), is: [], "paused after a new key")
            try await world.pause(second)
            try expect(try await world.store.pauses(app.row).map(\.queue), is: [], "paused by an older answer")
        },
    ]

    private static func subscription(_ byte: UInt8, key: String) -> StoredSubscription {
        .sealed([byte] + Array(key.utf8))
    }
}

extension World {
    fileprivate func pause(_ leased: Leased) async throws {
        var settlement = leased.settlement
        settlement.remaining = leased.batch.members
        settlement.pause = Pause(queue: leased.batch.queue, reason: "BadJwtToken", advice: "mend it", since: now)
        try await store.settle(settlement)
    }

    fileprivate func register(
        _ app: App,
        _ address: String,
        _ service: Environment,
        _ subscription: StoredSubscription
    ) async throws -> Endpoint {
        let registration = Registration(
            app: app.row,
            platform: .webpush,
            token: address,
            environment: service,
            subscription: subscription
        )
        return try await store.register(registration).endpoint
    }
}
