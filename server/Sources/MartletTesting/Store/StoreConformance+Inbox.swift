import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Who gets which items, and how they are read.
    static let inbox: [Check] =
        inboxAudiences + inboxChoices + inboxFeeds + inboxMarks + inboxEnds + inboxVersions + inboxModel

    private static let inboxAudiences: [Check] = [
        Check("who is named has the item, with a device or without, and nobody else") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            try await world.register(app, 1, user: "ann")
            try await world.register(app, 2, user: "eve")
            try await world.register(other, 1, user: "ann")
            let sent = try await world.leave(app, to: .users(["ann", "bob"]), title: "Hello")
            let item = try unwrap(try await world.inbox(app, "ann").first, "item")
            try expect(item.id, is: sent.id, "id")
            try expect(item.content, is: Content(title: "Hello"), "content")
            try expect(item.publishedAt, is: world.now, "time")
            try expect(item.expiresAt, is: world.now + InboxDraft.lifetime, "expiry")
            try expect(item.status, is: InboxStatus(), "status")
            try expect(item.category, is: nil, "category")
            try expect(try await world.inboxIDs(app, "bob"), is: [sent.id], "without a device")
            for (app, user) in [(app, "eve"), (app, "nobody"), (other, "ann")] {
                try expect(try await world.inboxIDs(app, user), is: [], "\(user) of \(app.name)")
                try expect(try await world.amounts(app, user), is: [0, 0], "\(user) of \(app.name)")
            }
        },
        Check("an item that is written as its notification is accepted is there at once") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            var draft = world.draft(app, to: .users(["ann", "bob"]))
            draft.inbox = InboxDraft(content: Content(title: "Own", sound: "ping"))
            _ = try await world.store.submit(draft, idempotency: nil, gate: world.gate(of: draft))
            try expect(try await world.inbox(app, "bob").map(\.content), is: [Content(title: "Own")], "content")
            try expect(try await world.amounts(app, "ann"), is: [1, 1], "counts")
            var silent = world.draft(app, to: .users(["ann"]))
            silent.inbox = nil
            _ = try await world.store.submit(silent, idempotency: nil, gate: world.gate(of: silent))
            try expect(try await world.amounts(app, "ann"), is: [1, 1], "counts after one without an item")
        },
        Check("who is there when an announcement is published sees it, whether they have a device or not") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            try await world.register(app, 1)
            try await world.leave(app, to: .users(["bob"]))
            try await world.register(app, 2, user: "ann")
            try await world.register(other, 1, user: "ann")
            let sent = try await world.leave(app, pageSize: 1)
            try await world.register(app, 3, user: "late")
            for user in ["ann", "bob"] {
                try expect(try await world.inboxIDs(app, user).first, is: sent.id, "item of \(user)")
            }
            try expect(try await world.inboxIDs(app, "late"), is: [], "who came later")
            try expect(try await world.inboxIDs(other, "ann"), is: [], "another app's")
            try expect(try await world.amounts(app, "ann"), is: [1, 1], "counts")
        },
        Check("an announcement with a dedup key is seen by those who got it, whatever else they had before") { world in
            let app = try await world.makeApp()
            for number in 1...9 { try await world.register(app, number, user: "user\(number)") }
            let first = try await world.leave(app, to: .users(["user3", "user7"]), dedup: Dedup(key: "a"))
            let second = try await world.leave(app, dedup: Dedup(key: "a"), pageSize: 2)
            for number in 1...9 {
                let expected = [3, 7].contains(number) ? first.id : second.id
                try expect(try await world.inboxIDs(app, "user\(number)"), is: [expected], "user \(number)")
                try expect(try await world.amounts(app, "user\(number)"), is: [1, 1], "counts of \(number)")
            }
        },
        Check("a topic's item stays with exactly those who were subscribed when the topic is gone") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            try await world.register(app, 1, user: "ann")
            let phone = try await world.register(app, 2, user: "bob")
            try await world.register(app, 3, user: "eve")
            let subscription = try await world.subscribe("ann", of: app, to: topic)
            try await world.subscribe(phone, to: topic)
            try await world.subscribe("carl", of: app, to: topic)
            let sent = try await world.leave(app, to: .topic(TopicSelection(topic)))
            _ = try await world.store.unsubscribe(subscription.row)
            try await world.subscribe("eve", of: app, to: topic)
            _ = try await world.store.deleteTopic(topic.row)
            try await world.purge(.deletedTopics)
            for user in ["ann", "bob", "carl"] {
                try expect(try await world.inboxIDs(app, user), is: [sent.id], "item of \(user)")
            }
            try expect(try await world.inboxIDs(app, "eve"), is: [], "who subscribed later")
        },
        Check("who has the item and no device keeps the claim, and who has neither gives it back") { world in
            let app = try await world.makeApp()
            let dedup = Dedup(key: "alert")
            let sent = try await world.leave(app, to: .users(["ann"]), dedup: dedup)
            try expect(sent.state, is: .done, "state")
            try expect(sent.counts, is: DeliveryCounts(suppressed: 1), "counts")
            let second = try await world.leave(app, to: .users(["ann"]), dedup: dedup)
            try expect(second.state, is: .done, "state of the second")
            try expect(try await world.inboxIDs(app, "ann"), is: [sent.id], "items")
            _ = try await world.send(app, to: .users(["ann"]), dedup: Dedup(key: "without an item"))
            let third = try await world.leave(app, to: .users(["ann"]), dedup: Dedup(key: "without an item"))
            try expect(try await world.inboxIDs(app, "ann"), is: [third.id, sent.id], "items in the end")
        },
    ]

    private static let inboxChoices: [Check] = [
        Check("what is off leaves no item, and without a push the item stays") { world in
            let app = try await world.makeApp()
            let follow = try await world.makeCategory(app, "follow")
            let people = ["ann", "bob", "carl", "dora", "eve"]
            for (number, user) in people.enumerated() { try await world.register(app, number, user: user) }
            let off = ChannelPatch(enabled: .value(false))
            try await world.change(app, "bob", categories: [follow.row: off])
            try await world.change(app, "carl", categories: [follow.row: ChannelPatch(push: .value(false))])
            try await world.change(app, "dora", categories: [follow.row: ChannelPatch(inbox: .value(false))])
            try await world.change(app, "eve", master: off)
            for audience in [Audience.users(people), .all] {
                let sent = try await world.leave(app, to: audience, in: follow)
                for user in people {
                    let expected = ["ann", "carl"].contains(user) ? [sent.id] : []
                    let found = try await world.inboxIDs(app, user, in: follow).prefix(1)
                    try expect(Array(found), is: expected, "\(user), \(audience)")
                }
                try expect(sent.counts, is: DeliveryCounts(pending: 2, suppressed: 3), "counts of \(audience)")
            }
            try expect(try await world.inbox(app, "ann").map(\.category), is: ["follow", "follow"], "categories")
            try expect(try await world.amounts(app, "carl"), is: [2, 2], "counts of carl")
            try expect(try await world.amounts(app, "dora"), is: [0, 0], "counts of dora")
        },
        Check("who sees an announcement is decided by what held when it was published") { world in
            let app = try await world.makeApp()
            let news = try await world.makeCategory(app, "news")
            for (number, user) in ["ann", "bob", "carl"].enumerated() {
                try await world.register(app, number, user: user)
            }
            let (off, on) = (ChannelPatch(inbox: .value(false)), ChannelPatch(inbox: .value(true)))
            try await world.change(app, "bob", categories: [news.row: off])
            let first = try await world.leave(app, in: news)
            try await world.change(app, "ann", categories: [news.row: off])
            try await world.change(app, "bob", categories: [news.row: on])
            let second = try await world.leave(app, in: news)
            try await world.change(app, "ann", master: ChannelPatch(enabled: .value(false)))
            try await world.change(app, "ann", categories: [news.row: on])
            let third = try await world.leave(app, in: news)
            try await world.change(app, "ann", master: ChannelPatch(enabled: .null))
            let fourth = try await world.leave(app)
            try expect(try await world.inboxIDs(app, "ann"), is: [fourth.id, first.id], "ann's")
            try expect(try await world.amounts(app, "ann"), is: [2, 2], "ann's counts")
            let bobs = [fourth.id, third.id, second.id]
            try expect(try await world.inboxIDs(app, "bob"), is: bobs, "bob's")
            try expect(try await world.inboxIDs(app, "bob", pagesOf: 1), is: bobs, "bob's, one by one")
            try expect(try await world.amounts(app, "bob"), is: [3, 3], "bob's counts")
            try expect(try await world.amounts(app, "carl"), is: [4, 4], "carl's counts")
        },
        Check("a default that changes moves no item that is there, and what is required is seen by all") { world in
            let app = try await world.makeApp()
            let news = try await world.makeCategory(app, "news", defaults: ChannelChoice(inbox: false))
            let safety = try await world.makeCategory(app, "safety", required: [.inbox])
            for (number, user) in ["ann", "bob"].enumerated() { try await world.register(app, number, user: user) }
            try await world.change(app, "bob", master: ChannelPatch(enabled: .value(false)))
            let hidden = try await world.leave(app, in: news)
            var change = CategoryUpdate()
            change.default = ChannelPatch(inbox: .value(true))
            let changed = try await world.store.updateCategory(news.row, change, actor: "admin")
            let shown = try await world.leave(app, in: changed)
            change.default = ChannelPatch(enabled: .value(false))
            _ = try await world.store.updateCategory(news.row, change, actor: "admin")
            let required = try await world.leave(app, in: safety)
            try expect(try await world.inboxIDs(app, "ann"), is: [required.id, shown.id], "ann's, not \(hidden.id)")
            try expect(try await world.amounts(app, "ann"), is: [2, 2], "ann's counts")
            try expect(try await world.inboxIDs(app, "bob"), is: [required.id], "bob's")
            try expect(try await world.amounts(app, "bob"), is: [1, 1], "bob's counts")
        },
    ]

    private static let inboxFeeds: [Check] = [
        Check("what is a person's own and what is shared stand in one list, newest first, by status and category") {
            world in
            let app = try await world.makeApp()
            let news = try await world.makeCategory(app, "news")
            try await world.register(app, 1, user: "ann")
            var sent: [Notification] = []
            for number in 0..<12 {
                let audience: Audience = number % 3 == 0 ? .users(["ann"]) : .all
                let dedup = number % 3 == 1 ? Dedup(key: "\(number)") : nil
                let category = number < 5 ? news : nil
                sent.append(try await world.leave(app, to: audience, in: category, dedup: dedup, title: "\(number)"))
            }
            func expectIDs(_ status: InboxStatusName, _ numbers: [Int], line: Int = #line) async throws {
                let expected = numbers.sorted(by: >).map { sent[$0].id }
                for size in [1, 2, 5, 12, 100] {
                    let found = try await world.inboxIDs(app, "ann", status, pagesOf: size)
                    try expect(found, is: expected, "\(status), \(size) at a time", line: line)
                }
                let ofNews = numbers.filter { $0 < 5 }.sorted(by: >).map { sent[$0].id }
                try expect(try await world.inboxIDs(app, "ann", status, in: news), is: ofNews, "\(status)", line: line)
            }
            try await expectIDs(.active, Array(0..<12))
            for number in [0, 1, 2] { try await world.mark(sent[number], .see, app, "ann") }
            for number in [3, 4, 5] { try await world.mark(sent[number], .read, app, "ann") }
            for number in [6, 7, 8] { try await world.mark(sent[number], .archive, app, "ann") }
            try await expectIDs(.active, [0, 1, 2, 3, 4, 5, 9, 10, 11])
            try await expectIDs(.unseen, [9, 10, 11])
            try await expectIDs(.unread, [0, 1, 2, 9, 10, 11])
            try await expectIDs(.read, [3, 4, 5])
            try await expectIDs(.archived, [6, 7, 8])
            try expect(try await world.amounts(app, "ann"), is: [6, 3], "counts")
            let titles = try await world.inbox(app, "ann").map(\.content.title)
            try expect(titles, is: [11, 10, 9, 5, 4, 3, 2, 1, 0].map { "\($0)" }, "titles")
        },
        Check("of what is there none is missed and none comes twice while others arrive") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            var before: [PublicID] = []
            for number in 0..<40 {
                before.append(try await world.leave(app, to: number % 4 == 0 ? .all : .users(["ann"])).id)
            }
            var found: [PublicID] = []
            var request: PageRequest? = PageRequest(count: 3)
            while let current = request {
                let page = try await world.store.inbox(
                    .list(.active, category: nil),
                    of: world.owner(app, "ann"),
                    current
                )
                found += page.items.map(\.id)
                request = page.next.map { PageRequest(after: $0, count: 3) }
                for number in 0..<3 { try await world.leave(app, to: number == 0 ? .all : .users(["ann"])) }
            }
            try expect(found, is: before.reversed(), "items")
        },
        Check("one item is read by its id, and another's, another app's or one that ended is not found") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            for app in [app, other] {
                try await world.register(app, 1, user: "ann")
                try await world.register(app, 2, user: "eve")
            }
            let ending = InboxDraft(expiresAt: world.now + .seconds(60))
            let items = [
                try await world.leave(app, to: .users(["ann"]), ending),
                try await world.leave(app, ending, dedup: Dedup(key: "a")),
                try await world.leave(app, ending),
            ]
            func one(_ item: Notification, _ app: App, _ user: String) async throws -> PublicID? {
                let page = try await world.store.inbox(.one(item.id), of: world.owner(app, user), PageRequest())
                return page.items.first?.id
            }
            for item in items {
                try expect(try await one(item, app, "ann"), is: item.id, "ann's")
                try expect(try await one(item, other, "ann"), is: nil, "of another app")
                try expect(try await one(item, app, "nobody"), is: nil, "of nobody")
                try await expectRefusal(.notFound, "marked in another app") {
                    try await world.mark(item, .read, other, "ann")
                }
                try await expectRefusal(.notFound, "all marked in another app") {
                    try await world.markAll(upTo: item, .read, other, "ann")
                }
            }
            try expect(try await one(items[0], app, "eve"), is: nil, "of another user")
            try await expectRefusal(.notFound, "marked by another") {
                try await world.mark(items[0], .read, app, "eve")
            }
            try await expectRefusal(.notFound, "all marked by another") {
                try await world.markAll(upTo: items[0], .read, app, "eve")
            }
            try expect(try await world.amounts(app, "ann"), is: [3, 3], "counts")
            world.clock.advance(by: .seconds(60))
            for item in items {
                try expect(try await one(item, app, "ann"), is: nil, "ended")
                try await expectRefusal(.notFound, "marked when it ended") {
                    try await world.mark(item, .read, app, "ann")
                }
            }
            try expect(try await world.amounts(app, "ann"), is: [0, 0], "counts in the end")
        },
    ]
}
