import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What a registration changes.
    static let registration: [Check] = [
        Check("a new token becomes an enabled endpoint") { world in
            let app = try await world.makeApp()
            let device = DeviceInfo(
                model: "iPhone16,1",
                osVersion: "18.2",
                appVersion: "1",
                locale: "ja",
                timeZone: "Asia/Tokyo"
            )
            let registered = try await world.store.register(
                Registration(
                    app: app.row,
                    platform: .apns,
                    token: world.token(1),
                    environment: .sandbox,
                    owner: .user("ann"),
                    device: device
                )
            )
            let endpoint = registered.endpoint
            try expect(registered.isNew, is: true, "new")
            try expect(registered.isSecretIssued, is: false, "secret without an installation")
            try expect(endpoint.status, is: .enabled, "status")
            try expect(endpoint.environment, is: .sandbox, "environment")
            try expect(endpoint.user?.id, is: "ann", "user")
            try expect(endpoint.device, is: device, "device")
            try expect(endpoint.registeredAt, is: world.now, "time of registration")
            for selector in [EndpointSelector.row(endpoint.row), .id(endpoint.id), .token(.apns, world.token(1))] {
                try expect(try await world.store.endpoint(app.row, selector), is: endpoint, "\(selector)")
            }
            try expect(try await world.store.endpoint(app.row, .token(.fcm, world.token(1))), is: nil, "other platform")
        },
        Check("the same token in another app is another endpoint") { world in
            let (one, two) = (try await world.makeApp("one"), try await world.makeApp("two"))
            let (first, second) = (try await world.register(one, 1), try await world.register(two, 1))
            try expect(first.id != second.id, "two apps share an endpoint")
            try expect(try await world.store.endpoint(two.row, .id(first.id)), is: nil, "the other app's endpoint")
        },
        Check("a token that is registered again keeps its endpoint, and what is not named stays") { world in
            let app = try await world.makeApp()
            let device = DeviceInfo(model: "iPhone16,1", locale: "ja-JP")
            var registration = Registration(app: app.row, platform: .apns, token: world.token(1), environment: .sandbox)
            registration.device = device
            registration.owner = .user("ann")
            let first = try await world.store.register(registration).endpoint
            world.clock.advance(by: .seconds(5))
            let again = Registration(
                app: app.row,
                platform: .apns,
                token: world.token(1),
                device: DeviceInfo(locale: "en-GB")
            )
            let second = try await world.store.register(again)
            try expect(second.isNew, is: false, "new")
            try expect(second.endpoint.id, is: first.id, "id")
            try expect(second.endpoint.user?.id, is: "ann", "user")
            try expect(second.endpoint.environment, is: .sandbox, "environment")
            try expect(second.endpoint.device, is: DeviceInfo(model: "iPhone16,1", locale: "en-GB"), "device")
            try expect(second.endpoint.createdAt, is: first.createdAt, "time of creation")
            try expect(second.endpoint.registeredAt, is: world.now, "time of registration")
        },
        Check("a token that is registered under another user moves, and a logout leaves it to nobody") { world in
            let app = try await world.makeApp()
            let first = try await world.register(app, 1, user: "ann")
            let second = try await world.register(app, 1, user: "bob")
            try expect(second.id, is: first.id, "id")
            try expect(try await world.store.endpoints(app.row, user: "ann", PageRequest()).items, is: [], "ann's")
            try expect(
                try await world.store.endpoints(app.row, user: "bob", PageRequest()).items,
                is: [second],
                "bob's"
            )
            let logout = Registration(app: app.row, platform: .apns, token: world.token(1), owner: .nobody)
            try expect(try await world.store.register(logout).endpoint.user, is: nil, "user after a logout")
        },
        Check("the previous token of the same user or of nobody is replaced") { world in
            let app = try await world.makeApp()
            let first = try await world.register(app, 1, user: "ann")
            let rotation = Registration(
                app: app.row,
                platform: .apns,
                token: world.token(2),
                previousToken: world.token(1),
                owner: .user("ann")
            )
            let second = try await world.store.register(rotation)
            try expect(second.endpoint.id, is: first.id, "the endpoint that rotates")
            try expect(second.isNew, is: false, "new")
            try expect(second.endpoint.token, is: world.token(2), "token")
            let old = try await world.store.endpoint(app.row, .token(.apns, world.token(1)))
            try expect(old, is: nil, "endpoint of the old token")
            let repeated = try await world.store.register(rotation)
            try expect(repeated.endpoint.id, is: first.id, "the endpoint after a repetition")
        },
        Check("a stranger's token that is named as the previous one is left alone") { world in
            let app = try await world.makeApp()
            let strangers = try await world.register(app, 1, user: "ann")
            let claimed = Registration(
                app: app.row,
                platform: .apns,
                token: world.token(2),
                previousToken: world.token(1),
                owner: .user("mallory")
            )
            let registered = try await world.store.register(claimed)
            try expect(registered.isNew, is: true, "new")
            try expect(try await world.endpoint(app, strangers.row), is: strangers, "the stranger's endpoint")
        },
        Check("when both tokens are known the new one's endpoint lives on and the old one is replaced") { world in
            let app = try await world.makeApp()
            let old = try await world.register(app, 1, user: "ann")
            let new = try await world.register(app, 2, user: "ann")
            var rotation = Registration(app: app.row, platform: .apns, token: world.token(2))
            rotation.previousToken = world.token(1)
            rotation.owner = .user("ann")
            try expect(try await world.store.register(rotation).endpoint.id, is: new.id, "the endpoint that lives on")
            try expect(try await world.endpoint(app, old.row).status, is: .removed(.replaced), "the old one")
            let back = try await world.register(app, 1, user: "bob")
            try expect(back.id, is: old.id, "the old one's id when its token is seen again")
            try expect(back.status, is: .enabled, "its status")
            try expect(back.user?.id, is: "bob", "its user")
        },
        Check("registering enables a disabled and a removed endpoint") { world in
            let app = try await world.makeApp()
            let endpoint = try await world.register(app, 1)
            for status in [Endpoint.Status.disabled(.byRequest), .removed(.byRequest)] {
                let changed = try await world.store.updateEndpoint(endpoint.row, EndpointUpdate(status: status))
                try expect(changed.status, is: status, "status")
                try expect(try await world.register(app, 1).status, is: .enabled, "status after registering")
            }
        },
        Check("concurrent registrations of one token make one endpoint") { world in
            let app = try await world.makeApp()
            let ids = try await withThrowingTaskGroup(of: PublicID.self) { group in
                for index in 0..<20 {
                    group.addTask { try await world.register(app, 1, user: "user\(index % 3)").id }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            try expect(ids.count, is: 1, "endpoints")
        },
    ]

    /// Installations, their secrets and their tokens.
    static let installations: [Check] = [
        Check("an installation gets its secret once and presents it ever after") { world in
            let app = try await world.makeApp()
            let device = Device(world, app)
            let first = try await device.register(1)
            try expect(first.isSecretIssued, is: true, "secret at the first registration")
            try expect(first.endpoint.installation, is: device.id, "installation")
            let second = try await device.register(1, presenting: device.secret)
            try expect(second.isSecretIssued, is: false, "secret at the second registration")
            try await expectRefusal(.installationSecretRequired, "no secret") { _ = try await device.register(1) }
            try await expectRefusal(.installationSecretRequired, "a wrong secret") {
                _ = try await device.register(1, presenting: "wrong")
            }
        },
        Check("an installation whose answer was lost gets another secret for the same token only") { world in
            let app = try await world.makeApp()
            let device = Device(world, app)
            let first = try await device.register(1)
            try await expectRefusal(.installationSecretRequired, "another token") { _ = try await device.register(2) }
            let second = try await device.register(1, issuing: "another secret")
            try expect(second.isSecretIssued, is: true, "second secret")
            try expect(second.endpoint.id, is: first.endpoint.id, "endpoint")
            try await expectRefusal(.installationSecretRequired, "the first secret") {
                _ = try await device.register(1, presenting: device.secret)
            }
            _ = try await device.register(1, presenting: "another secret")
            try await expectRefusal(.installationSecretRequired, "no secret after it was confirmed") {
                _ = try await device.register(1)
            }
        },
        Check("confirming tells the right secret from others and counts as presenting it") { world in
            let (app, other) = (try await world.makeApp("one"), try await world.makeApp("two"))
            let device = Device(world, app)
            _ = try await device.register(1)
            let right = SecretHash(of: device.secret)
            let store = world.store
            try expect(
                try await store.confirmInstallation(app.row, device.id, secret: SecretHash(of: "x")),
                is: false,
                "wrong"
            )
            try expect(try await store.confirmInstallation(other.row, device.id, secret: right), is: false, "other app")
            try expect(
                try await store.confirmInstallation(app.row, world.makeID(), secret: right),
                is: false,
                "other id"
            )
            try expect(try await store.confirmInstallation(app.row, device.id, secret: right), is: true, "right")
            try await expectRefusal(.installationSecretRequired, "no secret after it was confirmed") {
                _ = try await device.register(1)
            }
        },
        Check("an installation finds its endpoint in its app, until that is removed") { world in
            let (app, other) = (try await world.makeApp("one"), try await world.makeApp("two"))
            let device = Device(world, app)
            let endpoint = try await device.register(1).endpoint
            let own = EndpointSelector.installation(device.id)
            try expect(try await world.store.endpoint(app.row, own), is: endpoint, "its endpoint")
            try expect(try await world.store.endpoint(other.row, own), is: nil, "in another app")
            let firebase = try await device.register(2, on: .fcm, presenting: device.secret).endpoint
            try expect(try await world.store.endpoint(app.row, own)?.id, is: firebase.id, "after it moved")
            let removed = EndpointUpdate(status: .removed(.byRequest))
            _ = try await world.store.updateEndpoint(firebase.row, removed)
            try expect(try await world.store.endpoint(app.row, own), is: nil, "once it is removed")
        },
        Check("an installation's token rotates without being named") { world in
            let app = try await world.makeApp()
            let device = Device(world, app)
            let first = try await device.register(1, owner: .user("ann"))
            let second = try await device.register(2, presenting: device.secret)
            try expect(second.endpoint.id, is: first.endpoint.id, "endpoint")
            try expect(second.endpoint.token, is: world.token(2), "token")
            try expect(second.endpoint.user?.id, is: "ann", "user")
            let other = try await world.register(app, 1)
            try expect(other.id != first.endpoint.id, "the old token still belongs to the endpoint")
        },
        Check("a copy of an installation is refused once the installation has another token") { world in
            let app = try await world.makeApp()
            let device = Device(world, app)
            _ = try await device.register(1)
            let rotated = try await device.register(2, presenting: device.secret, issuing: "second secret")
            try expect(rotated.isSecretIssued, is: true, "secret for another token")
            for token in [1, 3] {
                try await expectRefusal(.installationSecretRequired, "the first secret with token \(token)") {
                    _ = try await device.register(token, presenting: device.secret)
                }
            }
            let endpoint = try await world.endpoint(app, rotated.endpoint.row)
            try expect(endpoint.token, is: world.token(2), "the token that the copy did not take over")
            let again = try await device.register(2, presenting: device.secret, issuing: "third secret")
            try expect(again.isSecretIssued, is: true, "secret after a lost answer")
            let known = try await device.register(2, presenting: "third secret")
            try expect(known.isSecretIssued, is: false, "secret once it was presented")
            try await expectRefusal(.installationSecretRequired, "the first secret after that") {
                _ = try await device.register(2, presenting: device.secret)
            }
        },
        Check("an installation is reached on one platform: the last one that it registered on") { world in
            let app = try await world.makeApp()
            let device = Device(world, app)
            let apple = try await device.register(1, owner: .user("ann"))
            let firebase = try await device.register(2, on: .fcm, presenting: device.secret, issuing: "second secret")
            try expect(firebase.isNew, is: true, "new")
            try expect(firebase.isSecretIssued, is: true, "secret for another token")
            try expect(firebase.endpoint.user?.id, is: "ann", "user")
            try expect(firebase.endpoint.installation, is: device.id, "installation")
            try expect(try await world.endpoint(app, apple.endpoint.row).status, is: .removed(.replaced), "Apple's")
            let anns = try await world.store.endpoints(app.row, user: "ann", PageRequest()).items
            try expect(anns, is: [firebase.endpoint], "ann's")
            try await expectRefusal(.installationSecretRequired, "the first secret with the first token") {
                _ = try await device.register(1, presenting: device.secret)
            }
            let again = try await device.register(2, on: .fcm, presenting: device.secret, issuing: "third secret")
            try expect(again.isSecretIssued, is: true, "secret after a lost answer")
            _ = try await device.register(2, on: .fcm, presenting: "third secret", owner: .user("bob"))
            let back = try await device.register(1, presenting: "third secret", issuing: "fourth secret")
            try expect(back.endpoint.id, is: apple.endpoint.id, "the endpoint of the first token")
            try expect(back.endpoint.status, is: .enabled, "its status")
            try expect(back.endpoint.user?.id, is: "bob", "its user")
            try expect(
                try await world.endpoint(app, firebase.endpoint.row).status,
                is: .removed(.replaced),
                "Firebase's"
            )
        },
        Check("another platform's token counts no device more") { world in
            let app = try await world.makeApp()
            let device = Device(world, app)
            _ = try await device.register(1, owner: .user("ann"), limit: 1)
            let firebase = try await device.register(2, on: .fcm, presenting: device.secret, limit: 1)
            try expect(firebase.endpoint.user?.id, is: "ann", "user")
        },
        Check("an installation that takes over another one's token leaves its own endpoint") { world in
            let app = try await world.makeApp()
            let (ann, bob) = (Device(world, app), Device(world, app))
            let anns = try await ann.register(1, owner: .user("ann"))
            let bobs = try await bob.register(2, owner: .user("bob"))
            let moved = try await bob.register(1, presenting: bob.secret, owner: .user("bob"))
            try expect(moved.endpoint.id, is: anns.endpoint.id, "the token's endpoint")
            try expect(moved.endpoint.installation, is: bob.id, "its installation")
            try expect(moved.endpoint.user?.id, is: "bob", "its user")
            try expect(try await world.endpoint(app, bobs.endpoint.row).status, is: .removed(.replaced), "bob's own")
        },
        Check("another installation's token is not taken over by naming it as the previous one") { world in
            let app = try await world.makeApp()
            let (ann, mallory) = (Device(world, app), Device(world, app))
            let anns = try await ann.register(1, owner: .user("ann"))
            let claimed = try await mallory.register(2, owner: .user("ann"), previous: 1)
            try expect(claimed.isNew, is: true, "new")
            try expect(try await world.endpoint(app, anns.endpoint.row), is: anns.endpoint, "the other endpoint")
        },
        Check("a re-install is a new endpoint") { world in
            let app = try await world.makeApp()
            let first = try await Device(world, app).register(1, owner: .user("ann"))
            let second = try await Device(world, app).register(2, owner: .user("ann"))
            try expect(second.isNew, is: true, "new")
            try expect(
                try await world.endpoint(app, first.endpoint.row).status,
                is: .enabled,
                "the old one, until it ages"
            )
        },
    ]

    /// One install of an app.
    private struct Device: Sendable {
        let world: World
        let app: App
        let id: PublicID
        let secret = "first secret"

        init(_ world: World, _ app: App) {
            self.world = world
            self.app = app
            id = world.makeID()
        }

        func register(
            _ number: Int,
            on platform: Platform = .apns,
            presenting secret: String? = nil,
            issuing issued: String = "first secret",
            owner: Registration.Owner = .unchanged,
            previous: Int? = nil,
            limit: Int? = nil
        ) async throws -> Registered {
            let claim = Registration.InstallationClaim(
                id: id,
                presented: secret.map { SecretHash(of: $0) },
                issued: SecretHash(of: issued)
            )
            var registration = Registration(
                app: app.row,
                platform: platform,
                token: world.token(number),
                environment: .production,
                previousToken: previous.map { world.token($0) },
                installation: claim,
                owner: owner
            )
            registration.deviceLimit = limit
            return try await world.store.register(registration)
        }
    }

    /// Lists and changes of endpoints and users.
    static let endpoints: [Check] = [
        Check("endpoints are listed by age in pages without the removed ones, of one user or of all") { world in
            let (app, other) = (try await world.makeApp("one"), try await world.makeApp("two"))
            var made: [Endpoint] = []
            for number in 0..<7 {
                made.append(try await world.register(app, number, user: number.isMultiple(of: 2) ? "ann" : nil))
            }
            try await world.register(other, 1, user: "ann")
            let update = EndpointUpdate(status: .removed(.byRequest))
            _ = try await world.store.updateEndpoint(made.remove(at: 2).row, update)
            _ = try await world.store.updateEndpoint(made[0].row, EndpointUpdate(status: .disabled(.byRequest)))
            let all = try await world.readAll(pagesOf: 2) { try await world.store.endpoints(app.row, user: nil, $0) }
            try expect(all.map(\.id), is: made.map(\.id), "all endpoints")
            let anns = try await world.readAll(pagesOf: 2) { try await world.store.endpoints(app.row, user: "ann", $0) }
            try expect(anns.map(\.id), is: made.filter { $0.user?.id == "ann" }.map(\.id), "ann's endpoints")
            try expect(try await world.store.endpoints(app.row, user: "bob", PageRequest()).items, is: [], "bob's")
        },
        Check("an update writes what it names and nothing else") { world in
            let app = try await world.makeApp()
            let endpoint = try await world.register(app, 1, user: "ann")
            let store = world.store
            let device = EndpointUpdate(device: DeviceInfo(model: "iPhone16,1"))
            var expected = endpoint
            expected.device.model = "iPhone16,1"
            try expect(try await store.updateEndpoint(endpoint.row, device), is: expected, "after a new device")
            expected.status = .disabled(.byRequest)
            let disabled = EndpointUpdate(status: .disabled(.byRequest))
            try expect(try await store.updateEndpoint(endpoint.row, disabled), is: expected, "after disabling")
            expected.status = .enabled
            try expect(
                try await store.updateEndpoint(endpoint.row, EndpointUpdate(status: .enabled)),
                is: expected,
                "after enabling"
            )
            let bobs = try await store.updateEndpoint(endpoint.row, EndpointUpdate(owner: .user("bob")))
            try expect(bobs.user?.id, is: "bob", "user")
            let anonymous = try await store.updateEndpoint(endpoint.row, EndpointUpdate(owner: .nobody))
            try expect(anonymous.user, is: nil, "user of an anonymous one")
            try await expectRefusal(.notFound, "an endpoint that does not exist") {
                _ = try await store.updateEndpoint(RowID(99), disabled)
            }
        },
    ]
}
