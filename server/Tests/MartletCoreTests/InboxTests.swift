import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

@Suite("Inbox items")
struct InboxTests {
    @Test("an action moves a status as its word says", arguments: InboxAction.allCases)
    func actions(_ action: InboxAction) {
        for isSeen in [false, true] {
            for isRead in [false, true] {
                for isArchived in [false, true] {
                    let before = InboxStatus(isSeen: isSeen, isRead: isRead, isArchived: isArchived)
                    let after = before.applying(action)
                    // Who archived it read it, and who read it saw it.
                    #expect(after.isSeen || !after.isRead)
                    #expect(after.isRead || !after.isArchived)
                    #expect(after.applying(action) == after)
                    switch action {
                    case .see: #expect(after.isSeen && after.isRead == before.isRead)
                    case .unsee: #expect(!after.isSeen)
                    case .read: #expect(after.isRead && after.isArchived == before.isArchived)
                    case .unread: #expect(!after.isRead && after.isSeen == before.isSeen)
                    case .archive: #expect(after.isArchived)
                    case .unarchive: #expect(!after.isArchived && after.isRead == before.isRead)
                    }
                }
            }
        }
    }

    @Test("how an item is kept is decided by audience, dedup key and subscriptions")
    func kinds() {
        let topic = Audience.topic(
            TopicSelection(id: NotificationIDs().next(at: Timestamp(milliseconds: 0)), name: "t")
        )
        let lines: [(Audience, Bool, Int, InboxItemKind)] = [
            (.users(["ann"]), false, 0, .rows), (.users(["ann"]), true, 0, .rows),
            (.tokens(["x"], platform: .apns), false, 0, .rows), (.endpoints([]), false, 0, .rows),
            (topic, false, 10_000, .rows), (topic, true, 10_000, .rows), (topic, false, 10_001, .sets),
            (.all, false, 0, .everyone), (.all, true, 0, .sets),
        ]
        for (audience, hasDedup, subscriptions, kind) in lines {
            #expect(InboxItemKind(audience, hasDedup: hasDedup, subscriptions: subscriptions) == kind, "\(audience)")
        }
    }

    @Test(
        "a set of users is as short as it can be, and comes back whole",
        arguments: [0, 1, 2, 255, 256, 1_000, 4_096]
    )
    func userSets(_ count: Int) throws {
        var random = SeededRandom(seed: UInt64(count))
        let offsets = Array((0..<UserSet.size).shuffled(using: &random).prefix(count)).sorted()
        var set = UserSet()
        for offset in offsets.shuffled(using: &random) { set.insert(offset) }
        set.offsets.first.map { set.insert($0) }
        let bytes = set.bytes
        #expect(bytes.count == min(2 * count, 512))
        let read = try #require(UserSet(bytes: bytes))
        #expect(read == set)
        #expect(read.offsets == offsets)
        let members = Set(offsets)
        bytes.withUnsafeBufferPointer { buffer in
            for offset in 0..<UserSet.size {
                #expect(UserSet.contains(offset, in: buffer) == members.contains(offset))
                #expect(read.contains(offset) == members.contains(offset))
            }
        }
    }

    @Test(
        "what is no set of users is none",
        arguments: [[1], [0, 16], [UInt8](repeating: 0, count: 513)] as [[UInt8]]
    )
    func noSet(_ bytes: [UInt8]) { #expect(UserSet(bytes: bytes) == nil) }

    @Test("users are put into sets by their keys, and sets are joined")
    func places() throws {
        let sets = UserSet.sets(of: [4_095, 4_096, 1, 8_191, 1].map { RowID($0) })
        #expect(sets.map(\.block) == [0, 1])
        #expect(sets.map(\.set.offsets) == [[1, 4_095], [0, 4_095]])
        var joined = try #require(sets.first?.set)
        joined.formUnion(try #require(sets.last?.set))
        #expect(joined.offsets == [0, 1, 4_095])
    }

    @Test("half a million users of a million are 245 sets of at most 512 bytes, and exactly those")
    func manyPlaces() {
        let users = stride(from: Int64(2), through: 1_000_000, by: 2).map { RowID<User>($0) }
        let sets = UserSet.sets(of: users)
        // With the item's own row that is no more than 247, of the specification.
        #expect(sets.map(\.block) == Array(0...244))
        #expect(sets.allSatisfy { $0.set.bytes.count <= 512 })
        let offsets = stride(from: 0, to: UserSet.size, by: 2).map(\.self)
        #expect(sets.dropFirst().dropLast().allSatisfy { $0.set.offsets == offsets })
        #expect(sets.reduce(0) { $0 + $1.set.offsets.count } == users.count)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var draft: InboxDraft
        var content = Content(title: "T")
        var audience = Audience.users(["ann"])
        /// `nil` where it is taken.
        var field: String?
    }

    static let begin = Timestamp(milliseconds: 1_000_000)
    static let long = Content(body: String(repeating: "x", count: 8_192))

    static let refusals = [
        Refusal(testDescription: "nothing of its own", draft: InboxDraft()),
        Refusal(testDescription: "an empty key", draft: InboxDraft(key: ""), field: "inbox.key"),
        Refusal(
            testDescription: "a key that is too long",
            draft: InboxDraft(key: String(repeating: "k", count: 257)),
            field: "inbox.key"
        ),
        Refusal(testDescription: "a key with a line break", draft: InboxDraft(key: "a\nb"), field: "inbox.key"),
        Refusal(testDescription: "a key", draft: InboxDraft(key: String(repeating: "k", count: 256))),
        Refusal(
            testDescription: "a key of what goes to everybody",
            draft: InboxDraft(key: "k"),
            audience: .all,
            field: "inbox.key"
        ),
        Refusal(
            testDescription: "an end at the beginning",
            draft: InboxDraft(expiresAt: begin),
            field: "inbox.expires_at"
        ),
        Refusal(testDescription: "an end after it", draft: InboxDraft(expiresAt: begin + .milliseconds(1))),
        Refusal(
            testDescription: "an end in two years",
            draft: InboxDraft(expiresAt: begin + .seconds(2 * 366 * 86_400)),
            field: "inbox.expires_at"
        ),
        Refusal(
            testDescription: "nothing to show",
            draft: InboxDraft(),
            content: Content(sound: "s"),
            field: "content"
        ),
        Refusal(
            testDescription: "an empty content of its own",
            draft: InboxDraft(content: Content(image: "https://example.com/i.png")),
            field: "inbox.content"
        ),
        Refusal(testDescription: "data alone", draft: InboxDraft(), content: Content(data: ["n": 1])),
        Refusal(testDescription: "too long a content", draft: InboxDraft(), content: long, field: "content"),
        Refusal(
            testDescription: "too long a content of its own",
            draft: InboxDraft(content: long),
            field: "inbox.content"
        ),
        Refusal(
            testDescription: "a short content beside a long push",
            draft: InboxDraft(content: Content(title: "T")),
            content: long
        ),
    ]

    @Test("what an item says, its key and its end are within their bounds", arguments: refusals)
    func validation(_ line: Refusal) {
        var field: String?
        do throws(Failure) { try line.draft.validate(line.content, line.audience, begin: Self.begin) } catch {
            field = error.detail.field
        }
        #expect(field == line.field)
    }

    @Test("the content of an item is what can be shown, to the last byte of the bound")
    func content() throws {
        let whole = Content(title: "T", badge: 3, sound: "s", actionCategory: "c", overrides: [.apns: ["aps": [:]]])
        #expect(whole.inInbox == Content(title: "T"))
        let frame = #"{"body":""}"#.utf8.count
        let fits = Content(body: String(repeating: "x", count: InboxDraft.contentLimit - frame))
        try InboxDraft().validate(fits, .all, begin: Self.begin)
        var over = fits
        over.body?.append("x")
        #expect(throws: Failure.self) { try InboxDraft().validate(over, .all, begin: Self.begin) }
    }

    @Test("an item's key is the collapse id, unless there is another one, or none")
    func collapseID() {
        let app = App(
            row: RowID(1),
            id: NotificationIDs().next(at: Self.begin),
            name: "one",
            identity: Identity(),
            createdAt: Self.begin
        )
        var submission = Submission(app: app, audience: .users(["ann"]), content: Content(title: "T"))
        submission.dedup = Dedup(key: "event 1")
        #expect(submission.collapseID == Dedup(key: "event 1").collapseID)
        submission.inbox = InboxDraft()
        #expect(submission.collapseID == Dedup(key: "event 1").collapseID)
        submission.inbox = InboxDraft(key: "post-1")
        #expect(submission.collapseID == "post-1")
        submission.collapse = .id("other")
        #expect(submission.collapseID == "other")
        submission.collapse = .off
        #expect(submission.collapseID == nil)
    }
}
