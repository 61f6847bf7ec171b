import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// What the conformance suite does not see of inboxes: how many rows there are, and how long a feed takes.
@Suite struct InboxTests {
    @Test("an announcement to all is one row, and one to a filtered topic a row for 4,096 users, which outlive both")
    func rows() async throws {
        let ground = try await PeopleGround()
        try await ground.makeUsers(24_000)
        let all = try await ground.send(ground.draft(to: .all))
        #expect(try await ground.rows("inbox_items") == 1)
        #expect(try await ground.rows("inbox_entries") == 0)
        #expect(try await ground.rows("inbox_sets") == 0)
        #expect(try await ground.rows("inbox_state") == 0)
        let topic = try await ground.makeTopic()
        #expect(try await ground.rows("filter_policies") == 2)
        var draft = ground.draft(to: .topic(TopicSelection(topic)))
        draft.message = TopicMessage(attributes: ["kind": .init(type: "String", value: "a")])
        let some = try await ground.send(draft)
        #expect(try await ground.rows("inbox_items") == 2)
        #expect(try await ground.rows("inbox_sets") == 24_000 / 4_096 + 1)
        #expect(try await ground.rows("inbox_entries") == 0)
        _ = try await ground.store.deleteTopic(topic.row)
        ground.clock.advance(by: .seconds(1))
        for _ in 0..<100 where try await ground.rows("filter_policies") > 0 {
            _ = try await ground.store.purge(.deletedTopics, before: ground.clock.now(), limit: 1_000)
        }
        #expect(try await ground.rows("filter_policies") == 0)
        for number in [1, 2, 4, 4_094, 4_095, 4_096, 23_998, 24_000] {
            let expected = number % 4 == 0 ? [some, all] : [all]
            #expect(try await ground.ids(of: "user\(number)") == expected, "\(number)")
        }
        // A set and a rule, and nothing of each of 24,000 people.
        let sets = try await ground.store.read {
            try $0.prepare("SELECT block, members FROM inbox_sets").all { ($0.int("block"), $0.bytes("members")) }
        }
        #expect(sets.allSatisfy { $0.1.count <= 512 })
        let members = sets.flatMap { block, bytes in
            (UserSet(bytes: bytes)?.offsets ?? []).map { Int(block) * UserSet.size + $0 }
        }
        #expect(Set(members) == Set(stride(from: 4, through: 24_000, by: 4)))
        await ground.store.close()
    }

    @Test("pages have none twice and none missing while a thousand arrive")
    func pages() async throws {
        let ground = try await PeopleGround()
        try await ground.makeUsers(2)
        /// So many at once, of which every fifth is for the person alone.
        func arrive(_ count: Int) async throws {
            let requests = (0..<count).map { number in
                let draft = ground.draft(to: number % 5 == 0 ? .users(["user1"]) : .all)
                return SubmitRequest(draft, gate: Gate(draft, device: ground.device))
            }
            _ = try await ground.store.submit(requests)
            try await ground.fanOut()
        }
        for _ in 0..<16 { try await arrive(25) }
        let owner = InboxOwner(app: ground.app.row, user: "user1")
        func read(pagesOf size: Int, between: () async throws -> Void) async throws -> [PublicID] {
            var found: [PublicID] = []
            var request: PageRequest? = PageRequest(count: size)
            while let current = request {
                let page = try await ground.store.inbox(.list(.active, category: nil), of: owner, current)
                found += page.items.map(\.id)
                request = page.next.map { PageRequest(after: $0, count: size) }
                if request != nil { try await between() }
            }
            return found
        }
        let before = try await read(pagesOf: 100) {}
        #expect(before.count == 400 && Set(before).count == 400)
        var rest = 1_000
        let found = try await read(pagesOf: 10) {
            let count = min(rest, 26)
            rest -= count
            try await arrive(count)
        }
        #expect(rest == 0)
        #expect(found == before)
        let afterwards = try await read(pagesOf: 100) {}
        #expect(afterwards.count == 1_400 && Array(afterwards.suffix(400)) == before)
        await ground.store.close()
    }

    @Test("of a hundred thousand people none of a thousand who switch it off stands in a batch that is leased later")
    func switchesOff() async throws {
        let ground = try await PeopleGround()
        let people = 100_000
        try await ground.makeUsers(people)
        let app = ground.app.row
        let news = try await ground.store.createCategory(CategoryRequest(key: "news"), of: app, actor: "test")
        let on = PreferencesDraft(user: "user1", master: ChannelPatch(push: .value(true)))
        _ = try await ground.store.changePreferences([on], of: app, actor: "test")
        var draft = ground.draft(to: .all)
        draft.category = news
        let id = try await ground.send(draft)
        let queue = DeliveryQueue(app: app, platform: .apns, environment: .production)
        let key = CredentialSummary(kind: .token, topic: "com.example.app", keyID: "K", teamID: "T", expiresAt: nil)
        let credential = StoredCredentialDraft(summary: key, sealed: [1, 2, 3], url: nil, trust: nil)
        _ = try await ground.store.storeCredential(queue, credential)
        // The provider stalls with this one.
        let first = try await ground.store.leaseBatches(queue, limit: 1, lease: Lease(holder: 1))
        let off = ChannelPatch(enabled: .value(false))
        let numbers = Array(stride(from: 100, through: people, by: 100))
        let drafts = numbers.map { PreferencesDraft(user: "user\($0)", categories: [news.row: off]) }
        _ = try await ground.store.changePreferences(drafts, of: app, actor: "test")
        let refused = Set(numbers.map { RowID<User>(Int64($0)) })
        func accept(_ batch: Batch, _ lease: Lease) async throws {
            var settlement = Settlement(batch: batch, lease: lease)
            settlement.results = batch.members.map { DeliveryResult(member: $0, state: .accepted, attempts: 1) }
            try await ground.store.settle(settlement)
        }
        var later = 0
        let lease = Lease(holder: 2)
        while case let batches = try await ground.store.leaseBatches(queue, limit: 50, lease: lease), !batches.isEmpty {
            for batch in batches {
                #expect(batch.members.allSatisfy { $0.user.map { !refused.contains($0) } ?? false })
                later += batch.members.count
                try await accept(batch, lease)
            }
        }
        let early = first.flatMap(\.members)
        let isLate = numbers.count - early.count { $0.user.map(refused.contains) ?? false }
        #expect(!early.isEmpty && early.count + later + isLate == people)
        for batch in first { try await accept(batch, Lease(holder: 1)) }
        let sent = try #require(try await ground.store.notification(id))
        #expect(sent.state == .done)
        #expect(sent.counts == DeliveryCounts(accepted: people - isLate, suppressed: isLate))
        await ground.store.close()
    }

    @Test("a thousand items and two thousand announcements are a page in a few milliseconds, and so are their counts")
    func feed() async throws {
        let ground = try await PeopleGround()
        try await ground.makeUsers(10)
        for start in stride(from: 0, to: 3_000, by: 100) {
            let requests = (start..<start + 100).map { number in
                let draft = ground.draft(to: number % 3 == 0 ? .users(["user1"]) : .all)
                return SubmitRequest(draft, gate: Gate(draft, device: ground.device))
            }
            _ = try await ground.store.submit(requests)
            try await ground.fanOut()
        }
        let owner = InboxOwner(app: ground.app.row, user: "user1")
        #expect(try await ground.store.inboxCounts(of: owner).unread == 3_000)
        let clock = ContinuousClock()
        func best(_ body: () async throws -> Void) async throws -> Duration {
            var best = Duration.seconds(60)
            for _ in 0..<5 { best = min(best, try await clock.measure { try await body() }) }
            return best
        }
        let page = try await best {
            _ = try await ground.store.inbox(.list(.active, category: nil), of: owner, PageRequest(count: 50))
        }
        let counts = try await best { _ = try await ground.store.inboxCounts(of: owner) }
        // Without optimization a row costs ten times as much, and another test may run beside this one.
        #expect(page < .milliseconds(100), "\(page)")
        #expect(counts < .milliseconds(200), "\(counts)")
        await ground.store.close()
    }

    @Test(
        "a person's devices are told the number at once, then half a minute later, and not at all by apps that do not ask"
    )
    func badgeTurns() async throws {
        let ground = try await PeopleGround()
        try await ground.makeUsers(1)
        let user: RowID<User> = try await ground.store.write { transaction in
            try #require(try transaction.user("user1", of: ground.app.row))
        }
        let start = ground.clock.now()
        func plan() async throws {
            try await ground.store.write { try $0.planBadgeSync(of: user, in: ground.app.row, readOn: nil) }
        }
        func turns(at seconds: Int) async throws -> Int {
            let passed = ground.clock.now() - start
            ground.clock.advance(by: .seconds(seconds) - passed)
            return try await ground.store.takeBadgeSyncs(limit: 10).count
        }
        try await plan()
        #expect(try await turns(at: 0) == 0)
        try await ground.store.write { try $0.prepare("UPDATE apps SET has_badge_sync = 1").run() }
        try await plan()
        #expect(try await turns(at: 0) == 1)
        #expect(try await turns(at: 1) == 0)
        try await plan()
        #expect(try await turns(at: 29) == 0)
        try await plan()
        #expect(try await turns(at: 30) == 1)
        #expect(try await turns(at: 90) == 0)
        try await plan()
        #expect(try await turns(at: 90) == 1)
        await ground.store.close()
    }
}
