import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Whose an event without a user is.
    static let eventUsers: [Check] = [
        Check("events before a login are joined to who logs in, by the registration") { world in
            let app = try await world.makeApp()
            let phone = try await world.phone(app, token: 1)
            try await world.record([world.event(.delivery, message: "a", of: phone.id)], app)
            try expect(try await world.users(), is: [nil], "before the login")
            try await world.phone(app, phone, token: 1, owner: .user("ann"))
            try expect(try await world.users(), is: ["ann"], "after the login")
            try await world.record([world.event(.open, message: "a", of: phone.id)], app)
            try expect(try await world.users(), is: ["ann", "ann"], "an event that was late")
        },
        Check("after a logout events wait for the next user, and those of the last one stay theirs") { world in
            let app = try await world.makeApp()
            let phone = try await world.phone(app, token: 1)
            try await world.record([world.event(.delivery, message: "a", of: phone.id)], app)
            try await world.phone(app, phone, token: 1, owner: .user("ann"))
            try await world.phone(app, phone, token: 1, owner: .nobody)
            try await world.record([world.event(.delivery, message: "b", of: phone.id)], app)
            try expect(try await world.users(), is: ["ann", nil], "after the logout")
            try await world.phone(app, phone, token: 1, owner: .user("bob"))
            try expect(try await world.users(), is: ["ann", "bob"], "after the second login")
            try await world.record([world.event(.open, message: "b", of: phone.id)], app)
            try expect(try await world.users(), is: ["ann", "bob", "bob"], "afterwards")
        },
        Check("one user after another without a logout: each has what came before their login") { world in
            let app = try await world.makeApp()
            let phone = try await world.phone(app, token: 1)
            try await world.record([world.event(.delivery, message: "a", of: phone.id)], app)
            for user in ["ann", "bob"] { try await world.phone(app, phone, token: 1, owner: .user(user)) }
            try await world.record([world.event(.open, message: "a", of: phone.id)], app)
            try expect(try await world.users(), is: ["ann", "bob"], "users")
        },
        Check("events that name a token alone are joined by it, by an event or by a registration") { world in
            let app = try await world.makeApp()
            func event(_ token: String, user: String? = nil) -> EventDraft {
                var event = world.event(user == nil ? .delivery : .tokenRegister, message: nil)
                event.apnsToken = token
                event.user = user
                return event
            }
            let tokens = [world.token(1), world.token(2), world.token(3)]
            try await world.record(tokens.map { event($0) }, app)
            try await world.record([event(tokens[0], user: "ann")], app)
            try await world.register(app, 2, user: "bob")
            try expect(try await world.users(), is: ["ann", "bob", nil, "ann"], "users")
        },
        Check("a stranger's token beside an installation joins nothing") { world in
            let app = try await world.makeApp()
            let victim = try await world.phone(app, token: 1)
            let thief = try await world.phone(app, token: 2)
            var seen = world.event(.delivery, message: "a", of: victim.id)
            seen.apnsToken = world.token(1)
            var claim = world.event(.tokenRegister, message: nil, of: thief.id)
            claim.apnsToken = world.token(1)
            claim.user = "mallory"
            try await world.record([seen], app)
            try await world.record([claim], app)
            try expect(try await world.users(), is: [nil, "mallory"], "users")
        },
        Check("after a re-install under the same token, the first install's events are the user's too") { world in
            let app = try await world.makeApp()
            let first = try await world.phone(app, token: 1)
            var event = world.event(.delivery, message: "a", of: first.id)
            event.apnsToken = world.token(1)
            try await world.record([event], app)
            try await world.phone(app, token: 1, owner: .user("ann"))
            try expect(try await world.users(), is: ["ann"], "users")
        },
        Check("a server that changes a device's owner joins and parts its events as well") { world in
            let app = try await world.makeApp()
            let phone = try await world.phone(app, token: 1)
            try await world.record([world.event(.delivery, message: "a", of: phone.id)], app)
            let row = phone.endpoint.row
            _ = try await world.store.updateEndpoint(row, EndpointUpdate(owner: .user("ann")))
            _ = try await world.store.updateEndpoint(row, EndpointUpdate(owner: .nobody))
            try await world.record([world.event(.delivery, message: "b", of: phone.id)], app)
            try expect(try await world.users(), is: ["ann", nil], "users")
        },
        Check("where users are proven, an event of another user is kept without one, and joined to none") { world in
            let app = try await world.makeApp()
            let phone = try await world.phone(app, token: 1, owner: .user("ann"))
            let events = ["ann", "bob", "cat", nil].map { user in
                var event = world.event(.open, message: "a", of: phone.id)
                event.user = user
                return event
            }
            try await world.record(events, app, users: .proven("cat"))
            try expect(try await world.users(), is: ["ann", nil, "cat", "ann"], "users")
            try await world.phone(app, phone, token: 1, owner: .user("dan"))
            try expect(try await world.users(), is: ["ann", nil, "cat", "ann"], "users later")
        },
    ]
}

extension World {
    /// An installation that a check plays.
    struct Phone: Sendable {
        var id: PublicID
        /// Its secret's hash.
        var secret: SecretHash
        /// What it registered.
        var endpoint: Endpoint
    }

    /// Registers an installation, a new one unless one is given.
    @discardableResult
    func phone(
        _ app: App,
        _ phone: Phone? = nil,
        token number: Int,
        owner: Registration.Owner = .unchanged
    ) async throws -> Phone {
        let id = phone?.id ?? makeID()
        let secret = phone?.secret ?? SecretHash(of: id.description)
        let claim = Registration.InstallationClaim(id: id, presented: phone?.secret, issued: secret)
        let registration = Registration(
            app: app.row,
            platform: .apns,
            token: token(number),
            installation: claim,
            owner: owner
        )
        return Phone(id: id, secret: secret, endpoint: try await store.register(registration).endpoint)
    }

    /// The users of all events, in the order of their receipt.
    func users() async throws -> [String?] {
        try await store.events(EventFilter(), PageRequest()).items.map(\.draft.user)
    }
}
