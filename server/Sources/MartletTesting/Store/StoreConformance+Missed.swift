import MartletCore
import MartletWire

extension StoreConformance {
    /// Who did not get a notification, and why.
    static let missed: [Check] = [
        Check("missed: people without a device first, then devices, by page, and nobody who got it or whose push waits")
        {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            var devices: [Endpoint] = []
            for number in 1...6 { devices.append(try await world.register(app, number, user: "user-\(number)")) }
            _ = try await world.store.updateEndpoint(devices[1].row, EndpointUpdate(status: .disabled(.byRequest)))
            let people = (1...6).map { "user-\($0)" } + ["cid", "dan"]
            let sent = try await world.send(app, to: .users(people))
            var leased = try await world.leaseOne(queue).settlement
            let members = leased.batch.members
            leased.results = [
                world.result(members[0]), world.result(members[1], .rejected, reason: "BadTopic"),
                world.result(members[2], .expired), world.result(members[3], .dead, reason: "HTTP 503"),
            ]
            try await world.store.settle(leased)
            let missed = try await world.missed(sent)
            try expect(missed.map(\.user), is: ["cid", "dan", "user-2", "user-3", "user-4", "user-5"], "users")
            try expect(missed.map(\.endpoint), is: [nil, nil] + devices[1...4].map(\.id), "devices")
            let states: [DeliveryReport.State] = [.suppressed, .suppressed, .suppressed, .rejected, .expired, .dead]
            try expect(missed.map(\.state), is: states, "states")
            let words = ["no_endpoint", "no_endpoint", "endpoint_disabled", "BadTopic", "expired", "HTTP 503"]
            try expect(missed.map(\.word), is: words, "reasons")
        },
        Check("missed: of one reason or one state only those, by page") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...4 { try await world.register(app, number, user: "user-\(number)") }
            let sent = try await world.send(app, to: .users((1...4).map { "user-\($0)" } + ["cid", "dan", "eve"]))
            var leased = try await world.leaseOne(queue).settlement
            let members = leased.batch.members
            leased.results = [
                world.result(members[0], .rejected, reason: "BadTopic"),
                world.result(members[1], .dead, reason: "Reset"),
                world.result(members[2], .rejected, reason: "Gone"),
                world.result(members[3], .rejected, reason: "Gone"),
            ]
            try await world.store.settle(leased)
            let expected: [(reason: String, users: [String])] = [
                ("no_endpoint", ["cid", "dan", "eve"]), ("suppressed", ["cid", "dan", "eve"]),
                ("BadTopic", ["user-1"]), ("dead", ["user-2"]), ("Reset", ["user-2"]), ("Gone", ["user-3", "user-4"]),
                ("rejected", ["user-1", "user-3", "user-4"]), ("accepted", []), ("pending", []), ("preference_off", []),
            ]
            for (reason, users) in expected {
                try expect(try await world.missed(sent, reason).map(\.user), is: users, reason)
            }
        },
        Check("missed: a page of one reason looks at a hundred lines for each it may hold, and the next goes on there")
        {
            world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "user-450")
            let off = PreferencesDraft(user: "user-450", master: PreferencePatch(enabled: .value(false)))
            _ = try await world.store.changePreferences([off], of: app.row, actor: "test")[0].get()
            let sent = try await world.send(app, to: .users((1...450).map { "user-\($0)" }))
            let lines = try await world.missed(sent)
            let place = try unwrap(lines.firstIndex { $0.word == "preference_off" }, "who switched it off")
            var (pages, after) = ([[String]](), Int64?.none)
            repeat {
                let page = try await world.store.missed(
                    sent.row,
                    reason: "preference_off",
                    PageRequest(after: after, count: 2)
                )
                pages.append(page.items.compactMap(\.user))
                after = page.next
            } while after != nil
            var expected = [[String]](repeating: [], count: 3)
            expected[place / 200] = ["user-450"]
            try expect(pages, is: expected, "pages")
        },
        Check("missed: who switched it off stands there as a person, and says whether that was late") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            try await world.register(app, 2, user: "bob")
            let off = PreferencesDraft(user: "ann", master: PreferencePatch(enabled: .value(false)))
            _ = try await world.store.changePreferences([off], of: app.row, actor: "test")[0].get()
            let sent = try await world.send(app)
            let missed = try await world.missed(sent)
            try expect(missed.map(\.user), is: ["ann"], "people")
            try expect(missed.map(\.endpoint), is: [nil], "devices")
            try expect(missed.map(\.statement), is: ["The user does not want it."], "sentences")
        },
        Check("missed: a late answer that it was accepted takes a line back") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let phone = try await world.register(app, 1, user: "ann")
            let sent = try await world.send(app)
            let first = try await world.leaseOne(queue)
            world.clock.advance(by: Lease.duration + .seconds(1))
            let second = try await world.leaseOne(queue)
            var settlement = second.settlement
            let member = second.batch.members[0]
            settlement.suppressions = [
                Suppression(endpoint: member.endpoint, user: member.user, reason: .endpointRemoved)
            ]
            try await world.store.settle(settlement)
            try expect(try await world.missed(sent).map(\.endpoint), is: [phone.id], "before")
            try await world.settle(first)
            try expect(try await world.missed(sent).isEmpty, "after")
        },
    ]
}

extension World {
    /// Who did not get a notification, read in pages of two.
    func missed(_ notification: Notification, _ reason: String? = nil) async throws -> [DeliveryReport] {
        try await readAll(pagesOf: 2) { try await store.missed(notification.row, reason: reason, $0) }
    }
}
