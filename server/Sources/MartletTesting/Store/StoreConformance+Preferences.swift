import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What people want.
    static let preferences: [Check] = [
        Check("who is not known has chosen nothing, and a change makes them") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            let follow = try await world.makeCategory(app, "follow")
            try expect(try await world.store.preferences(of: "ann", app.row), is: UserPreferences(), "before")
            let nothing = try await world.change(app, "ann", categories: [follow.row: ChannelPatch(push: .null)])
            try expect(nothing, is: UserPreferences(), "a change of nothing")
            let changed = try await world.change(
                app,
                "ann",
                master: ChannelPatch(push: .value(false)),
                categories: [follow.row: ChannelPatch(enabled: .value(true), inbox: .value(false))]
            )
            try expect(changed.revision, is: 2, "revision")
            try expect(changed.master, is: ChannelChoice(push: false), "over all")
            let choice = ChannelChoice(enabled: true, inbox: false)
            try expect(changed.categories, is: [follow.row: choice], "for the category")
            try expect(try await world.store.preferences(of: "ann", app.row), is: changed, "read")
            try expect(try await world.store.preferences(of: "ann", other.row), is: UserPreferences(), "another app's")
        },
        Check("a field that is not named stays, null takes the default, and what changes nothing is no change") {
            world in
            let app = try await world.makeApp()
            let follow = try await world.makeCategory(app, "follow").row
            _ = try await world.change(app, "ann", categories: [follow: ChannelPatch(push: .value(false))])
            let second = try await world.change(app, "ann", categories: [follow: ChannelPatch(inbox: .value(true))])
            try expect(second.categories, is: [follow: ChannelChoice(push: false, inbox: true)], "both fields")
            let same = try await world.change(app, "ann", categories: [follow: ChannelPatch(push: .value(false))])
            try expect(same, is: second, "the same once more")
            let open = ChannelPatch(push: .null, inbox: .null)
            let third = try await world.change(app, "ann", categories: [follow: open])
            try expect(third.categories, is: [:], "none")
            try expect(third.revision, is: second.revision + 1, "revision")
            try expect(try await world.history(app, "ann").count, is: 3, "changes")
        },
        Check("the locale and the zone are those of the newest device that says them") { world in
            let app = try await world.makeApp()
            let old = try await world.register(app, 1, user: "ann")
            world.clock.advance(by: .seconds(1))
            let new = try await world.register(app, 2, user: "ann")
            let zone = DeviceInfo(locale: "ja-JP", timeZone: "Asia/Tokyo")
            _ = try await world.store.updateEndpoint(old.row, EndpointUpdate(device: zone))
            _ = try await world.store.updateEndpoint(new.row, EndpointUpdate(device: DeviceInfo(locale: "en-GB")))
            let found = try await world.store.preferences(of: "ann", app.row)
            try expect([found.locale, found.timeZone], is: ["en-GB", "Asia/Tokyo"], "locale and zone")
        },
        Check("a change on another revision is refused, and keeps none of its batch from being made") { world in
            let app = try await world.makeApp()
            let off = ChannelPatch(enabled: .value(false))
            let first = try await world.change(app, "ann", master: off)
            let drafts = [
                PreferencesDraft(user: "ann", master: ChannelPatch(enabled: .null), revision: first.revision + 1),
                PreferencesDraft(user: "bob", master: off, revision: 0),
                PreferencesDraft(user: "ann", master: ChannelPatch(push: .value(false)), revision: first.revision),
                PreferencesDraft(user: "ann", master: ChannelPatch(push: .null), revision: first.revision),
                PreferencesDraft(user: "carl", master: off, revision: 9),
            ]
            let results = try await world.store.changePreferences(drafts, of: app.row, actor: "key")
            let codes = results.map { result -> ErrorCode? in
                if case .failure(let failure) = result { failure.code } else { nil }
            }
            try expect(codes, is: [.conflict, nil, nil, .conflict, .conflict], "outcomes")
            let ann = try await world.store.preferences(of: "ann", app.row)
            try expect(ann.master, is: ChannelChoice(enabled: false, push: false), "ann")
            try expect(try results[2].get(), is: ann, "what is answered")
            try expect(try await world.store.preferences(of: "bob", app.row).revision, is: 2, "bob")
            try expect(try await world.store.preferences(of: "carl", app.row), is: UserPreferences(), "carl")
            try await expectRefusal(.notFound, "no app") {
                _ = try await world.store.changePreferences([], of: RowID(999), actor: "key")
            }
        },
        Check("changes are kept with who made them, newest first, and are one person's") { world in
            let app = try await world.makeApp()
            let follow = try await world.makeCategory(app, "follow").row
            for number in 0..<5 {
                world.clock.advance(by: .seconds(1))
                let patch = ChannelPatch(push: .value(number % 3 == 0))
                if number == 2 {
                    _ = try await world.change(app, "ann", master: patch, actor: "user")
                } else {
                    _ = try await world.change(app, "ann", categories: [follow: patch], actor: "key \(number)")
                }
                _ = try await world.change(app, "bob", master: ChannelPatch(push: .value(number % 2 == 0)))
            }
            let history = try await world.readAll(pagesOf: 2) {
                try await world.store.preferenceHistory(of: "ann", app.row, $0)
            }
            try expect(history.map(\.revision), is: [9, 7, 5, 3, 1], "numbers")
            try expect(history.map(\.category), is: ["follow", "follow", nil, "follow", "follow"], "categories")
            try expect(history.map(\.actor), is: ["key 4", "key 3", "user", "key 1", "key 0"], "actors")
            try expect(history[0].before, is: ChannelChoice(push: true), "before")
            try expect(history[0].after, is: ChannelChoice(push: false), "after")
            try expect(history[0].at, is: UTCTime(world.now), "time")
            try expect(try await world.history(app, "nobody"), is: [], "of nobody")
        },
        Check(
            "of two who change other fields at the same time neither loses anything, and history replays to the state"
        ) {
            world in
            try await world.patchTogether(rounds: 200)
        },
        Check("changes are forgotten by age, in parts, and what was chosen stays") { world in
            let app = try await world.makeApp()
            for number in 1...3 {
                _ = try await world.change(app, "ann", master: ChannelPatch(push: .value(number % 2 == 0)))
            }
            try expect(try await world.store.purge(.preferenceChanges, before: world.now, limit: 2), is: 0, "too early")
            world.clock.advance(by: .seconds(1))
            let young = try await world.change(app, "ann", master: ChannelPatch(push: .value(true)))
            var parts: [Int] = []
            for _ in 0..<3 {
                parts.append(try await world.store.purge(.preferenceChanges, before: world.now, limit: 2))
            }
            try expect(parts, is: [2, 1, 0], "parts")
            try expect(try await world.history(app, "ann").map(\.revision), is: [young.revision], "what is left")
            try expect(try await world.store.preferences(of: "ann", app.row), is: young, "what was chosen")
        },
        Check("what people of a deleted app chose goes with it, and another app's stays") { world in
            let (app, other) = (try await world.makeApp(), try await world.makeApp("com.example.other"))
            for each in [app, other] {
                let follow = try await world.makeCategory(each, "follow").row
                for user in ["ann", "bob"] {
                    let off = ChannelPatch(push: .value(false))
                    _ = try await world.change(each, user, master: off, categories: [follow: off])
                }
            }
            let kept = try await world.store.preferences(of: "ann", other.row)
            try await world.store.deleteApp(app.row)
            try expect(
                try await world.store.preferences(of: "ann", app.row),
                is: UserPreferences(),
                "of the deleted one"
            )
            try expect(try await world.store.categories(of: app.row), is: [], "its categories")
            try expect(try await world.store.preferences(of: "ann", other.row), is: kept, "of the other one")
            let again = try await world.change(other, "bob", master: ChannelPatch(push: .null))
            try expect(again.revision, is: 5, "the other one's numbers")
        },
    ]

    /// What is forgotten of somebody.
    static let erasure: [Check] = [
        Check("who is erased has chosen nothing, their devices are gone or anonymous, and results name them no more") {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let phone = try await world.register(app, 1, user: "ann")
            try await world.register(app, 2, user: "bob")
            let off = ChannelPatch(inbox: .value(false))
            for user in ["ann", "bob"] { _ = try await world.change(app, user, master: off) }
            let sent = try await world.send(app)
            try await world.deliver(queue)
            let waiting = try await world.send(app)
            try await world.store.eraseUser("ann", of: app.row)
            try expect(try await world.store.preferences(of: "ann", app.row), is: UserPreferences(), "ann's")
            try expect(try await world.history(app, "ann"), is: [], "ann's changes")
            let removed = try await world.endpoint(app, phone.row)
            try expect(removed.user, is: nil, "whose the phone is")
            try expect(removed.status, is: .removed(.byRequest), "the phone")
            let reports = try await world.store.deliveries(sent.row, PageRequest()).items
            try expect(reports.map(\.user), is: [nil, "bob"], "users of results")
            try expect(try await world.store.preferences(of: "bob", app.row).revision, is: 2, "bob's")
            let batch = try await world.leaseOne(queue)
            try expect(batch.batch.notification, is: waiting.row, "what waits")
            let context = try await world.store.context(of: batch.batch)
            try expect(context.targets.map { $0?.user == nil }, is: [true, false], "who it would go to")
            try await expectRefusal(.notFound, "once more") { try await world.store.eraseUser("ann", of: app.row) }
            try await world.store.eraseUser("bob", of: app.row, keepsDevices: true)
            let kept = try await world.store.endpoints(app.row, user: nil, PageRequest()).items
            try expect(kept.map(\.user), is: [nil], "devices that were kept")
        },
        Check("an erased user's devices leave their topics, so that one that comes back is in none") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic(of: app)
            let phone = try await world.register(app, 1, user: "ann")
            let other = try await world.register(app, 2, user: "bob")
            for endpoint in [phone, other] { try await world.subscribe(endpoint, to: topic) }
            try await world.store.eraseUser("ann", of: app.row)
            _ = try await world.register(app, 1)
            let sent = try await world.send(app, to: .topic(TopicSelection(topic)))
            try expect(sent.counts, is: DeliveryCounts(pending: 1), "counts")
        },
        Check("who comes back after an erasure begins anew") { world in
            let app = try await world.makeApp()
            let phone = try await world.register(app, 1, user: "ann")
            let off = ChannelPatch(enabled: .value(false))
            _ = try await world.change(app, "ann", master: off)
            try await world.store.eraseUser("ann", of: app.row)
            let back = try await world.register(app, 1, user: "ann")
            try expect(back.row, is: phone.row, "endpoint")
            try expect(back.user?.id, is: "ann", "user")
            try expect(back.user?.row != phone.user?.row, "the erased one's row")
            try expect(try await world.store.preferences(of: "ann", app.row), is: UserPreferences(), "preferences")
            try expect(try await world.change(app, "ann", master: off).revision, is: 2, "the next number")
        },
        Check("an erased user's events and subscriptions are anonymous, and their device's events not the next one's") {
            world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic(of: app)
            for user in ["ann", "bob"] { try await world.subscribe(user, of: app, to: topic) }
            let phone = try await world.phone(app, token: 1)
            try await world.record([world.event(.delivery, message: "a", of: phone.id)], app)
            try await world.phone(app, phone, token: 1, owner: .user("ann"))
            try await world.record([world.event(.open, message: "a", of: phone.id)], app)
            try expect(try await world.users(), is: ["ann", "ann"], "before")
            try await world.store.eraseUser("ann", of: app.row)
            try expect(try await world.users(), is: [nil, nil], "whose the events are")
            try await world.phone(app, phone, token: 1, owner: .user("carl"))
            try expect(try await world.users(), is: [nil, nil], "when another one comes")
            let left = try await world.store.subscriptions(.topic(topic.row), PageRequest()).items
            try expect(left.map(\.address), is: ["bob"], "subscriptions")
            let sent = try await world.send(app, to: .topic(TopicSelection(topic)))
            try expect(sent.counts, is: DeliveryCounts(suppressed: 1), "subscribers")
        },
    ]
}

extension StoreConformance {
    /// As many rounds as the specification has.
    static let wholePatches = Check(
        "of two who change other fields a thousand times neither loses anything, and history replays to the state"
    ) { world in
        try await world.patchTogether(rounds: 1_000)
    }
}

extension World {
    /// Two change other fields of one person's choice at the same time, so often.
    fileprivate func patchTogether(rounds: Int) async throws {
        let app = try await makeApp()
        let follow = try await makeCategory(app, "follow").row
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 1...rounds {
                    let patch = ChannelPatch(push: .value(round % 2 == 0))
                    _ = try await change(app, "ann", categories: [follow: patch])
                }
            }
            group.addTask {
                for round in 1...rounds {
                    let patch = ChannelPatch(inbox: .value(round % 2 == 1))
                    _ = try await change(app, "ann", categories: [follow: patch])
                }
            }
            try await group.waitForAll()
        }
        let state = try await store.preferences(of: "ann", app.row)
        try expect(state.categories, is: [follow: ChannelChoice(push: true, inbox: false)], "state")
        let history = try await readAll(pagesOf: 500) { try await store.preferenceHistory(of: "ann", app.row, $0) }
        try expect(history.map(\.revision), is: (1...Int64(2 * rounds)).reversed(), "numbers")
        var replayed = ChannelChoice()
        for change in history.reversed() {
            try expect(change.before, is: replayed, "what change \(change.revision) was made on")
            replayed = change.after
        }
        try expect(replayed, is: state.categories[follow], "the last change")
    }

    /// Changes what one person wants.
    @discardableResult
    func change(
        _ app: App,
        _ user: String,
        master: ChannelPatch? = nil,
        categories: [RowID<MartletCore.Category>: ChannelPatch] = [:],
        actor: String = "user"
    ) async throws -> UserPreferences {
        let draft = PreferencesDraft(user: user, master: master, categories: categories)
        let results = try await store.changePreferences([draft], of: app.row, actor: actor)
        return try unwrap(results.first, "result").get()
    }

    /// A person's changes, all of them.
    func history(_ app: App, _ user: String) async throws -> [PreferenceChange] {
        try await store.preferenceHistory(of: user, app.row, PageRequest(count: PageRequest.limit)).items
    }
}
