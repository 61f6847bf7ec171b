import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Items that a newer one with the same key replaced, and what of them still waits or is shown.
    static let inboxVersions: [Check] = [
        Check("a newer version takes back what of the earlier one was not sent yet, for who has the newer one") {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1, user: "ann")
            try await world.register(app, 2, user: "bob")
            let first = try await world.leave(app, to: .users(["ann", "bob"]), InboxDraft(key: "post 1"))
            let second = try await world.leave(app, to: .users(["ann"]), InboxDraft(key: "post 1"))
            let other = try await world.leave(app, to: .users(["ann"]), InboxDraft(key: "post 2"))
            try await world.deliver(queue)
            let counts = try await world.read(first.id).counts
            try expect(counts, is: DeliveryCounts(accepted: 1, suppressed: 1), "the first")
            let reports = try await world.store.suppressions(first.row, PageRequest()).items
            try expect(reports.map(\.reason), is: ["superseded"], "the reason")
            try expect(reports.map(\.user), is: ["ann"], "whose")
            for sent in [second, other] {
                try expect(try await world.read(sent.id).counts, is: DeliveryCounts(accepted: 1), "the others")
            }
        },
        Check(
            "two notifications with one key that name a device each reach both, and a tap on the first reads the item"
        ) {
            world in
            let app = try await world.store.createApp(name: "app", identity: Identity(mode: .signed))
            let queue = try await world.makeQueue(app)
            let phones = [
                try await world.phone(app, token: 1, owner: .user("ann")),
                try await world.phone(app, token: 2, owner: .user("ann")),
            ]
            var sent: [Notification] = []
            for phone in phones {
                let audience = Audience.endpoints([phone.endpoint.id])
                sent.append(try await world.leave(app, to: audience, InboxDraft(key: "post 1")))
            }
            try await world.deliver(queue)
            for one in sent {
                try expect(try await world.read(one.id).counts, is: DeliveryCounts(accepted: 1), "both devices")
            }
            try expect(try await world.inboxIDs(app, "ann", .unread), is: [sent[1].id], "one item")
            let event = world.event(.open, message: sent[0].id.description, of: phones[0].id)
            try await world.record([event], app)
            try expect(try await world.inboxIDs(app, "ann", .unread), is: [], "read by the first")
        },
        Check("who reads an item is spared the earlier versions that wait too, whether it is one or all") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for action in [true, false] {
                var sent: [Notification] = []
                for number in 1...3 {
                    let endpoint = try await world.register(app, number, user: "ann")
                    let audience = Audience.endpoints([endpoint.id])
                    sent.append(try await world.leave(app, to: audience, InboxDraft(key: "post 1")))
                }
                if action {
                    try await world.mark(sent[2], .read, app, "ann")
                } else {
                    try await world.markAll(upTo: sent[2], .read, app, "ann")
                }
                try await world.deliver(queue)
                for one in sent {
                    try expect(try await world.read(one.id).counts, is: DeliveryCounts(suppressed: 1), "sent of it")
                }
            }
        },
        Check("all are marked up to an item that was replaced, recalled or has expired, and none up to another's") {
            world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let earlier = try await world.leave(app, to: .users(["ann"]))
            let replaced = try await world.leave(app, to: .users(["ann"]), InboxDraft(key: "post 1"))
            let newer = try await world.leave(app, to: .users(["ann"]), InboxDraft(key: "post 1"))
            try await world.markAll(upTo: replaced, .read, app, "ann")
            try expect(try await world.inboxIDs(app, "ann", .unread), is: [newer.id], "replaced")
            try await world.mark(earlier, .unread, app, "ann")
            let recalled = try await world.leave(app, to: .users(["ann"]))
            _ = try await world.store.recall(recalled.row)
            let kept = try await world.leave(app)
            try await world.markAll(upTo: recalled, .read, app, "ann")
            try expect(try await world.inboxIDs(app, "ann", .unread), is: [kept.id], "recalled")
            let ending = try await world.leave(app, InboxDraft(expiresAt: world.now + .seconds(60)))
            let last = try await world.leave(app)
            world.clock.advance(by: .seconds(60))
            try await world.markAll(upTo: ending, .read, app, "ann")
            try expect(try await world.inboxIDs(app, "ann", .unread), is: [last.id], "expired")
            let foreign = try await world.leave(app, to: .users(["bob"]))
            try await expectRefusal(.notFound, "bob's") {
                try await world.markAll(upTo: foreign, .read, app, "ann")
            }
            let elsewhere = try await world.store.createApp(name: "elsewhere", identity: Identity(mode: .asserted))
            let gone = try await world.leave(elsewhere)
            _ = try await world.store.recall(gone.row)
            try await expectRefusal(.notFound, "another app's") {
                try await world.markAll(upTo: gone, .read, app, "ann")
            }
        },
        Check("other devices are told of the earlier versions of what was read, and an unread newer one is not named") {
            world in
            let app = try await world.makeApp()
            let settings = AppSettings(hasBadgeSync: true)
            _ = try await world.store.updateApp(app.row, name: nil, identity: nil, settings: settings)
            try await world.register(app, 1, user: "ann")
            let first = try await world.leave(app, to: .users(["ann"]), InboxDraft(key: "post 1"))
            let second = try await world.leave(app, to: .users(["ann"]), InboxDraft(key: "post 1"))
            try await world.mark(second, .read, app, "ann")
            let told = try unwrap(try await world.store.takeBadgeSyncs(limit: 10).first, "what is told")
            try expect(told.read, is: [second.id, first.id], "of what")
            let third = try await world.leave(app, to: .users(["ann"]), InboxDraft(key: "post 1"))
            let other = try await world.leave(app, to: .users(["ann"]))
            world.clock.advance(by: BadgeSync.interval)
            try await world.mark(other, .read, app, "ann")
            let next = try unwrap(try await world.store.takeBadgeSyncs(limit: 10).first, "what is told next")
            try expect(next.read, is: [other.id], "of what, without \(third.id)")
        },
        Check("a recall is the first once, and names the versions that its item replaced") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let first = try await world.leave(app, to: .users(["ann"]), InboxDraft(key: "post 1"))
            let second = try await world.leave(app, to: .users(["ann"]), InboxDraft(key: "post 1"))
            let recall = try await world.store.recall(second.row)
            try expect(recall.isFirst, "the first is not the first")
            try expect(recall.replaced, is: [first.id], "replaced")
            let again = try await world.store.recall(second.row)
            try expect(!again.isFirst, "the second is the first")
            try expect(again.notification, is: recall.notification, "the notification")
            let plain = try await world.send(app)
            try expect(try await world.store.recall(plain.row).isFirst, "one without an item")
            try expect(try await !world.store.recall(plain.row).isFirst, "one without an item, again")
        },
    ]
}
