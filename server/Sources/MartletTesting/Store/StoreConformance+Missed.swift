import MartletCore
import MartletStore
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
            let states: [DeliveryState] = [.suppressed, .suppressed, .suppressed, .rejected, .expired, .dead]
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
            let off = PreferencesDraft(user: "user-450", master: ChannelPatch(enabled: .value(false)))
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
            let off = PreferencesDraft(user: "ann", master: ChannelPatch(enabled: .value(false)))
            _ = try await world.store.changePreferences([off], of: app.row, actor: "test")[0].get()
            let sent = try await world.send(app)
            let missed = try await world.missed(sent)
            try expect(missed.map(\.user), is: ["ann"], "people")
            try expect(missed.map(\.endpoint), is: [nil], "devices")
            try expect(missed.map(\.statement), is: ["The user does not want it."], "sentences")
        },
        Check("missed: who has it on another device is said to, wherever that device is now") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            // Two devices each; of these the second takes it, of eve neither.
            let people = ["ann", "bob", "cid", "dan", "eve"]
            for number in 1...5 { try await world.register(app, number, user: people[number - 1]) }
            var seconds: [Endpoint] = []
            for number in 6...10 { seconds.append(try await world.register(app, number, user: people[number - 6])) }
            try await world.register(app, 11)
            let sent = try await world.send(app)
            var leased = try await world.leaseOne(queue).settlement
            let accepted = Set(seconds.prefix(4).map(\.row))
            leased.results = leased.batch.members.map { member in
                accepted.contains(member.endpoint)
                    ? world.result(member) : world.result(member, .rejected, reason: "BadTopic")
            }
            try await world.store.settle(leased)
            _ = try await world.store.updateEndpoint(seconds[1].row, EndpointUpdate(status: .removed(.byRequest)))
            try await world.register(app, 8, user: "zoe")
            let all = try await world.missed(sent)
            try expect(all.map(\.user), is: ["ann", "bob", "cid", "dan", "eve", "eve", nil], "all")
            try expect(all.map(\.isReachedOtherwise), is: [true, true, true, true, false, false, false], "elsewhere")
            let without = try await world.missed(sent, reachedOtherwise: false)
            try expect(without.map(\.user), is: ["eve", "eve", nil], "on no device")
            let with = try await world.missed(sent, "BadTopic", reachedOtherwise: true)
            try expect(with.map(\.user), is: Array(people.prefix(4)), "on another one, of one reason")
            try expect(try await world.missed(sent, "expired", reachedOtherwise: true).count, is: 0, "of no reason")
        },
        Check("missed: a page of those on no device looks past ten pages of others at most, and the next goes on there")
        {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            // The last of thirty has one device.
            for number in 1...30 { try await world.register(app, number, user: "user-\(number)") }
            for number in 31...59 { try await world.register(app, number, user: "user-\(number - 30)") }
            let sent = try await world.send(app)
            var leased = try await world.leaseOne(queue).settlement
            let members = leased.batch.members.sorted { $0.endpoint < $1.endpoint }
            leased.results = members.prefix(30).map { world.result($0, .expired) }
            leased.results += members.dropFirst(30).map { world.result($0) }
            try await world.store.settle(leased)
            let first = try await world.store.missed(sent.row, reachedOtherwise: false, PageRequest(count: 2))
            try expect(first.items.count, is: 0, "the first twenty lines have none")
            try expect(first.next, is: members[19].endpoint.rawValue, "where the next goes on")
            let rest = PageRequest(after: first.next, count: 2)
            let second = try await world.store.missed(sent.row, reachedOtherwise: false, rest)
            try expect(second.items.map(\.user), is: ["user-30"], "the last one")
            try expect(second.next, is: nil, "the end")
            let full = try await world.store.missed(sent.row, reachedOtherwise: true, PageRequest(count: 7))
            try expect(full.items.compactMap(\.user), is: (1...7).map { "user-\($0)" }, "a page that is full")
            try expect(full.next, is: members[6].endpoint.rawValue, "its last")
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
    func missed(
        _ notification: Notification,
        _ reason: String? = nil,
        reachedOtherwise: Bool? = nil
    ) async throws -> [DeliveryReport] {
        try await readAll(pagesOf: 2, mayBeShort: reason != nil || reachedOtherwise != nil) {
            try await store.missed(notification.row, reason: reason, reachedOtherwise: reachedOtherwise, $0)
        }
    }
}
