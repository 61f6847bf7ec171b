import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Kinds of notification.
    static let categories: [Check] = [
        Check("a category is read as it was made, by position and age, and one app's are none of another's") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            var draft = CategoryRequest(key: "follow", names: ["en": "New followers", "ja": "フォロー"])
            draft.default = ChannelChoice(enabled: true, push: false)
            draft.required = [.inbox]
            (draft.bypassQuietHours, draft.exemptFromCaps, draft.position) = (true, true, 7)
            let follow = try await world.store.createCategory(draft, of: app.row, actor: "admin")
            try expect(follow.key, is: draft.key, "key")
            try expect(follow.names, is: ["en": "New followers", "ja": "フォロー"], "names")
            try expect(follow.defaults, is: ChannelChoice(enabled: true, push: false), "defaults")
            try expect(follow.required, is: [.inbox], "required channels")
            try expect([follow.bypassesQuietHours, follow.isExemptFromCaps], is: [true, true], "flags")
            try expect(follow.createdAt, is: world.now, "time")
            let comment = try await world.makeCategory(app, "comment")
            try expect(comment.position, is: 8, "the position of one that names none")
            let first = try await world.makeCategory(app, "first", position: 1)
            try expect(try await world.store.categories(of: app.row), is: [first, follow, comment], "categories")
            try expect(try await world.store.categories(of: other.row), is: [], "another app's")
        },
        Check("a key is one category's in an app, whatever became of it, and has its form") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            let known = try await world.makeCategory(app, "follow")
            var change = CategoryUpdate()
            change.isArchived = true
            let archived = try await world.store.updateCategory(known.row, change, actor: "admin")
            try expect(archived.archivedAt, is: world.now, "when it was archived")
            try await expectRefusal(.conflict, "the same key") { _ = try await world.makeCategory(app, "follow") }
            for key in ["", "Follow", "a b", String(repeating: "a", count: 65)] {
                try await expectRefusal(.invalidValue, "key '\(key)'") { _ = try await world.makeCategory(app, key) }
            }
            try expect(try await world.store.categories(of: app.row), is: [archived], "categories")
            _ = try await world.makeCategory(other, "follow")
            try await expectRefusal(.notFound, "no app") {
                _ = try await world.store.createCategory(CategoryRequest(key: "a"), of: RowID(999), actor: "admin")
            }
        },
        Check("an app has so many categories at most") { world in
            let app = try await world.makeApp()
            for number in 0..<Category.limit { _ = try await world.makeCategory(app, "c\(number)") }
            try await expectRefusal(.conflict, "one more") { _ = try await world.makeCategory(app, "more") }
            try expect(try await world.store.categories(of: app.row).count, is: Category.limit, "categories")
        },
        Check("what is named of a category is changed and the rest stays") { world in
            let app = try await world.makeApp()
            let known = try await world.makeCategory(
                app,
                "follow",
                defaults: ChannelChoice(push: false, inbox: true)
            )
            var change = CategoryUpdate()
            change.default = ChannelPatch(push: .null, inbox: .value(false))
            change.required = [.push]
            var wanted = known
            wanted.defaults = ChannelChoice(inbox: false)
            wanted.required = [.push]
            try expect(try await world.store.updateCategory(known.row, change, actor: "admin"), is: wanted, "once")
            change = CategoryUpdate()
            (change.names, change.position, change.isArchived) = (["en": "Followers"], 9, true)
            (wanted.names, wanted.position, wanted.archivedAt) = (["en": "Followers"], 9, world.now)
            world.clock.advance(by: .seconds(1))
            wanted.archivedAt = world.now
            try expect(try await world.store.updateCategory(known.row, change, actor: "admin"), is: wanted, "twice")
            change = CategoryUpdate()
            change.isArchived = false
            wanted.archivedAt = nil
            try expect(try await world.store.updateCategory(known.row, change, actor: "admin"), is: wanted, "back")
            try expect(try await world.store.categories(of: app.row), is: [wanted], "categories")
            try await expectRefusal(.notFound, "no category") {
                _ = try await world.store.updateCategory(RowID(999), change, actor: "admin")
            }
        },
        Check("a notification has its category and the item that it leaves, in a list too") { world in
            let app = try await world.makeApp()
            let follow = try await world.makeCategory(app, "follow")
            let comment = try await world.makeCategory(app, "comment")
            let inbox = InboxDraft(key: "post:7", expiresAt: world.now + .seconds(60), content: Content(title: "Hi"))
            var sent: [Notification] = []
            for (category, inbox) in [(follow, inbox), (comment, InboxDraft()), (nil, nil)] {
                var draft = world.draft(app)
                (draft.category, draft.inbox) = (category, inbox)
                sent.append(try await world.submit(draft))
            }
            try expect(sent.map(\.category), is: [follow, comment, nil], "categories")
            try expect(sent.map(\.inbox), is: [inbox, InboxDraft(), nil], "items")
            let listed = try await world.store.notifications(app.row, state: nil, PageRequest()).items
            try expect(listed, is: sent.reversed(), "the list")
            let leased = try await world.store.leaseFanOuts(limit: 9, lease: world.newLease())
            try expect(leased.map(\.notification.category), is: [follow, comment, nil], "what workers get")
        },
    ]
}

extension World {
    /// A category of an app.
    @discardableResult
    func makeCategory(
        _ app: App,
        _ key: String,
        defaults: ChannelChoice = ChannelChoice(),
        required: Set<ChannelName> = [],
        position: Int? = nil
    ) async throws -> MartletCore.Category {
        var draft = CategoryRequest(key: key)
        (draft.default, draft.required, draft.position) = (defaults, Array(required), position)
        return try await store.createCategory(draft, of: app.row, actor: "admin")
    }
}
