import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

extension StoreConformance {
    /// Why a notification came to a person or did not, and what happened to a person.
    static let personHistories: [Check] = [
        Check("why: every device of the person with what was recorded of it, and nobody else's") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let phone = try await world.register(app, 1, user: "ann")
            let tablet = try await world.register(app, 2, user: "ann")
            try await world.register(app, 3, user: "bob")
            _ = try await world.store.updateEndpoint(tablet.row, EndpointUpdate(status: .disabled(.byRequest)))
            let sent = try await world.send(app, to: .users(["ann", "bob", "cid"]))
            try expect(try await world.why(sent, "ann").map(\.state), is: [.pending, .suppressed], "before")
            try await world.deliver(queue, .rejected, reason: "BadTopic")
            let lines = try await world.why(sent, "ann")
            try expect(lines.map(\.endpoint), is: [phone.id, tablet.id], "devices")
            try expect(lines.map(\.state), is: [.rejected, .suppressed], "states")
            try expect(lines.map(\.reason), is: ["BadTopic", "endpoint_disabled"], "reasons")
            try expect(try await world.why(sent, "cid").map(\.reason), is: ["no_endpoint"], "without a device")
        },
        Check("why: a device that is gone, or somebody else's by now, keeps what was recorded of its person") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let gone = try await world.register(app, 1, user: "ann")
            let moved = try await world.register(app, 2, user: "ann")
            let sent = try await world.send(app)
            try await world.deliver(queue)
            _ = try await world.store.updateEndpoint(gone.row, EndpointUpdate(status: .removed(.byRequest)))
            try await world.register(app, 2, user: "bob")
            try expect(try await world.why(sent, "ann").map(\.endpoint), is: [gone.id, moved.id], "devices")
            try expect(try await world.why(sent, "bob").isEmpty, "nothing of it was for the new person")
        },
        Check(
            "why: a device that is somebody else's by now is found in a large notification too, until that is forgotten"
        ) {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let phones = [
                try await world.register(app, 1, user: "ann"), try await world.register(app, 2, user: "ann"),
            ]
            // More than are looked through one by one.
            let sent = try await world.send(app, to: .users(["ann"] + (0..<10_000).map { "user-\($0)" }))
            try await world.deliver(queue)
            try await world.register(app, 1, user: "bob")
            let update = EndpointUpdate(owner: .nobody)
            _ = try await world.store.updateEndpoint(phones[1].row, update)
            let lines = try await world.why(sent, "ann")
            try expect(lines.map(\.endpoint), is: phones.map(\.id), "devices")
            try expect(lines.map(\.state), is: [.accepted, .accepted], "states")
            try expect(try await world.why(sent, "bob").isEmpty, "nothing of it was for the new person")
            try expect(try await world.timeline(app, kinds: [.delivery]).count, is: 2, "timeline")
            world.clock.advance(by: World.twoDays)
            let later = world.now
            try expect(try await world.store.purge(.removedEndpoints, before: later, limit: 10), is: 0, "still needed")
            try await world.purge(.notifications, limit: 50_000)
            try expect(try await world.store.purge(.removedEndpoints, before: later, limit: 1), is: 1, "forgotten")
            try expect(try await world.store.purge(.removedEndpoints, before: later, limit: 10), is: 1, "both")
        },
        Check("why: who holds the dedup key, and whose duplicate it was") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let first = try await world.send(app, dedup: Dedup(key: "alert"))
            let second = try await world.send(app, dedup: Dedup(key: "alert"))
            let facts = try await world.store.whyFacts(of: second.row, user: "ann")
            try expect(facts.holder, is: first.id, "holder")
            try expect(facts.lines.map(\.reason), is: ["duplicate"], "reasons")
            try expect(facts.lines.map(\.heldBy), is: [first.id], "held by")
        },
        Check("why: somebody of whom nothing is stored has what holds for everybody, and no more") { world in
            let app = try await world.makeApp()
            let draft = CategoryRequest(key: "follow")
            let category = try await world.store.createCategory(draft, of: app.row, actor: "test")
            for audience in [Audience.all, .users(["ann"]), .users(["zoe"])] {
                var draft = world.draft(app, to: audience, sendAt: world.now + .seconds(60))
                draft.category = category
                let sent = try await world.submit(draft)
                let facts = try await world.store.whyFacts(of: sent.row, user: "zoe")
                try expect(!facts.isKnown && facts.lines.isEmpty, "what is stored")
                try expect(facts.category?.key, is: "follow", "category")
                let isNamed = audience == .users(["zoe"])
                try expect(WhyReport(facts, now: world.now).isInAudience, is: isNamed, "\(audience)")
            }
            try await world.register(app, 1, user: "ann")
            let announced = try await world.leave(app)
            let facts = try await world.store.whyFacts(of: announced.row, user: "zoe")
            try expect(facts.item?.isForUser, is: false, "whose the item is")
            try await expectRefusal(.notFound, "a notification that is not there") {
                _ = try await world.store.whyFacts(of: RowID(1), user: "zoe")
            }
        },
        Check("why: a preference is the one that held when the notification was published") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let category = try await world.store.createCategory(
                CategoryRequest(key: "follow"),
                of: app.row,
                actor: "test"
            )
            try await world.choose(category, push: true, app)
            var draft = world.draft(app)
            draft.category = category
            let sent = try await world.submit(draft)
            try await world.fanOut()
            try await world.choose(category, push: false, app)
            let facts = try await world.store.whyFacts(of: sent.row, user: "ann")
            try expect(facts.category?.key, is: "follow", "category")
            try expect(facts.choice.category.push, is: true, "choice")
            try expect(!facts.isChoiceOfToday, "it is as of then")
        },
        Check("timeline: a device that was switched off says when, however often it registers") { world in
            let app = try await world.makeApp()
            let phone = try await world.register(app, 1, user: "ann")
            world.clock.advance(by: .seconds(1))
            let off = world.now
            _ = try await world.store.updateEndpoint(phone.row, EndpointUpdate(isEnabled: false))
            world.clock.advance(by: .seconds(1))
            try await world.register(app, 1, user: "ann")
            let entries = try await world.timeline(app)
            try expect(entries.map(\.what), is: ["registered", "disabled", "created"], "what")
            try expect(entries[1].at, is: off, "when")
            try expect(entries[1].detail, is: "The reason is device_off.", "why")
        },
        Check("timeline: deliveries, events and devices of one person, each of the kind that is asked for") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let start = world.now
            let phone = try await world.register(app, 1, user: "ann")
            try await world.register(app, 2, user: "bob")
            world.clock.advance(by: .seconds(1))
            let sent = try await world.send(app)
            world.clock.advance(by: .seconds(1))
            try await world.deliver(queue)
            world.clock.advance(by: .seconds(1))
            _ = try await world.store.updateEndpoint(phone.row, EndpointUpdate(status: .disabled(.byRequest)))
            world.clock.advance(by: .seconds(1))
            var opened = world.event(.open, message: sent.id.description)
            opened.user = "ann"
            try await world.record([opened], app)
            let entries = try await world.timeline(app)
            try expect(entries.map(\.what), is: ["open", "disabled", "accepted", "created"], "what")
            try expect(entries.map(\.at), is: [4, 3, 2, 0].map { start + .seconds($0) }, "when")
            try expect(entries.map(\.endpoint), is: [nil, phone.id, phone.id, phone.id], "devices")
            try expect(entries.map(\.notification), is: [sent.id, nil, sent.id, nil], "notifications")
            try expect(try await world.timeline(app, kinds: [.delivery]).map(\.what), is: ["accepted"], "deliveries")
            try expect(try await world.timeline(app, kinds: [.suppression]).isEmpty, "suppressions")
            let middle = TimelineFilter(
                app: app.row,
                user: "ann",
                since: start + .seconds(1),
                until: start + .seconds(3)
            )
            try expect(try await world.timeline(middle).map(\.what), is: ["accepted"], "between")
            try await expectRefusal(.notFound, "somebody whom nobody knows") {
                _ = try await world.timeline(TimelineFilter(app: app.row, user: "zoe"))
            }
        },
        Check("timeline and why are what the reports say, for a hundred notifications and people") { world in
            try await world.compareRandomly(seed: 23, people: 10, notifications: 10)
        },
    ]
}

extension World {
    fileprivate func why(_ notification: Notification, _ user: String) async throws -> [DeliveryReport] {
        try await store.whyFacts(of: notification.row, user: user).lines
    }

    fileprivate func choose(_ category: Category, push: Bool, _ app: App) async throws {
        let draft = PreferencesDraft(user: "ann", categories: [category.row: ChannelPatch(push: .value(push))])
        _ = try await store.changePreferences([draft], of: app.row, actor: "test")[0].get()
    }

    fileprivate func timeline(_ app: App, kinds: Set<TimelineKind> = Set(TimelineKind.allCases)) async throws
        -> [TimelineEntry]
    { try await timeline(TimelineFilter(app: app.row, user: "ann", kinds: kinds)) }

    /// A timeline page by page, each of two.
    fileprivate func timeline(_ filter: TimelineFilter) async throws -> [TimelineEntry] {
        let history = PersonHistory(store: store, clock: clock)
        var entries: [TimelineEntry] = []
        var request: PageRequest? = PageRequest(count: 2)
        while let current = request {
            let page = try await history.timeline(filter, current)
            entries += page.items
            request = page.next.map { PageRequest(after: $0, count: 2) }
        }
        return entries
    }

    /// Sends notifications at random, ends some of their deliveries at random, and compares what is said of each person
    /// with what is said of each notification.
    fileprivate func compareRandomly(seed: UInt64, people: Int, notifications: Int) async throws {
        var random = SeededRandom(seed: seed)
        let app = try await makeApp()
        let queue = try await makeQueue(app)
        let users = (0..<people).map { "user-\($0)" }
        for device in 0..<people * 2 {
            let endpoint = try await register(app, device, user: random.pick(users))
            guard random.chance(20) else { continue }
            let status: Endpoint.Status = random.chance(50) ? .disabled(.byRequest) : .removed(.byRequest)
            _ = try await store.updateEndpoint(endpoint.row, EndpointUpdate(status: status))
        }
        var sent: [Notification] = []
        for _ in 0..<notifications {
            let audience =
                random.chance(40) ? Audience.all : .users(users.filter { _ in random.chance(50) } + ["user-0"])
            let dedup = random.chance(50) ? Dedup(key: "key-\(Int.random(in: 0..<3, using: &random))") : nil
            sent.append(try await send(app, to: audience, dedup: dedup))
            clock.advance(by: .milliseconds(random.chance(50) ? 0 : 5))
            if random.chance(70) { try await deliver(queue, random.pick(DeliveryResult.State.allCases), reason: "x") }
        }
        for user in users {
            var recorded: [TimelineEntry] = []
            for notification in sent {
                let reports = try await reports(of: notification, user)
                let facts = try await store.whyFacts(of: notification.row, user: user)
                try expect(Set(facts.lines), is: reports, "\(user) of \(notification.id)")
                recorded += reports.compactMap { TimelineEntry($0, of: notification.id) }
            }
            guard try await store.whyFacts(of: sent[0].row, user: user).isKnown else { continue }
            let filter = TimelineFilter(app: app.row, user: user, kinds: [.delivery, .suppression])
            let found = try await timeline(filter)
            try expect(found.count, is: recorded.count, "how much happened to \(user)")
            try expect(Set(found), is: Set(recorded), "what happened to \(user)")
            try expect(found.map(\.at), is: found.map(\.at).sorted(by: >), "the order of \(user)")
        }
    }

    /// What a notification's reports say of a person.
    private func reports(of notification: Notification, _ user: String) async throws -> Set<DeliveryReport> {
        let deliveries = try await store.deliveries(notification.row, PageRequest(count: PageRequest.limit)).items
        let suppressions = try await store.suppressions(notification.row, PageRequest(count: PageRequest.limit)).items
        return Set((deliveries + suppressions).filter { $0.user == user })
    }
}
