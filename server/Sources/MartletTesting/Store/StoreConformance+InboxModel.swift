import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Inboxes explored at random, beside a list that is counted again after each step.
    static let inboxModel: [Check] = (1...6).map { seed in
        Check("inboxes are what a list of their items says, whatever happens to them, run \(seed)") { world in
            var run = try await InboxRun(world, seed: UInt64(seed))
            for _ in 0..<60 { try await run.step() }
        }
    }
}

/// A walk through what can happen to inboxes.
private struct InboxRun {
    /// An item of one person's, as it should be.
    struct Item {
        var sent: Notification
        var expiresAt: Timestamp
        var category: MartletCore.Category?
        var status = InboxStatus()
    }

    let world: World
    let app: App
    let category: MartletCore.Category
    /// The last of them has no device.
    let users = ["ann", "bob", "carl"]
    var random: SeededRandom
    /// Oldest first.
    var inboxes: [String: [Item]] = [:]
    var steps: [String] = []

    init(_ world: World, seed: UInt64) async throws {
        self.world = world
        random = SeededRandom(seed: seed)
        app = try await world.makeApp()
        category = try await world.makeCategory(app, "news")
        for (number, user) in users.dropLast().enumerated() { try await world.register(app, number, user: user) }
        try await world.leave(app, to: .users(users))
        // From then on all of them are known; the item is put away.
        for user in users {
            let item = try unwrap(try await world.inbox(app, user).first, "item")
            _ = try await world.store.markInbox(.items([item.id], .archive), of: world.owner(app, user))
        }
    }

    mutating func step() async throws {
        world.clock.advance(by: .seconds(1))
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<20: try await leave(to: users.filter { _ in random.chance(60) })
        case 20..<35: try await leave(to: nil)
        case 35..<65: try await mark()
        case 65..<80: try await markAll()
        case 80..<86: try await recall()
        case 86..<93:
            steps.append("time passes")
            world.clock.advance(by: .seconds(Int.random(in: 1...60, using: &random)))
        default:
            steps.append("purge")
            try await world.purge(.inboxItems, limit: random.pick([1, 7, 1_000]))
        }
        try await compare()
    }

    /// To some, or to everybody: by a rule, or to those who have a device.
    private mutating func leave(to named: [String]?) async throws {
        let hasDedup = random.chance(50)
        let expiresAt = world.now + .seconds(random.pick([20, 100, 5_000]))
        let ofCategory = random.chance(40) ? category : nil
        let people = named ?? (hasDedup ? users.dropLast() : users)
        guard !people.isEmpty else { return }
        let sent = try await world.leave(
            app,
            to: named.map { .users($0) } ?? .all,
            in: ofCategory,
            InboxDraft(expiresAt: expiresAt),
            dedup: hasDedup ? Dedup(key: "\(steps.count)") : nil
        )
        steps.append("\(sent.id) to \(people)\(named == nil ? ", all" : "")\(hasDedup ? ", dedup" : "")")
        for user in people {
            inboxes[user, default: []].append(Item(sent: sent, expiresAt: expiresAt, category: ofCategory))
        }
    }

    private func live(_ user: String) -> [Int] {
        (inboxes[user] ?? []).indices.filter { inboxes[user]?[$0].expiresAt ?? world.now > world.now }
    }

    private mutating func mark() async throws {
        let (user, action) = (random.pick(users), random.pick(InboxAction.allCases))
        let live = live(user)
        guard !live.isEmpty else { return }
        let index = random.pick(live)
        guard let item = inboxes[user]?[index] else { return }
        steps.append("\(user): \(action) \(item.sent.id)")
        try await world.mark(item.sent, action, app, user)
        inboxes[user]?[index].status = item.status.applying(action)
    }

    private mutating func markAll() async throws {
        let (user, action) = (random.pick(users), random.pick([InboxAction.see, .read, .archive]))
        let live = live(user)
        guard !live.isEmpty else { return }
        let last = random.pick(live)
        let ofCategory = random.chance(30) ? category : nil
        guard let item = inboxes[user]?[last] else { return }
        steps.append("\(user): \(action) all up to \(item.sent.id)\(ofCategory == nil ? "" : " of the category")")
        try await world.markAll(upTo: item.sent, action, app, user, in: ofCategory)
        for index in 0...last {
            guard let item = inboxes[user]?[index], ofCategory == nil || item.category == ofCategory else { continue }
            inboxes[user]?[index].status = item.status.applying(action)
        }
    }

    private mutating func recall() async throws {
        let all = inboxes.sorted { $0.key < $1.key }.flatMap(\.value).map(\.sent)
        guard !all.isEmpty else { return }
        let sent = random.pick(all)
        steps.append("recall \(sent.id)")
        _ = try await world.store.recall(sent.row)
        for user in users { inboxes[user]?.removeAll { $0.sent.id == sent.id } }
    }

    private func compare() async throws {
        for user in users {
            let items = live(user).compactMap { inboxes[user]?[$0] }
            let story = "\(user) after \(steps.suffix(12).joined(separator: "; "))"
            let counts = [items.filter { !$0.status.isRead }.count, items.filter { !$0.status.isSeen }.count]
            try expect(try await world.amounts(app, user), is: counts, story)
            let lists: [(InboxStatusName, (InboxStatus) -> Bool)] = [
                (.active, { !$0.isArchived }), (.unseen, { !$0.isSeen }), (.unread, { !$0.isRead }),
                (.read, { $0.isRead && !$0.isArchived }),
            ]
            for (name, includes) in lists {
                let expected = items.filter { includes($0.status) }.map(\.sent.id)
                let found = try await world.inboxIDs(app, user, name, pagesOf: 4)
                try expect(found, is: expected.reversed(), "\(name) of \(story)")
            }
        }
    }
}
