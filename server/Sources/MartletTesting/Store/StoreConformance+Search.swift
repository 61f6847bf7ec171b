import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Notifications by their texts, and people by what is known of them.
    static let search: [Check] = [
        Check("search: a text in title or body, whatever its case, by page, newest first") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            let texts: [(String?, String?)] = [
                ("Line 4 is late", nil), (nil, "Trains of LINE 4 run"), ("Linie 4", "Verspätung"), ("line 40", "x"),
                ("Grüße aus KÖLN", nil), ("a \"quoted\" word", nil), ("back\\slash", "line\nbreak"),
            ]
            var sent: [Notification] = []
            for (title, body) in texts { sent.append(try await world.say(app, title, body)) }
            _ = try await world.say(other, "Line 4 elsewhere", nil)
            let expected: [(String, [Int])] = [
                ("line 4", [3, 1, 0]), ("LINE 4 IS", [0]), ("köln", [4]), ("VERSPÄTUNG", [2]), ("\"quoted", [5]),
                ("k\\s", [6]), ("e\nb", [6]), ("title", []), ("100%", []), ("_", []),
            ]
            for (text, indexes) in expected {
                let filter = NotificationFilter(app: app.row, search: ContentSearch(text))
                try expect(try await world.list(filter).map(\.id), is: indexes.map { sent[$0].id }, "'\(text)'")
            }
            let all = try await world.list(NotificationFilter(search: ContentSearch("line 4")))
            try expect(all.count, is: 4, "of all apps")
        },
        Check("search: beside a state and a moment, which limit a list without a text too") { world in
            let app = try await world.makeApp()
            let first = try await world.say(app, "one", nil)
            world.clock.advance(by: .seconds(60))
            let moment = world.now
            let second = try await world.say(app, "one", nil, sendAt: moment + .seconds(60))
            _ = try await world.store.cancel(second.row)
            let third = try await world.say(app, "two", nil)
            var filter = NotificationFilter(app: app.row, since: moment)
            try expect(try await world.list(filter).map(\.id), is: [third.id, second.id], "since")
            filter.search = ContentSearch("ONE")
            try expect(try await world.list(filter).map(\.id), is: [second.id], "since, with a text")
            filter = NotificationFilter(app: app.row, state: .cancelled, search: ContentSearch("one"))
            try expect(try await world.list(filter).map(\.id), is: [second.id], "cancelled")
            filter = NotificationFilter(app: app.row, state: .done, search: ContentSearch("one"))
            try expect(try await world.list(filter).map(\.id), is: [first.id], "done")
            for year: Int64 in [-62_000_000_000_000, 250_000_000_000_000] {
                let filter = NotificationFilter(app: app.row, since: Timestamp(milliseconds: year))
                try expect(try await world.list(filter).count, is: year < 0 ? 3 : 0, "since \(year)")
            }
        },
        Check("search: notifications by dedup key, category and person, alone and together") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let dedup = Dedup(key: "k")
            let one = try await world.store.submit(
                world.draft(app, to: .users(["ann"]), dedup: dedup),
                idempotency: nil
            )
            world.clock.advance(by: .seconds(1))
            let two = try await world.store.submit(
                world.draft(app, to: .users(["bob"]), dedup: dedup),
                idempotency: nil
            )
            _ = try await world.store.submit(world.draft(app), idempotency: nil)
            var filter = NotificationFilter()
            filter.dedupKey = "k"
            try expect(try await world.list(filter).map(\.id), is: [two.id, one.id], "of all apps")
            filter.app = app.row
            try expect(try await world.list(filter).map(\.id), is: [two.id, one.id], "of one app")
            filter.category = RowID(7)
            try expect(try await world.list(filter).map(\.id), is: [], "of another category")
            filter = NotificationFilter(app: app.row)
            filter.user = "nobody"
            try expect(try await world.list(filter).map(\.id), is: [], "of nobody")
        },
        Check("search: people by the beginning of their id, twenty at most, those of one app or of all") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            for (number, user) in ["ann", "anna", "Ann", "bob", "ann%", "änn"].enumerated() {
                try await world.register(app, number, user: user)
            }
            try await world.register(other, 1, user: "ann")
            let found = try await world.people("ann", app)
            try expect(found.map(\.user), is: ["ann", "ann%", "anna"], "of one app")
            try expect(found.allSatisfy { $0.match == .userID && $0.endpoint == nil }, "matches")
            try expect(try await world.people("ann", nil).map(\.app), is: [app, app, app, other].map(\.row), "of all")
            try expect(try await world.people("ä", app).map(\.user), is: ["änn"], "by bytes")
            try expect(try await world.people("%", app).isEmpty, "no pattern")
            for number in 10..<40 { try await world.register(app, number, user: "many-\(number)") }
            try expect(try await world.people("many", app).count, is: PersonSearch.limit, "many")
            try await world.store.eraseUser("bob", of: app.row)
            try expect(try await world.people("bob", app).isEmpty, "erased")
        },
        Check("search: people by a device's whole token on any platform, and by an installation") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            let phone = try await world.register(app, 1, user: "ann")
            let anonymous = try await world.register(other, 1)
            let found = try await world.people(world.token(1), nil)
            try expect(found.map(\.endpoint), is: [phone.id, anonymous.id], "devices")
            try expect(found.map(\.user), is: ["ann", nil], "users")
            try expect(found.allSatisfy { $0.match == .token && $0.platform == .apns }, "matches")
            try expect(try await world.people(world.token(1), other).map(\.endpoint), is: [anonymous.id], "of one app")
            try expect(try await world.people(String(world.token(1).dropLast()), nil).isEmpty, "a part of a token")
            let id = world.makeID()
            let registration = Registration(
                app: app.row,
                platform: .fcm,
                token: "fcm-token",
                environment: .production,
                installation: Registration.InstallationClaim(id: id, presented: nil, issued: SecretHash(of: "secret")),
                owner: .user("bob")
            )
            let tablet = try await world.store.register(registration).endpoint
            let hits = try await world.people(id.description, app)
            try expect(hits.map(\.endpoint), is: [tablet.id], "by installation")
            try expect(hits.map(\.match), is: [.installation], "match")
            try expect(hits.map(\.user), is: ["bob"], "user")
            try expect(try await world.people("fcm-token", app).map(\.endpoint), is: [tablet.id], "of another platform")
        },
    ]
}

extension World {
    /// Sends something to nobody, now or later.
    fileprivate func say(
        _ app: App,
        _ title: String?,
        _ body: String?,
        sendAt: Timestamp? = nil
    ) async throws -> Notification {
        clock.advance(by: .milliseconds(1))
        var draft = draft(app, to: .users(["nobody"]), sendAt: sendAt)
        draft.content = Content(title: title, body: body)
        let sent = try await submit(draft)
        try await fanOut()
        return sent
    }

    /// Notifications that a filter lets through, read in pages of two.
    fileprivate func list(_ filter: NotificationFilter) async throws -> [Notification] {
        try await readAll(pagesOf: 2) { try await store.notifications(.matching(filter), $0) }
    }

    /// Whom a text stands for, on a server without providers.
    fileprivate func people(_ text: String, _ app: App?) async throws -> [PersonHit] {
        try await store.people(PersonSearch(text, app: app?.row, providers: [:]))
    }
}
