import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// How endpoints of platform applications are made, found, changed and removed.
    static let platformEndpoints: [Check] = [
        Check("an endpoint of an application is made once, and another with its token is refused") { world in
            let shop = try await world.makeApplication("shop")
            let draft = PlatformEndpointDraft(token: world.token(1), customUserData: "ann", isEnabled: true)
            guard case .created(let made) = try await world.store.createPlatformEndpoint(shop, draft) else {
                throw Violation(description: "it is not new")
            }
            try expect(made.token, is: draft.token, "token")
            try expect(made.customUserData, is: "ann", "user data")
            try expect(made.environment, is: .production, "environment")
            try expect(made.isEnabled, is: true, "whether it is enabled")
            try expect(try await world.store.createPlatformEndpoint(shop, draft), is: .same(made), "the same again")
            for other in [
                PlatformEndpointDraft(token: draft.token),
                PlatformEndpointDraft(token: draft.token, customUserData: "bob"),
                PlatformEndpointDraft(token: draft.token, customUserData: "ann", isEnabled: false),
            ] {
                let found = try await world.store.createPlatformEndpoint(shop, other)
                try expect(found, is: .differs(made), "another of the same token")
            }
            try expect(try await world.store.platformEndpoint(shop, made.id), is: made, "what is found")
            try expect(try await world.store.platformEndpoint(shop, world.makeID()), is: nil, "another id's")
        },
        Check("an endpoint of an application is anonymous until it is given to a user, who is made") { world in
            let shop = try await world.makeApplication("shop")
            var draft = PlatformEndpointDraft(token: world.token(1), customUserData: "{}")
            let made = try unwrap(try await world.store.createPlatformEndpoint(shop, draft).endpoint, "endpoint")
            try expect(made.user, is: nil, "the user of a new one")
            draft.owner = .user("ann")
            let given = try unwrap(try await world.store.createPlatformEndpoint(shop, draft).endpoint, "endpoint")
            try expect(given.id, is: made.id, "the endpoint")
            try expect(given.user?.id, is: "ann", "the user of one that was there")
            draft.token = world.token(2)
            let second = try unwrap(try await world.store.createPlatformEndpoint(shop, draft).endpoint, "endpoint")
            try expect(second.user, is: given.user, "the user of another")
            let both = try await world.store.endpoints(shop.app, user: "ann", PageRequest()).items
            try expect(both.map(\.id), is: [made.id, second.id], "the user's endpoints")
            draft.owner = .unchanged
            try expect(try await world.store.createPlatformEndpoint(shop, draft), is: .same(second), "the same again")
        },
        Check("two that make an endpoint of one token at the same time get one") { world in
            let shop = try await world.makeApplication("shop")
            let draft = PlatformEndpointDraft(token: world.token(1))
            let made = try await withThrowingTaskGroup(of: PlatformEndpointCreation.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await world.store.createPlatformEndpoint(shop, draft) }
                }
                return try await group.reduce(into: [PlatformEndpointCreation]()) { $0.append($1) }
            }
            let new = made.filter { if case .created = $0 { true } else { false } }
            let same = made.filter { if case .same = $0 { true } else { false } }
            try expect([new.count, same.count], is: [1, 7], "new and same ones")
            try expect(Set(made.compactMap { $0.endpoint?.id }).count, is: 1, "endpoints")
        },
        Check("one token is an endpoint in each application") { world in
            let (shop, bank) = (try await world.makeApplication("shop"), try await world.makeApplication("bank"))
            let draft = PlatformEndpointDraft(token: world.token(1))
            let first = try unwrap(try await world.store.createPlatformEndpoint(shop, draft).endpoint, "endpoint")
            let second = try unwrap(try await world.store.createPlatformEndpoint(bank, draft).endpoint, "endpoint")
            try expect(first.id != second.id, "both are one")
            try expect(try await world.store.platformEndpoint(bank, first.id), is: nil, "the other application's")
        },
        Check("applications of one app share its endpoints by their environments") { world in
            let app = try await world.makeApp("bank")
            let queues = [try await world.makeQueue(app), try await world.makeQueue(app, .sandbox)]
            var applications: [PlatformApplication] = []
            for queue in queues {
                applications.append(try unwrap(try await world.store.platformApplication(of: queue), "application"))
            }
            let (production, sandbox) = (applications[0], applications[1])
            let first = try await world.register(app, 1)
            let second = try await world.register(app, 2, environment: .sandbox)
            let unknown = try await world.register(app, 3, environment: nil)
            let listed = try await world.store.platformEndpoints(production, PageRequest()).items
            try expect(listed.map(\.row), is: [first.row, unknown.row], "production's, with the unknown one")
            try expect(
                try await world.store.platformEndpoints(sandbox, PageRequest()).items.map(\.row),
                is: [second.row],
                "the sandbox's"
            )
            let taken = try await world.store.createPlatformEndpoint(
                sandbox,
                PlatformEndpointDraft(token: world.token(1))
            )
            try expect(taken, is: .differs(first), "a token of the other application")
            let adopted = try await world.store.createPlatformEndpoint(
                sandbox,
                PlatformEndpointDraft(token: world.token(3))
            )
            try expect(adopted.endpoint?.row, is: unknown.row, "the endpoint of which nothing was known")
            try expect(
                try await world.store.platformEndpoint(sandbox, unknown.id)?.environment,
                is: .sandbox,
                "its environment now"
            )
        },
        Check("a change of an endpoint gives it another token, data and status, and leaves the rest") { world in
            let shop = try await world.makeApplication("shop")
            let made = try await world.makeEndpoint(shop, 1)
            let other = try await world.makeEndpoint(shop, 2)
            func update(_ update: EndpointUpdate) async throws -> Endpoint {
                try await world.store.updateEndpoint(.platform(made.id, of: shop), update)
            }
            let off = try await update(EndpointUpdate(isEnabled: false))
            try expect([off.isEnabled, off.hasPush], is: [false, false], "switch")
            try expect(off.disableReason, is: .switchedOff, "reason")
            try expect([off.token, off.customUserData], is: [made.token, made.customUserData], "the rest")
            let on = try await update(
                EndpointUpdate(isEnabled: true, token: world.token(3), customUserData: "bob")
            )
            try expect([on.isEnabled, on.hasPush], is: [true, true], "switch")
            try expect([on.token, on.customUserData], is: [world.token(3), "bob"], "token and data")
            try expect(on.id, is: made.id, "the id")
            try await expectRefusal(.conflict, "a taken token") {
                _ = try await update(EndpointUpdate(isEnabled: false, token: other.token))
            }
            try expect(try await update(EndpointUpdate(token: on.token)), is: on, "its own token")
            try await expectRefusal(.notFound, "another id's") {
                _ = try await world.store.updateEndpoint(.platform(world.makeID(), of: shop), EndpointUpdate())
            }
            let bare = try await update(EndpointUpdate(customUserData: ""))
            try expect(bare.customUserData, is: nil, "data that was taken away")
        },
        Check("what a provider says of the token before is not taken for the new one") { world in
            let shop = try await world.makeApplication("shop")
            let made = try await world.makeEndpoint(shop, 1)
            let app = try unwrap(try await world.store.app(.row(shop.app)), "app")
            _ = try await world.send(app)
            let leased = try await world.leaseOne(shop.queue)
            world.clock.advance(by: .milliseconds(1))
            _ = try await world.store.updateEndpoint(
                .platform(made.id, of: shop),
                EndpointUpdate(token: world.token(2))
            )
            let gone = DisableReason(rawValue: "Unregistered")
            let change = EndpointChange(
                endpoint: made.row,
                kind: .disableUnlessRegistered(since: world.now - .seconds(60), gone)
            )
            try await world.settle(leased, changing: [change])
            try expect(try await world.endpoint(app, made.row).status, is: .enabled, "status")
        },
        Check("a removed endpoint's token gets another endpoint, and its subscriptions are not that one's") { world in
            let shop = try await world.makeApplication("shop")
            let made = try await world.makeEndpoint(shop, 1)
            let topic = try await world.store.createTopic(TopicDraft(app: nil, region: "here", name: "news")).topic
            _ = try await world.store.subscribe(
                SubscriptionDraft(topic: topic.row, subject: .endpoint(made.row), address: "arn")
            )
            try expect(try await world.store.removePlatformEndpoint(shop, made.id)?.id, is: made.id, "removing")
            try expect(try await world.store.removePlatformEndpoint(shop, made.id), is: nil, "removing again")
            try expect(try await world.store.platformEndpoint(shop, made.id), is: nil, "the removed one")
            let subscriptions = try await world.store.subscriptions(.topic(topic.row), PageRequest()).items
            try expect(subscriptions.count, is: 1, "subscriptions")
            let again = try await world.makeEndpoint(shop, 1)
            try expect(again.row != made.row && again.id != made.id, "it is the removed one")
            try expect(subscriptions.first?.subject, is: .endpoint(made.row, made.id, app: shop.app), "the subscriber")
        },
        Check("endpoints of an application are listed by age in pages") { world in
            let shop = try await world.makeApplication("shop")
            var made: [Endpoint] = []
            for index in 0..<5 { made.append(try await world.makeEndpoint(shop, index)) }
            _ = try await world.store.removePlatformEndpoint(shop, made.remove(at: 1).id)
            let listed = try await world.readAll(pagesOf: 2) { try await world.store.platformEndpoints(shop, $0) }
            try expect(listed, is: made, "endpoints")
        },
        Check("an application that is gone gets no endpoint") { world in
            let shop = try await world.makeApplication("shop")
            _ = try await world.store.deletePlatformApplication(shop.row)
            try await expectRefusal(.notFound, "making an endpoint") { _ = try await world.makeEndpoint(shop, 1) }
        },
    ]
}

extension PlatformEndpointCreation {
    /// The endpoint, whichever it is.
    fileprivate var endpoint: Endpoint? {
        switch self {
        case .created(let endpoint), .same(let endpoint), .differs(let endpoint): endpoint
        }
    }
}

extension World {
    /// An application with a credential.
    fileprivate func makeApplication(_ name: String) async throws -> PlatformApplication {
        let draft = applicationDraft(name, credential: credentialDraft())
        return try await store.createPlatformApplication(draft).application
    }

    /// An endpoint of an application, with data.
    fileprivate func makeEndpoint(_ application: PlatformApplication, _ number: Int) async throws -> Endpoint {
        let draft = PlatformEndpointDraft(token: token(number), customUserData: "ann")
        let made = try await store.createPlatformEndpoint(application, draft).endpoint
        return try unwrap(made, "endpoint")
    }
}
