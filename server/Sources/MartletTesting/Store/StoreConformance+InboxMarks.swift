import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What people do with items, and what that does to pushes.
    static let inboxMarks: [Check] = [
        Check("each action moves an item's status and the counts, whatever kind the item is") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let items = [
                try await world.leave(app, to: .users(["ann"])), try await world.leave(app),
                try await world.leave(app, dedup: Dedup(key: "a")),
            ]
            var random = SeededRandom(seed: 7)
            for item in items {
                var expected = InboxStatus()
                let others = (0..<20).map { _ in random.pick(InboxAction.allCases) }
                for action in InboxAction.allCases + others {
                    expected = expected.applying(action)
                    let counts = try await world.mark(item, action, app, "ann")
                    let page = try await world.store.inbox(.one(item.id), of: world.owner(app, "ann"), PageRequest())
                    try expect(page.items.first?.status, is: expected, "status after \(action)")
                    let amounts = [2 + (expected.isRead ? 0 : 1), 2 + (expected.isSeen ? 0 : 1)]
                    try expect([counts.unread, counts.unseen], is: amounts, "answer to \(action)")
                    try expect(try await world.amounts(app, "ann"), is: amounts, "counts after \(action)")
                }
                try await world.mark(item, .unsee, app, "ann")
            }
        },
        Check("a person's other devices are due to be told what they read, where the app asks for it") { world in
            let app = try await world.makeApp()
            let other = try await world.register(app, 1, user: "ann")
            let phone = try await world.phone(app, token: 2, owner: .user("ann"))
            func read(_ item: Notification, on installation: PublicID?) async throws {
                let owner = world.owner(app, "ann")
                _ = try await world.store.markInbox(.items([item.id], .read), of: owner, on: installation)
            }
            let items = [
                try await world.leave(app, to: .users(["ann"])), try await world.leave(app),
                try await world.leave(app, to: .users(["ann"])), try await world.leave(app),
            ]
            try await read(items[0], on: phone.id)
            try expect(try await world.store.takeBadgeSyncs(limit: 10), is: [], "where the app does not ask")
            let settings = AppSettings(hasBadgeSync: true)
            _ = try await world.store.updateApp(app.row, name: nil, identity: nil, settings: settings)
            try await read(items[1], on: phone.id)
            let first = try await world.store.takeBadgeSyncs(limit: 10)
            let expected = BadgeSync(app: app.row, endpoints: [other.id], read: [items[1].id, items[0].id])
            try expect(first, is: [expected], "what is told first")
            try await world.markAll(upTo: items[3], .read, app, "ann")
            try expect(try await world.store.takeBadgeSyncs(limit: 10), is: [], "what is told within half a minute")
            world.clock.advance(by: BadgeSync.interval)
            let second = try unwrap(try await world.store.takeBadgeSyncs(limit: 10).first, "what is told after it")
            try expect(second.endpoints, is: [other.id, phone.endpoint.id], "to whom")
            try expect(Set(second.read), is: Set(items.map(\.id)), "of what")
            try expect(try await world.store.takeBadgeSyncs(limit: 10), is: [], "what is told again")
        },
        Check("of many items those that are not the person's are passed over") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let own = try await world.leave(app, to: .users(["ann"]))
            let foreign = try await world.leave(app, to: .users(["bob"]))
            let shared = try await world.leave(app)
            let ids = [own.id, foreign.id, shared.id, world.makeID()]
            let counts = try await world.store.markInbox(.items(ids, .read), of: world.owner(app, "ann"))
            try expect([counts.unread, counts.unseen], is: [0, 0], "ann's counts")
            try expect(try await world.amounts(app, "bob"), is: [2, 2], "bob's counts")
        },
        Check("all up to an item are marked, what comes later is not, and single ones can be taken out again") {
            world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            try await world.register(app, 2, user: "bob")
            var items: [Notification] = []
            for number in 0..<6 {
                let audience: Audience = number % 2 == 0 ? .users(["ann"]) : .all
                items.append(try await world.leave(app, to: audience, dedup: number == 3 ? Dedup(key: "a") : nil))
            }
            try await world.markAll(upTo: items[4], .see, app, "ann")
            try expect(try await world.amounts(app, "ann"), is: [6, 1], "seen")
            try await world.markAll(upTo: items[3], .read, app, "ann")
            try expect(try await world.inboxIDs(app, "ann", .unread), is: [items[5].id, items[4].id], "unread")
            try await world.mark(items[1], .unread, app, "ann")
            try await world.mark(items[3], .unsee, app, "ann")
            try await world.mark(items[2], .unread, app, "ann")
            try expect(try await world.amounts(app, "ann"), is: [5, 2], "taken out")
            try await world.markAll(upTo: items[1], .archive, app, "ann")
            try expect(try await world.inboxIDs(app, "ann", .archived), is: [items[1].id, items[0].id], "archived")
            try expect(try await world.amounts(app, "ann"), is: [4, 2], "archived")
            try await world.mark(items[1], .unarchive, app, "ann")
            try expect(try await world.inboxIDs(app, "ann", .archived), is: [items[0].id], "unarchived")
            try await world.markAll(upTo: items[5], .read, app, "ann")
            try expect(try await world.amounts(app, "ann"), is: [0, 0], "all")
            let late = try await world.leave(app)
            try expect(try await world.inboxIDs(app, "ann", .unread), is: [late.id], "one that came later")
            try expect(try await world.amounts(app, "bob"), is: [4, 4], "of another")
            for action in [InboxAction.unsee, .unread, .unarchive] {
                try await expectRefusal(.invalidValue, "all: \(action)") {
                    try await world.markAll(upTo: late, action, app, "ann")
                }
            }
        },
        Check("all of a category are marked, in parts, and none of another") { world in
            let app = try await world.makeApp()
            let (news, other) = (try await world.makeCategory(app, "news"), try await world.makeCategory(app, "other"))
            try await world.register(app, 1, user: "ann")
            var items: [Notification] = []
            for number in 0..<9 {
                let audience: Audience = number % 3 == 0 ? .users(["ann"]) : .all
                let dedup = number % 3 == 1 ? Dedup(key: "\(number)") : nil
                let category = [news, other, nil][number % 4 == 3 ? 2 : number % 2]
                items.append(try await world.leave(app, to: audience, in: category, dedup: dedup))
            }
            let ofNews = items.indices.filter { $0 % 4 != 3 && $0 % 2 == 0 }
            let counts = try await world.markAll(upTo: items[6], .read, app, "ann", in: news)
            let unread = items.indices.filter { !ofNews.contains($0) || $0 > 6 }
            let ids = try await world.inboxIDs(app, "ann", .unread)
            try expect(ids, is: unread.reversed().map { items[$0].id }, "unread")
            try expect([counts.unread, counts.unseen], is: [unread.count, unread.count], "counts")
        },
        Check("read and archived is not sent to other devices any more, seen is") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1, user: "ann")
            try await world.register(app, 2, user: "ann")
            let bob = try world.user(of: try await world.register(app, 3, user: "bob"))
            let seen = try await world.leave(app)
            let read = try await world.leave(app, to: .users(["ann", "bob"]))
            let archived = try await world.leave(app)
            let all = try await world.leave(app, to: .users(["ann", "bob"]))
            let shared = try await world.leave(app, dedup: Dedup(key: "a"))
            try await world.mark(seen, .see, app, "ann")
            try await world.mark(read, .read, app, "ann")
            try await world.mark(archived, .archive, app, "ann")
            let leased = try await world.lease(queue)
            let users = leased.map { Set($0.batch.members.map(\.user)) }
            try expect(users.filter { $0 == [bob] }.count, is: 2, "batches without her")
            for one in leased { try await world.settle(one) }
            try await world.markAll(upTo: shared, .read, app, "ann")
            for sent in [read, archived] {
                let counts = try await world.read(sent.id).counts
                try expect(counts, is: DeliveryCounts(accepted: 1, suppressed: 2), "counts")
                let reasons = try await world.store.suppressions(sent.row, PageRequest()).items.map(\.reason)
                try expect(reasons, is: ["read_in_inbox", "read_in_inbox"], "reasons")
            }
            for sent in [seen, all, shared] {
                try expect(
                    try await world.read(sent.id).counts,
                    is: DeliveryCounts(accepted: 3),
                    "what was sent before"
                )
            }
        },
        Check("what is read while it is held is not sent when it is due, and after that nothing changes") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for (number, user) in ["ann", "bob", "carl"].enumerated() {
                try await world.register(app, number, user: user)
            }
            for audience in [Audience.users(["ann", "bob", "carl"]), .all] {
                world.clock.advance(by: .milliseconds(1))
                var draft = world.draft(app, to: audience)
                draft.inbox = InboxDraft()
                let held = try await world.submit(draft)
                let rule = world.rule(after: .seconds(60))
                try await world.readDue(hold: rule)
                try expect(try await world.inboxIDs(app, "ann").first, is: held.id, "the item while it is held")
                try await world.mark(held, .read, app, "ann")
                try await world.markAll(upTo: held, .archive, app, "bob")
                world.clock.advance(to: rule.until)
                try await world.readDue()
                try await world.deliver(queue)
                let counts = DeliveryCounts(accepted: 1, suppressed: 2)
                try expect(try await world.read(held.id).counts, is: counts, "counts")
                let reports = try await world.store.suppressions(held.row, PageRequest()).items
                try expect(reports.map(\.reason), is: ["read_in_inbox", "read_in_inbox"], "reasons")
                try expect(Set(reports.map(\.user)), is: ["ann", "bob"], "who read it")
                try await world.mark(held, .read, app, "carl")
                try await world.mark(held, .unread, app, "ann")
                try expect(try await world.lease(queue).isEmpty, "nothing is sent afterwards")
                try expect(try await world.read(held.id).counts, is: counts, "counts afterwards")
                try expect(try await world.read(held.id).state, is: .done, "state")
            }
        },
        Check("all that is marked as read is not sent any more, before a retry too") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1, user: "ann")
            try await world.register(app, 2, user: "bob")
            let category = try await world.makeCategory(app, "news")
            let sent = [
                try await world.leave(app, to: .users(["ann", "bob"]), in: category),
                try await world.leave(app, in: category), try await world.leave(app, dedup: Dedup(key: "a")),
                try await world.leave(app, to: .users(["ann", "bob"])),
            ]
            for leased in try await world.lease(queue) {
                var settlement = leased.settlement
                settlement.retries = [
                    BatchDraft(
                        queue: queue,
                        isEnvironmentKnown: true,
                        attempts: 1,
                        notBefore: world.now + .seconds(60),
                        members: leased.batch.members
                    )
                ]
                try await world.store.settle(settlement)
            }
            try await world.markAll(upTo: sent[1], .archive, app, "ann", in: category)
            try await world.markAll(upTo: sent[3], .read, app, "ann")
            world.clock.advance(by: .seconds(60))
            try await world.deliver(queue)
            for one in sent {
                let counts = try await world.read(one.id).counts
                try expect(counts, is: DeliveryCounts(accepted: 1, suppressed: 1), "counts")
            }
        },
        Check(
            "an opened push reads the item of that device's delivery, and spares other devices where users are proven"
        ) {
            world in
            for mode in [IdentityMode.asserted, .signed] {
                let app = try await world.store.createApp(name: "app-\(mode)", identity: Identity(mode: mode))
                let queue = try await world.makeQueue(app)
                let anns = try await world.phone(app, token: 1, owner: .user("ann"))
                try await world.register(app, 2, user: "ann")
                let eves = try await world.phone(app, token: 3, owner: .user("eve"))
                let sent = try await world.leave(app, to: .endpoints([anns.endpoint.id]))
                let both = try await world.leave(app, to: .users(["ann"]))
                let name = both.id.description
                try await world.record([world.event(.open, message: name, of: eves.id)], app)
                try await world.record([world.event(.delivery, message: name, of: anns.id)], app)
                try await world.record([world.event(.open, message: name)], app)
                try expect(try await world.amounts(app, "ann"), is: [2, 2], "before")
                try await world.record([world.event(.open, message: name, of: anns.id)], app)
                try expect(try await world.inboxIDs(app, "ann", .unread), is: [sent.id], "afterwards")
                try await world.deliver(queue)
                let accepted = try await world.read(both.id).counts.accepted
                try expect(accepted, is: mode == .signed ? 0 : 2, "accepted, \(mode)")
            }
        },
        Check("badges are what the inbox has when a push goes out, with its own item") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let ann = try world.user(of: try await world.register(app, 1, user: "ann"))
            let bob = try world.user(of: try await world.register(app, 2, user: "bob"))
            let carl = try world.user(of: try await world.register(app, 3, user: "carl"))
            try await world.register(app, 4)
            let news = try await world.makeCategory(app, "news")
            try await world.change(app, "carl", categories: [news.row: ChannelPatch(inbox: .value(false))])
            let earlier = try await world.leave(app, in: news)
            try await world.leave(app, to: .users(["bob"]))
            try await world.deliver(queue)
            try await world.mark(earlier, .see, app, "ann")
            for (name, expected) in [(InboxBadgeName.unread, [2, 3, 1]), (.unseen, [2, 4, 2])] {
                world.clock.advance(by: .milliseconds(1))
                var draft = world.draft(app)
                draft.inbox = InboxDraft()
                draft.inboxBadge = name
                draft.messages[0].payload = Payload(Array("{}".utf8), holes: [.init(.badge, at: 1)])
                _ = try await world.submit(draft)
                try await world.fanOut()
                let leased = try await world.leaseOne(queue)
                let badges = try await world.store.context(of: leased.batch).badges
                let found = [ann, bob, carl].map { badges[$0].map(Int.init) }
                try expect(found, is: expected, "\(name)")
                try expect(badges.count, is: 3, "who has one")
                if name == .unread {
                    try await world.mark(earlier, .read, app, "bob")
                    let later = try await world.store.context(of: leased.batch).badges[bob]
                    try expect(later, is: 2, "at the next attempt")
                    try await world.mark(earlier, .unsee, app, "bob")
                }
                try await world.settle(leased)
            }
        },
    ]
}
