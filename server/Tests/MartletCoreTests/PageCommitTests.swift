import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

@Suite("What is written of a part of an audience")
struct PageCommitTests {
    static let queue = DeliveryQueue.sample(1)

    /// User 0 is nobody.
    static func member(_ endpoint: Int64, _ user: Int64 = 0) -> Member {
        Member(endpoint: RowID(endpoint), user: user == 0 ? nil : RowID(user))
    }

    static func draft(_ members: Member..., queue: DeliveryQueue = queue) -> BatchDraft {
        BatchDraft(queue: queue, isEnvironmentKnown: true, members: members)
    }

    static func disabled(_ endpoint: Int64) -> Suppression {
        Suppression(endpoint: RowID(endpoint), user: nil, reason: .endpointDisabled)
    }

    static let noDevice = Suppression(endpoint: nil, user: RowID(9), reason: .noEndpoint)

    static let page = GatedPage(
        batches: [draft(member(1, 7), member(2, 8)), draft(member(3, 7)), draft(member(4))],
        suppressions: [disabled(5), disabled(6), noDevice],
        next: nil
    )

    struct Line: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var met: [Int64] = []
        var holders: [Int64: Int64] = [:]
        var batches: [[Int64]]
        var suppressions = [disabled(5), disabled(6), noDevice]
        /// Endpoints, with the notification that holds the claim.
        var duplicates: [[Int64]] = []
    }

    static let table = [
        Line(testDescription: "where nothing is known all of it", batches: [[1, 2], [3], [4]]),
        Line(
            testDescription: "whom the notification met is left out without a word",
            met: [2, 5, 77],
            batches: [[1], [3], [4]],
            suppressions: [disabled(6), noDevice]
        ),
        Line(testDescription: "no batch without members", met: [3, 4], batches: [[1, 2]]),
        Line(
            testDescription: "a user's claim keeps all of their devices out",
            holders: [7: 100],
            batches: [[2], [4]],
            duplicates: [[1, 100], [3, 100]]
        ),
        Line(
            testDescription: "nobody's device has a claim of its own",
            holders: [-4: 101, 4: 102],
            batches: [[1, 2], [3]],
            duplicates: [[4, 101]]
        ),
        Line(
            testDescription: "whom the notification met is no duplicate",
            met: [1],
            holders: [7: 100, 8: 101],
            batches: [[4]],
            duplicates: [[2, 101], [3, 100]]
        ),
    ]

    @Test("is what nobody met and no other claim forbids", arguments: table)
    func commit(_ line: Line) {
        var commit = PageCommit(Self.page, met: Set(line.met.map { RowID($0) }))
        commit.suppress(heldBy: line.holders.mapValues { RowID($0) })
        #expect(commit.batches.map { $0.members.map(\.endpoint.rawValue) } == line.batches)
        #expect(commit.planned == line.batches.joined().count)
        #expect(commit.suppressions == line.suppressions)
        #expect(commit.duplicates.map { [$0.endpoint?.rawValue ?? 0, $0.heldBy?.rawValue ?? 0] } == line.duplicates)
        #expect(commit.duplicates.allSatisfy { $0.reason == .duplicate })
    }

    @Test("a duplicate keeps the user that the claim was made for")
    func user() {
        var commit = PageCommit(Self.page)
        commit.suppress(heldBy: [8: RowID(100)])
        #expect(commit.duplicates.map(\.user) == [RowID(8)])
    }

    @Test("claims are made for users, for endpoints of nobody, and for none that was met")
    func subjects() {
        #expect(PageCommit(Self.page, met: [RowID(2)]).subjects == [7, 7, -4])
    }
}

@Suite("Where the reading of an audience goes on")
struct FanOutNextTests {
    typealias Cursor = FanOut.Cursor

    static func fanOut(_ audience: Audience, at cursor: Cursor) -> FanOut {
        let notification = Notification(
            row: RowID(1),
            id: PublicID(high: 0, low: 0),
            app: RowID(1),
            state: .sending,
            audience: audience,
            content: Content(),
            class: .default,
            priority: .high,
            dedup: nil,
            collapseID: nil,
            sendAt: Timestamp(milliseconds: 0),
            expiresAt: Timestamp(milliseconds: 1),
            retry: .standard,
            counts: DeliveryCounts(),
            createdAt: Timestamp(milliseconds: 0)
        )
        return FanOut(notification: notification, cursor: cursor, lease: Lease(process: 7, holder: 7))
    }

    static let topic = Audience.topic(TopicSelection(id: PublicID(high: 0, low: 1), name: "news"))
    static let endpoints = Audience.endpoints([PublicID(high: 0, low: 2)])
    static let tokens = Audience.tokens(["ab"], platform: .fcm)
    static let start = Cursor()
    static let further = Cursor(major: 3, minor: 4)
    static let moved = Cursor.movedAfter(0)

    static let table: [(Audience, at: Cursor, page: Cursor?, hasMoves: Bool, next: Cursor?)] = [
        (.all, start, further, true, further), (endpoints, start, further, true, further),
        (.all, further, nil, false, nil), (.all, further, nil, true, moved), (.users(["ann"]), start, nil, true, moved),
        (topic, start, nil, true, moved), (endpoints, start, nil, true, nil), (tokens, start, nil, true, nil),
        (.all, moved, nil, true, nil), (.all, moved, .movedAfter(8), true, .movedAfter(8)),
    ]

    @Test("is once more among those that moved, where they may have been passed over", arguments: table)
    func next(_ audience: Audience, _ cursor: Cursor, _ page: Cursor?, _ hasMoves: Bool, _ expected: Cursor?) {
        #expect(Self.fanOut(audience, at: cursor).next(after: page, hasMoves: hasMoves) == expected)
    }

    @Test("the beginning is not among those that moved")
    func beginning() {
        #expect(Self.moved.isAmongMoved && Cursor.movedAfter(8).isAmongMoved)
        #expect(!Self.start.isAmongMoved && !Self.further.isAmongMoved)
    }
}

@Suite("Which batches begin at once")
struct ReservationTests {
    static let other = DeliveryQueue.sample(2)

    static func draft(_ members: Int, queue: DeliveryQueue = PageCommitTests.queue, notBefore: Timestamp? = nil)
        -> BatchDraft
    {
        BatchDraft(
            queue: queue,
            isEnvironmentKnown: true,
            notBefore: notBefore,
            members: (0..<members).map { PageCommitTests.member(Int64($0) + 1) }
        )
    }

    static let table: [(BatchDraft, isPaused: Bool, begins: Bool)] = [
        (draft(1), false, true), (draft(Reservation.limit), false, true), (draft(Reservation.limit + 1), false, false),
        (draft(0), false, false), (draft(1), true, false), (draft(1, queue: other), false, false),
        (draft(1, notBefore: Timestamp(milliseconds: 1)), false, false),
    ]

    @Test("are short, due, and of a queue that is not paused and has capacity; one of each", arguments: table)
    func take(_ draft: BatchDraft, _ isPaused: Bool, _ begins: Bool) {
        var reservation = Reservation(lease: Lease(process: 7, holder: 7), queues: [PageCommitTests.queue])
        #expect(reservation.take(draft, isPaused: isPaused) == begins)
        #expect(reservation.take(Self.draft(1), isPaused: false) == !begins)
    }
}
