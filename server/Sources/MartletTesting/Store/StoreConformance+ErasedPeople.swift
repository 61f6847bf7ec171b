import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What notifications and inboxes keep of somebody who was erased: nothing that names them or was only theirs.
    static let erasedPeople: [Check] = [
        Check("an erased user's name is in no audience, and what others were told stays") { world in
            let app = try await world.makeApp()
            // Names that stand within each other's text, and one that differs by its bytes alone.
            let names = ["ann", "x\"ann", "users", "_0", "an\u{6E}\u{301}", "a\u{6E}\u{301}n", "a\u{144}n", "e/\u{E9}"]
            for (index, name) in names.enumerated() {
                let sent = try await world.submit(world.draft(app, to: .users(names), sendAt: world.now + .seconds(60)))
                let other = try await world.submit(world.draft(app, to: .users(["bob"])))
                try await world.store.eraseUser(name, of: app.row)
                var left = names
                left[index] = Audience.erasedUser
                let read = try await world.read(sent.id)
                try expect(read.audience.bytes, is: Audience.users(left).bytes, name)
                try expect(read.content, is: Content(title: "Line 4 is late"), "what was for others too")
                try expect(try await world.read(other.id).audience, is: .users(["bob"]), "another one's")
                _ = try await world.store.cancel(sent.row)
                try await expectRefusal(.notFound, "once more") { try await world.store.eraseUser(name, of: app.row) }
            }
        },
        Check("what was for an erased user alone says nothing any more, and its item is gone; others keep theirs") {
            world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            try await world.register(app, 1, user: "ann")
            let key = InboxDraft(key: "post 1", content: Content(title: "For the list"))
            let replaced = try await world.leave(app, to: .users(["ann"]), key)
            let own = try await world.leave(app, to: .users(["ann"]), key)
            let shared = try await world.leave(app, to: .users(["ann", "bob"]))
            let foreign = try await world.leave(other, to: .users(["ann"]))
            try await world.store.eraseUser("ann", of: app.row)
            for sent in [replaced, own] {
                let read = try await world.read(sent.id)
                try expect(read.content, is: Content(), "content")
                try expect(read.inbox, is: InboxDraft(), "inbox")
                try expect(try await world.store.whyFacts(of: sent.row, user: "bob").item == nil, "item")
                try expect(read.counts, is: sent.counts, "counts")
            }
            try expect(try await world.inboxIDs(app, "bob"), is: [shared.id], "bob's")
            try expect(try await world.read(shared.id).content.title, is: "Line 4 is late", "what is bob's too")
            try expect(try await world.inboxIDs(other, "ann"), is: [foreign.id], "another app's")
            // The last who has it.
            try await world.store.eraseUser("bob", of: app.row)
            try expect(try await world.read(shared.id).content, is: Content(), "what was for both")
        },
        Check("an item that only an erased user had is gone, also where its notification was for more or is forgotten")
        {
            world in
            let app = try await world.makeApp()
            for user in ["ann", "bob"] { try await world.register(app, user == "ann" ? 1 : 2, user: user) }
            _ = try await world.change(app, "bob", master: ChannelPatch(inbox: .value(false)))
            let sent = try await world.leave(app, to: .users(["ann", "bob"]))
            try expect(try await world.inboxIDs(app, "ann"), is: [sent.id], "before")
            try await world.store.eraseUser("ann", of: app.row)
            try expect(try await world.store.whyFacts(of: sent.row, user: "bob").item == nil, "item")
            try expect(try await world.store.recall(sent.row).notification.counts, is: sent.counts, "recall")
        },
        Check("who is erased before a notification is published is passed over, and is not made anew") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            try await world.register(app, 2, user: "bob")
            var draft = world.draft(app, to: .users(["ann", "bob", "carl"]), sendAt: world.now + .seconds(60))
            draft.inbox = InboxDraft()
            let sent = try await world.submit(draft)
            // One whom only a notification names.
            for user in ["ann", "carl"] { try await world.store.eraseUser(user, of: app.row) }
            world.clock.advance(by: .seconds(60))
            try await world.fanOut()
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(pending: 1), "counts")
            try expect(try await world.inboxIDs(app, "bob"), is: [sent.id], "bob's")
            for user in ["ann", "carl"] {
                try expect(!(try await world.store.whyFacts(of: sent.row, user: user).isKnown), "\(user) is back")
                try await expectRefusal(.notFound, user) { try await world.store.eraseUser(user, of: app.row) }
            }
            // What is submitted after it is for them again.
            let later = try await world.send(app, to: .users(["ann"]))
            try expect(later.counts, is: DeliveryCounts(suppressed: 1), "a later one")
            try expect(try await world.store.whyFacts(of: later.row, user: "ann").isKnown, "ann is not back")
        },
        Check("who is erased while an audience is read is neither made anew nor left an item") { world in
            let app = try await world.makeApp()
            var draft = world.draft(app, to: .users(["ann", "bob", "carl"]))
            draft.inbox = InboxDraft()
            let sent = try await world.submit(draft)
            let leases = try await world.store.leaseFanOuts(limit: 1, lease: world.newLease())
            let leased = try unwrap(leases.first, "fan-out")
            // Erased with the fan-out leased, and then with a part read.
            try await world.store.eraseUser("ann", of: app.row)
            let page = try await world.store.audience(of: leased, limit: 10)
            try expect(page.usersWithoutEndpoint.count, is: 2, "people of the part")
            try await world.store.eraseUser("bob", of: app.row)
            let end = try await world.store.commit(world.gate(for: leased).decide(page), of: leased)
            try expect(end == nil, "the fan-out goes on")
            try expect(try await world.inboxIDs(app, "carl"), is: [sent.id], "carl's")
            try expect(!(try await world.store.whyFacts(of: sent.row, user: "ann").isKnown), "ann is back")
            // The item is carl's alone, so it goes with him.
            try await world.store.eraseUser("carl", of: app.row)
            try expect(try await world.store.whyFacts(of: sent.row, user: "carl").item == nil, "item")
        },
        Check("an announcement that is being read does not meet an erased user's device as anonymous") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            try await world.register(app, 2, user: "bob")
            _ = try await world.change(app, "ann", master: ChannelPatch(push: .value(false)))
            let sent = try await world.submit(world.draft(app))
            let leases = try await world.store.leaseFanOuts(limit: 1, lease: world.newLease())
            var position: FanOut? = try unwrap(leases.first, "fan-out")
            var isErased = false
            while let current = position {
                let page = try await world.store.audience(of: current, limit: 1)
                position = try await world.store.commit(world.gate(for: current).decide(page), of: current)
                if !isErased { try await world.store.eraseUser("ann", of: app.row) }
                isErased = true
            }
            let counts = try await world.read(sent.id).counts
            try expect(counts, is: DeliveryCounts(pending: 1, suppressed: 1), "counts")
        },
        Check("why: of an erased user nothing is stored, and that is what is said") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1, user: "ann")
            let topic = try await world.makeTopic(of: app)
            try await world.subscribe("ann", of: app, to: topic)
            var sent: [Notification] = []
            for audience in [Audience.users(["ann"]), .users(["ann", "bob"]), .all, .topic(TopicSelection(topic))] {
                sent.append(try await world.send(app, to: audience))
            }
            try await world.deliver(queue)
            try await world.store.eraseUser("ann", of: app.row)
            for notification in sent {
                let facts = try await world.store.whyFacts(of: notification.row, user: "ann")
                let report = WhyReport(facts, now: world.now)
                try expect(report.isInAudience, is: false, "\(notification.audience)")
                try expect(report.steps.map(\.reason), is: ["not_in_audience"], "reasons")
                try expect(report.summary.contains("erased, or never known"), report.summary)
            }
        },
    ]
}

extension Audience {
    /// The bytes of the users that it names: texts that look the same may differ.
    fileprivate var bytes: [[UInt8]] { if case .users(let ids) = self { ids.map { Array($0.utf8) } } else { [] } }
}
