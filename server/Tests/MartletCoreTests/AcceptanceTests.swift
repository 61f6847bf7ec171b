import MartletWire
import Testing

@testable import MartletCore

@Suite("What is written of a notification as it is accepted")
struct AcceptanceTests {
    static let now = Timestamp(milliseconds: 1_000)
    static let gate = Gate(
        device: DeviceGate(app: RowID(1), queues: [GateTests.production], environments: [:])
    )

    static func draft(_ audience: Audience, sendAt: Timestamp? = nil, dedup: Dedup? = nil) -> NotificationDraft {
        NotificationDraft(
            id: PublicID(high: 0, low: 1),
            app: RowID(1),
            audience: audience,
            content: Content(),
            priority: .high,
            dedup: dedup,
            collapseID: nil,
            sendAt: sendAt,
            expiresAt: Timestamp(milliseconds: 9_000),
            retry: .standard,
            messages: []
        )
    }

    static func users(_ count: Int) -> Audience { .users((0..<count).map { "user-\($0)" }) }
    static func endpoints(_ count: Int) -> Audience {
        .endpoints((0..<count).map { PublicID(high: 0, low: UInt64($0)) })
    }
    static func tokens(_ count: Int) -> Audience { .tokens((0..<count).map { "\($0)" }, platform: .fcm) }
    static let topic = Audience.topic(TopicSelection(id: PublicID(high: 0, low: 2), name: "news"))

    static let audiences: [(Audience, isRead: Bool)] = [
        (users(1), true), (users(20), true), (users(21), false), (endpoints(20), true), (endpoints(21), false),
        (tokens(20), true), (tokens(21), false), (topic, true), (.all, false),
    ]

    @Test("audiences of up to twenty names, and a topic's, are read where they are accepted", arguments: audiences)
    func audience(_ audience: Audience, _ isRead: Bool) {
        let acceptance = Acceptance(Self.draft(audience), gate: Self.gate, now: Self.now)
        #expect(acceptance.readsAudience == isRead)
        #expect(acceptance.fanOut == .open)
        #expect(!Acceptance(Self.draft(audience), gate: nil, now: Self.now).readsAudience)
    }

    static let times: [(Timestamp?, sendAt: Timestamp, Acceptance.FanOut, isRead: Bool)] = [
        (nil, now, .open, true), (now, now, .open, true),
        (now - .milliseconds(1), now - .milliseconds(1), .open, true),
        (now + .milliseconds(1), now + .milliseconds(1), .scheduled, false),
    ]

    @Test("an audience whose time has not come waits for it unread", arguments: times)
    func time(_ asked: Timestamp?, _ sendAt: Timestamp, _ fanOut: Acceptance.FanOut, _ isRead: Bool) {
        var acceptance = Acceptance(Self.draft(Self.users(1), sendAt: asked), gate: Self.gate, now: Self.now)
        #expect(acceptance.sendAt == sendAt)
        #expect(acceptance.fanOut == fanOut)
        #expect(acceptance.readsAudience == isRead)
        acceptance.read(AudiencePage())
        #expect((acceptance.fanOut == fanOut) == !isRead)
    }

    @Test("an audience that is read to its end is written gated; any other is left to the workers")
    func read() {
        let candidates = [GateTests.candidate(1), GateTests.candidate(2, status: .disabled)]
        let whole = AudiencePage(candidates: candidates)
        var acceptance = Acceptance(Self.draft(Self.topic), gate: Self.gate, now: Self.now)
        acceptance.read(nil)
        #expect(acceptance.fanOut == .open)
        acceptance.read(AudiencePage(candidates: candidates, next: FanOut.Cursor(major: 1)))
        #expect(acceptance.fanOut == .open)
        acceptance.read(whole)
        #expect(acceptance.fanOut == .complete(Self.gate.decide(whole)))
        guard case .complete(let page) = acceptance.fanOut else { return }
        #expect(page.batches.map(\.members.count) == [1] && page.suppressions.map(\.reason) == [.endpointDisabled])
    }

    @Test(
        "claims may go back at once only where the audience is read and there are any",
        arguments: [(nil, true, false), (Dedup(key: "a"), true, true), (Dedup(key: "a"), false, false)]
    )
    func claims(_ dedup: Dedup?, isRead: Bool, mayGiveBack: Bool) {
        var acceptance = Acceptance(Self.draft(Self.users(1), dedup: dedup), gate: Self.gate, now: Self.now)
        acceptance.read(isRead ? AudiencePage() : nil)
        #expect(acceptance.mayGiveBackClaims == mayGiveBack)
    }

    @Test("a key that is used again gets the same answer for the same body, and a refusal for another")
    func idempotency() throws {
        let record = IdempotencyRecord(key: RowID(1), route: "POST /", value: "a", bodyHash: SecretHash(of: "body"))
        let known = PublicID(high: 0, low: 3)
        #expect(try record.answer(known, madeBy: SecretHash(of: "body")) == known)
        let failure = #expect(throws: Failure.self) { try record.answer(known, madeBy: SecretHash(of: "other")) }
        #expect(failure?.code == .idempotencyMismatch)
    }
}
