import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Several registrations at once.
    static let batchRegistration: [Check] = [
        Check("many registrations at once have their outcomes by position") { world in
            let app = try await world.makeApp()
            let first = try await world.register(app, 7, user: "ann")
            let outcomes = try await world.store.register((0..<600).map { world.registration(app, $0, "user\($0)") })
            try expect(outcomes.count, is: 600, "outcomes")
            for (number, outcome) in outcomes.enumerated() {
                let registered = try outcome.get()
                try expect(registered.endpoint.token, is: world.token(number), "token \(number)")
                try expect(registered.endpoint.user?.id, is: "user\(number)", "user \(number)")
                try expect(registered.isNew, is: number != 7, "new \(number)")
            }
            try expect(try outcomes[7].get().endpoint.id, is: first.id, "the endpoint that was known")
            try expect(try await world.store.register([]).count, is: 0, "outcomes of none")
        },
        Check("of two registrations of one token at once the later one wins") { world in
            let app = try await world.makeApp()
            let outcomes = try await world.store.register(
                [(1, "ann"), (2, "eve"), (1, "bob")].map { world.registration(app, $0.0, $0.1) }
            )
            let (first, last) = (try outcomes[0].get(), try outcomes[2].get())
            try expect(last.endpoint.id, is: first.endpoint.id, "endpoint")
            try expect([first.isNew, last.isNew], is: [true, false], "new")
            try expect(try await world.endpoint(app, first.endpoint.row).user?.id, is: "bob", "user")
        },
        Check("a registration that is refused writes nothing and leaves the others alone") { world in
            let (app, gone) = (try await world.makeApp(), try await world.makeApp("gone"))
            try await world.store.deleteApp(gone.row)
            var limited = world.registration(app, 2, "ann")
            limited.deviceLimit = 1
            limited.installation = Registration.InstallationClaim(
                id: world.makeID(),
                presented: nil,
                issued: SecretHash(of: "secret")
            )
            let outcomes = try await world.store.register([
                world.registration(gone, 1, "ann"), world.registration(app, 1, "ann"), limited,
                world.registration(app, 3, "bob"),
            ])
            let codes = outcomes.map { outcome -> ErrorCode? in
                if case .failure(let failure) = outcome { failure.code } else { nil }
            }
            try expect(codes, is: [.notFound, nil, .tooManyRequests, nil], "refusals")
            let listed = try await world.store.endpoints(app.row, user: nil, PageRequest()).items
            try expect(listed.map(\.token), is: [world.token(1), world.token(3)], "endpoints")
            limited.deviceLimit = nil
            try expect(try await world.store.register(limited).isSecretIssued, is: true, "secret of a new installation")
        },
    ]
}

extension World {
    fileprivate func registration(_ app: App, _ number: Int, _ user: String) -> Registration {
        Registration(app: app.row, platform: .apns, token: token(number), owner: .user(user))
    }
}
