import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// How items leave, and what tells streams of changes.
    static let inboxEnds: [Check] = [
        Check("a later item takes the place of the one under its key, for each person, and an earlier one never does") {
            world in
            let app = try await world.makeApp()
            func named(_ key: String) -> InboxDraft { InboxDraft(key: key) }
            let first = try await world.leave(app, to: .users(["ann", "bob"]), named("post 1"))
            let other = try await world.leave(app, to: .users(["ann"]), named("post 2"))
            try await world.mark(first, .read, app, "ann")
            let second = try await world.leave(app, to: .users(["ann", "carl"]), named("post 1"))
            try expect(try await world.inboxIDs(app, "ann"), is: [second.id, other.id], "ann's")
            try expect(try await world.amounts(app, "ann"), is: [2, 2], "ann's counts")
            try expect(try await world.inboxIDs(app, "bob"), is: [first.id], "bob's")
            try expect(try await world.inboxIDs(app, "carl"), is: [second.id], "carl's")
            try await expectRefusal(.notFound, "the one before") { try await world.mark(first, .read, app, "ann") }
            // Accepted first and read last, within a second.
            var late = world.draft(app, to: .users(["ann"]))
            late.inbox = named("post 3")
            let slow = try await world.submit(late)
            world.clock.advance(by: .milliseconds(1))
            var quick = world.draft(app, to: .users(["ann"]))
            quick.inbox = named("post 3")
            _ = try await world.store.submit(quick, idempotency: nil, gate: world.gate(of: quick))
            try await world.fanOut()
            let ids = try await world.inboxIDs(app, "ann")
            try expect(ids, is: [quick.id, second.id, other.id], "not \(slow.id)")
        },
        Check("an item that is recalled is gone everywhere, and the rest of its notification is cancelled") { world in
            let app = try await world.makeApp()
            for number in 1...2 { try await world.register(app, number, user: "user\(number)") }
            let kept = try await world.leave(app, to: .users(["user1"]))
            let items = [
                try await world.leave(app, to: .users(["user1", "user2", "user3"])), try await world.leave(app),
                try await world.leave(app, dedup: Dedup(key: "a")),
            ]
            try await world.mark(items[0], .read, app, "user1")
            for item in items {
                try await world.mark(item, .see, app, "user1")
                let before = try await world.store.inboxCounts(of: world.owner(app, "user2"))
                try expect(try await world.store.recall(item.row).notification.state, is: .cancelled, "state")
                try expect(try await world.store.recall(item.row).notification.state, is: .cancelled, "state again")
                let after = try await world.store.inboxCounts(of: world.owner(app, "user2"))
                try expect(after.unread, is: before.unread - 1, "unread")
                try expect(after.revision > before.revision, "the revision stays")
                for user in ["user1", "user2", "user3"] {
                    try expect(try await !world.inboxIDs(app, user).contains(item.id), "\(user) still has it")
                    try await expectRefusal(.notFound, "marked") { try await world.mark(item, .read, app, user) }
                }
            }
            try expect(try await world.inboxIDs(app, "user1"), is: [kept.id], "what is left")
            try expect(try await world.amounts(app, "user1"), is: [1, 1], "counts of what is left")
            while try await !world.store.expire(limit: 10, process: 0).batches.isEmpty {}
            let counts = try await world.read(items[1].id).counts
            try expect(counts, is: DeliveryCounts(cancelled: 2), "counts")
            try await expectRefusal(.notFound, "an unknown one") { _ = try await world.store.recall(RowID(1)) }
            let plain = try await world.send(app)
            try expect(
                try await world.store.recall(plain.row).notification.state,
                is: .cancelled,
                "one without an item"
            )
        },
        Check("what is recalled while its audience is read reaches nobody else") { world in
            let app = try await world.makeApp()
            for number in 1...4 { try await world.register(app, number, user: "user\(number)") }
            var draft = world.draft(app, to: .users((1...4).map { "user\($0)" }))
            draft.inbox = InboxDraft()
            let sent = try await world.submit(draft)
            let leased = try unwrap(
                try await world.store.leaseFanOuts(limit: 1, lease: world.newLease()).first,
                "fan-out"
            )
            let page = try await world.store.audience(of: leased, limit: 2)
            let next = try await world.store.commit(world.gate(for: leased).decide(page), of: leased)
            _ = try await world.store.recall(sent.row)
            let position = try unwrap(next, "rest")
            let rest = try await world.store.audience(of: position, limit: 2)
            let end = try await world.store.commit(world.gate(for: position).decide(rest), of: position)
            try expect(end == nil, "the fan-out goes on")
            for number in 1...4 {
                try expect(try await world.inboxIDs(app, "user\(number)"), is: [], "user \(number)")
                try expect(try await world.amounts(app, "user\(number)"), is: [0, 0], "counts of \(number)")
            }
        },
        Check("items end at their time and are deleted later, and those of an app that is deleted with it") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let ending = InboxDraft(expiresAt: world.now + .seconds(60))
            let items = [
                try await world.leave(app, to: .users(["ann"]), ending), try await world.leave(app, ending),
                try await world.leave(app, ending, dedup: Dedup(key: "a")),
            ]
            let kept = try await world.leave(app)
            for item in items { try await world.mark(item, .see, app, "ann") }
            try await world.purge(.inboxItems)
            try expect(try await world.amounts(app, "ann"), is: [4, 1], "counts before")
            world.clock.advance(by: .seconds(60))
            try expect(try await world.inboxIDs(app, "ann"), is: [kept.id], "what has not ended")
            try expect(try await world.amounts(app, "ann"), is: [1, 1], "counts")
            let revision = try await world.store.inboxCounts(of: world.owner(app, "ann")).revision
            try await world.purge(.inboxItems, limit: 1)
            try expect(try await world.inboxIDs(app, "ann"), is: [kept.id], "what is left")
            let counts = try await world.store.inboxCounts(of: world.owner(app, "ann"))
            try expect([counts.unread, counts.unseen], is: [1, 1], "counts of what is left")
            try expect(counts.revision > revision, "the revision stays")
            try expect(try await world.store.purge(.inboxItems, before: world.now, limit: 10), is: 0, "once more")
            try await world.store.deleteApp(app.row)
            try expect(try await world.inboxIDs(app, "ann"), is: [], "of an app that is gone")
        },
        Check("an item outlives its notification, and one that would have ended when it is published is none") {
            world in
            let app = try await world.makeApp()
            var draft = world.draft(app, to: .users(["ann"]), sendAt: world.now + .seconds(120))
            draft.inbox = InboxDraft(expiresAt: world.now + .seconds(60))
            _ = try await world.submit(draft)
            let sent = try await world.leave(app, to: .users(["ann"]))
            world.clock.advance(by: .seconds(120))
            try await world.fanOut()
            try expect(try await world.inboxIDs(app, "ann"), is: [sent.id], "items")
            let later = world.now + World.twoDays + World.twoDays
            while try await world.store.purge(.notifications, before: later, limit: 100) > 0 {}
            try expect(try await world.inboxIDs(app, "ann"), is: [sent.id], "without its notification")
            try await world.mark(sent, .read, app, "ann")
            try expect(try await world.amounts(app, "ann"), is: [0, 0], "counts")
        },
        Check("what is published later stands before what was accepted later and published before") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            var scheduled: [Notification] = []
            for audience in [Audience.users(["ann"]), .all] {
                world.clock.advance(by: .milliseconds(1))
                var draft = world.draft(app, to: audience, sendAt: world.now + .seconds(60))
                draft.inbox = InboxDraft()
                scheduled.append(try await world.submit(draft))
            }
            let sent = try await world.leave(app, to: .users(["ann"]))
            try await world.markAll(upTo: sent, .read, app, "ann")
            world.clock.advance(by: .seconds(60))
            try await world.fanOut()
            let ids = try await world.inboxIDs(app, "ann")
            try expect(Set(ids.prefix(2)), is: Set(scheduled.map(\.id)), "the newest")
            try expect(ids.last, is: sent.id, "the oldest")
            try expect(try await world.amounts(app, "ann"), is: [2, 2], "counts")
        },
        Check("a person has about a thousand items of their own: the oldest leave") { world in
            let app = try await world.makeApp()
            let count = 1_300
            var ids: [PublicID] = []
            for start in stride(from: 0, to: count, by: 100) {
                let requests = (start..<min(start + 100, count)).map { _ in
                    world.clock.advance(by: .milliseconds(1))
                    var draft = world.draft(app, to: .users(["ann"]))
                    draft.inbox = InboxDraft()
                    ids.append(draft.id)
                    return SubmitRequest(draft, gate: world.gate(of: draft))
                }
                _ = try await world.store.submit(requests)
            }
            let found = try await world.inboxIDs(app, "ann")
            try expect((1_000..<1_290).contains(found.count), "\(found.count) items")
            try expect(found, is: Array(ids.suffix(found.count).reversed()), "items")
            try expect(try await world.amounts(app, "ann"), is: [found.count, found.count], "counts")
        },
        Check("an app has two thousand shared items that are live: the oldest leave") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            for _ in 0..<21 {
                let requests = (0..<100).map { _ in
                    world.clock.advance(by: .milliseconds(1))
                    var draft = world.draft(app)
                    draft.inbox = InboxDraft()
                    return SubmitRequest(draft)
                }
                _ = try await world.store.submit(requests)
                try await world.fanOut()
            }
            try expect(try await world.amounts(app, "ann"), is: [2_000, 2_000], "counts")
            try expect(Set(try await world.inboxIDs(app, "ann")).count, is: 2_000, "items")
        },
        Check("streams are told whose inbox changed, with counts and a revision that grows, and nothing of others") {
            world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            for number in 1...2 { try await world.register(app, number, user: "user\(number)") }
            let owners = (1...3).map { world.owner(app, "user\($0)") } + [world.owner(other, "user1")]
            var known: [InboxOwner: Int64] = [:]
            for owner in owners { known[owner] = try await world.store.inboxCounts(of: owner).revision }
            func changed() async throws -> [InboxOwner: InboxChange] {
                let changes = try await world.store.inboxChanges(since: known)
                for (owner, change) in changes {
                    try expect(change.revision > known[owner] ?? .max, "the revision does not grow")
                    try expect(change.revision < 1 << 53, "the revision is more than JavaScript's numbers tell apart")
                    let counts = try await world.store.inboxCounts(of: owner)
                    try expect([change.unread, change.unseen], is: [counts.unread, counts.unseen], "counts")
                    try expect(change.revision, is: counts.revision, "revision")
                    known[owner] = change.revision
                }
                return changes
            }
            try expect(try await changed(), is: [:], "nothing")
            let own = try await world.leave(app, to: .users(["user1"]))
            let first = try await changed()
            try expect(Set(first.keys), is: [owners[0]], "one item")
            try expect(first[owners[0]]?.ids, is: [own.id], "its id")
            let shared = try await world.leave(app)
            let second = try await changed()
            try expect(Set(second.keys), is: Set(owners.prefix(3)), "a shared item")
            try expect(second[owners[1]]?.ids, is: [shared.id], "its id")
            try expect(second[owners[2]]?.unread, is: 0, "of who is not known")
            try await world.mark(shared, .read, app, "user2")
            try expect(Set(try await changed().keys), is: [owners[1]], "a mark")
            try await world.markAll(upTo: shared, .see, app, "user1")
            try expect(Set(try await changed().keys), is: [owners[0]], "all")
            _ = try await world.store.recall(shared.row)
            try expect(Set(try await changed().keys), is: Set(owners.prefix(3)), "a recall")
            try expect(try await changed(), is: [:], "nothing in the end")
            try expect(try await world.store.inboxChanges(since: [:]), is: [:], "nobody")
        },
    ]
}
