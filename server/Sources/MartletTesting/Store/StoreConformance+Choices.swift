import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What people chose, as an audience has it.
    static let choices: [Check] = [
        Check("who switched a category or all off gets nothing, once each, and everybody else does") { world in
            let app = try await world.makeApp()
            let follow = try await world.makeCategory(app, "follow")
            let other = try await world.makeCategory(app, "comment")
            for (number, user) in ["all", "all", "follow", "comment", "nothing"].enumerated() {
                try await world.register(app, number, user: user)
            }
            try await world.register(app, 9)
            let off = ChannelPatch(push: .value(false))
            try await world.change(app, "all", master: off)
            try await world.change(app, "follow", categories: [follow.row: off])
            try await world.change(app, "comment", categories: [other.row: off])
            let sent = try await world.sendCategory(app, follow)
            try expect(sent.counts, is: DeliveryCounts(pending: 3, suppressed: 2), "counts")
            let reports = try await world.store.suppressions(sent.row, PageRequest()).items
            try expect(Set(reports.map(\.user)), is: ["all", "follow"], "who got nothing")
            try expect(reports.map(\.reason), is: ["preference_off", "preference_off"], "reasons")
            try expect(reports.map(\.endpoint), is: [nil, nil], "endpoints")
            try expect(reports.map(\.detail), is: [nil, nil], "details")
            let plain = try await world.send(app)
            try expect(plain.counts, is: DeliveryCounts(pending: 4, suppressed: 1), "without a category")
        },
        Check("a default is for who chose nothing, and a required channel is nobody's to switch off") { world in
            let app = try await world.makeApp()
            let opt = try await world.makeCategory(app, "opt", defaults: ChannelChoice(enabled: false))
            let login = try await world.makeCategory(app, "login", required: [.push])
            for (number, user) in ["in", "out", "none"].enumerated() {
                try await world.register(app, number, user: user)
            }
            try await world.change(app, "in", categories: [opt.row: ChannelPatch(enabled: .value(true))])
            try await world.change(app, "out", master: ChannelPatch(enabled: .value(false)))
            let chosen = try await world.sendCategory(app, opt)
            try expect(chosen.counts, is: DeliveryCounts(pending: 1, suppressed: 2), "who chose it")
            try expect(try await world.sendCategory(app, login).counts, is: DeliveryCounts(pending: 3), "required")
        },
        Check("whatever people change while an audience is read counts for the next notification") { world in
            let app = try await world.makeApp()
            let follow = try await world.makeCategory(app, "follow")
            let users = ["a", "b", "c", "d", "e", "f"]
            for (number, user) in users.enumerated() { try await world.register(app, number, user: user) }
            let (on, off) = (ChannelPatch(push: .value(true)), ChannelPatch(push: .value(false)))
            for user in ["a", "b", "c"] { try await world.change(app, user, categories: [follow.row: off]) }
            var draft = world.draft(app)
            draft.category = follow
            let sent = try await world.submit(draft)
            try await world.change(app, "d", master: off)
            let leased = try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()).first
            var position = try unwrap(leased, "fan-out")
            for user in ["a", "e"] {
                try await world.change(app, user, categories: [follow.row: on])
                try await world.change(app, user, categories: [follow.row: off])
                try await world.change(app, user, categories: [follow.row: on])
            }
            try await world.change(app, "b", master: off, categories: [follow.row: on])
            try await world.change(app, "f", categories: [follow.row: off])
            var change = CategoryUpdate()
            change.default = ChannelPatch(push: .value(false))
            _ = try await world.store.updateCategory(follow.row, change, actor: "admin")
            position = try unwrap(try await world.readOne(position), "rest")
            // Another worker goes on with it.
            try await world.store.endLease(.releaseFanOut(position))
            try await world.fanOut(pageSize: 2)
            let deliveries = try await world.store.deliveries(sent.row, PageRequest()).items
            try expect(deliveries.map(\.user), is: ["e", "f"], "who gets it")
            let suppressions = try await world.store.suppressions(sent.row, PageRequest()).items
            try expect(Set(suppressions.map(\.user)), is: ["a", "b", "c", "d"], "who does not")
            let next = try await world.sendCategory(app, follow)
            try expect(next.counts, is: DeliveryCounts(pending: 2, suppressed: 4), "the next one")
        },
        Check("choices are the same however users lie in the table, and however many changed something since") {
            world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            let follow = try await world.makeCategory(app, "follow")
            // Users of another app between this one's, so that their keys lie far apart in one half of it.
            try await world.registerMany(app, 0..<80) { "near \($0)" }
            for number in 80..<160 {
                try await world.registerMany(other, number * 8..<number * 8 + 8) { "other \($0)" }
                try await world.registerMany(app, number..<number + 1) { "far \($0)" }
            }
            let off = ChannelPatch(enabled: .value(false))
            let users = (0..<80).map { "near \($0)" } + (80..<160).map { "far \($0)" }
            let drafts = users.enumerated().filter { $0.offset % 3 == 0 }
                .map { PreferencesDraft(user: $0.element, categories: [follow.row: off]) }
            _ = try await world.store.changePreferences(drafts, of: app.row, actor: "key")
            let expected = Set(drafts.map(\.user))
            for later in [0, 3, users.count * 3] {
                let sent = try await world.submit(world.draft(app, in: follow))
                let leased = try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()).first
                let fanOut = try unwrap(leased, "fan-out")
                let on = ChannelPatch(enabled: .value(true))
                for index in 0..<later {
                    let patch = index / users.count % 2 == 0 ? on : off
                    try await world.change(app, users[index % users.count], categories: [follow.row: patch])
                }
                var position: FanOut? = fanOut
                while let current = position {
                    let page = try await world.store.audience(of: current, limit: 50)
                    position = try await world.store.commit(world.gate(for: current).decide(page), of: current)
                }
                let reports = try await world.store.suppressions(sent.row, PageRequest()).items
                try expect(Set(reports.compactMap(\.user)), is: expected, "who gets nothing, \(later) changes later")
                _ = try await world.store.changePreferences(
                    users.map { user in
                        let patch = expected.contains(user) ? off : ChannelPatch(enabled: .null)
                        return PreferencesDraft(user: user, categories: [follow.row: patch])
                    },
                    of: app.row,
                    actor: "key"
                )
            }
        },
        Check("users, endpoints, tokens and topics as audiences ask what people chose, at once and later") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let follow = try await world.makeCategory(app, "follow")
            let topic = try await world.makeTopic(of: app)
            var ids: [PublicID] = []
            for (number, user) in ["ann", "bob"].enumerated() {
                ids.append(try await world.register(app, number, user: user).id)
                try await world.subscribe(user, of: app, to: topic)
            }
            let off = ChannelPatch(push: .value(false))
            try await world.change(app, "bob", categories: [follow.row: off])
            let audiences: [Audience] = [
                .users(["ann", "bob"]), .endpoints(ids), .tokens([world.token(0), world.token(1)], platform: .apns),
                .topic(TopicSelection(topic)),
            ]
            for audience in audiences {
                let later = try await world.sendCategory(app, follow, to: audience)
                try expect(later.counts, is: DeliveryCounts(pending: 1, suppressed: 1), "later: \(audience)")
                let draft = world.draft(app, to: audience, in: follow)
                let gate = world.gate(of: draft)
                let submitted = try await world.store.submit(draft, idempotency: nil, gate: gate)
                try expect(submitted.fanOut?.suppressions.map(\.reason), is: [.preferenceOff], "at once: \(audience)")
                let counts = try await world.read(draft.id).counts
                try expect(counts, is: DeliveryCounts(pending: 1, suppressed: 1), "at once: \(audience)")
            }
            var change = CategoryUpdate()
            change.default = ChannelPatch(push: .value(false))
            _ = try await world.store.updateCategory(follow.row, change, actor: "admin")
            // It was looked at before the default changed.
            let draft = world.draft(app, to: .users(["ann"]), in: follow)
            _ = try await world.store.submit(draft, idempotency: nil, gate: world.gate(of: draft))
            try expect(try await world.read(draft.id).counts, is: DeliveryCounts(suppressed: 1), "a default of before")
            try expect(try await world.lease(queue).count, is: 8, "batches")
        },
        Check("who moved while an audience was read is asked too") { world in
            let app = try await world.makeApp()
            let off = ChannelPatch(push: .value(false))
            for number in 1...3 { try await world.register(app, number, user: "user\(number)") }
            try await world.change(app, "zoe", master: off)
            let fanOut = try await world.begin(app, .all)
            var position = try await world.readOne(fanOut)
            // To a user whose place is after all others, and to one whose place was read.
            let moved = try unwrap(try await world.store.endpoint(app.row, .token(.apns, world.token(3))), "endpoint")
            _ = try await world.store.updateEndpoint(moved.row, EndpointUpdate(owner: .user("zoe")))
            while let current = position { position = try await world.readOne(current) }
            let reports = try await world.store.suppressions(fanOut.notification.row, PageRequest()).items
            try expect(reports.map(\.user), is: ["zoe"], "who gets nothing")
            try expect(try await world.read(fanOut.notification.id).counts.pending, is: 2, "who gets it")
        },
        Check("people who were held are asked again when they are due") { world in
            let app = try await world.makeApp()
            let follow = try await world.makeCategory(app, "follow")
            for (number, user) in ["ann", "bob"].enumerated() { try await world.register(app, number, user: user) }
            let off = ChannelPatch(push: .value(false))
            try await world.change(app, "carl", master: off)
            let sent = try await world.submit(world.draft(app, in: follow))
            let rule = world.rule(after: .seconds(60))
            try await world.readDue(hold: rule)
            try await world.change(app, "bob", categories: [follow.row: off])
            world.clock.advance(to: rule.until)
            try await world.readDue()
            let counts = try await world.read(sent.id).counts
            try expect(counts, is: DeliveryCounts(pending: 1, suppressed: 1), "counts")
            let reports = try await world.store.suppressions(sent.row, PageRequest()).items
            try expect(reports.map(\.user), is: ["bob"], "who gets nothing")
        },
        Check("who gets nothing is not claimed, and may have it from the next one") { world in
            let app = try await world.makeApp()
            for (number, user) in ["ann", "bob"].enumerated() { try await world.register(app, number, user: user) }
            let dedup = Dedup(key: "alert")
            try await world.change(app, "bob", master: ChannelPatch(push: .value(false)))
            let first = try await world.send(app, dedup: dedup)
            try expect(first.counts, is: DeliveryCounts(pending: 1, suppressed: 1), "the first one")
            try await world.change(app, "bob", master: ChannelPatch(push: .null))
            let second = try await world.send(app, dedup: dedup)
            try expect(second.counts, is: DeliveryCounts(pending: 1, suppressed: 1), "the second one")
            let reports = try await world.store.suppressions(second.row, PageRequest()).items
            try expect(reports.map(\.user), is: ["ann"], "who had it")
        },
    ]
}

extension World {
    /// A notification of a category.
    func draft(
        _ app: App,
        to audience: Audience = .all,
        in category: MartletCore.Category,
        dedup: Dedup? = nil
    ) -> NotificationDraft {
        var draft = draft(app, to: audience, dedup: dedup)
        draft.category = category
        return draft
    }

    /// Submits a notification of a category and writes its batches.
    func sendCategory(
        _ app: App,
        _ category: MartletCore.Category,
        to audience: Audience = .all,
        pageSize: Int = 1_000
    ) async throws -> Notification {
        let sent = try await submit(draft(app, to: audience, in: category))
        try await fanOut(pageSize: pageSize)
        return try await read(sent.id)
    }

    /// The gate of what is read as it is accepted.
    func gate(of draft: NotificationDraft) -> Gate { Gate(draft, device: gate(of: draft.app).device) }

    /// Registers a device for each number, with a user of its own.
    func registerMany(_ app: App, _ numbers: Range<Int>, user: (Int) -> String) async throws {
        let registrations = numbers.map { number in
            Registration(
                app: app.row,
                platform: .apns,
                token: token(number),
                environment: .production,
                owner: .user(user(number))
            )
        }
        for result in try await store.register(registrations) { _ = try result.get() }
    }
}
