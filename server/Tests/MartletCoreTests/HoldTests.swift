import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

@Suite("Who is held")
struct HoldTests {
    static let noon = Timestamp(milliseconds: 1_000_000)
    static let rule = HoldRule(until: noon, reason: .quietHours)
    static let user = Person(subject: .user(RowID(7)), candidates: 0..<2)
    static let userWithoutDevice = Person(subject: .user(RowID(7)))

    struct Line: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var gate: PersonGate
        var person = user
        var decision: PersonGate.Decision.Push
    }

    static let table = [
        Line(testDescription: "whom no rule holds is sent to", gate: PersonGate(), decision: .deliver),
        Line(
            testDescription: "whom a rule holds is decided on when it ends",
            gate: PersonGate(hold: rule),
            decision: .hold(rule)
        ),
        Line(
            testDescription: "somebody without a device may have one by then",
            gate: PersonGate(hold: rule),
            person: userWithoutDevice,
            decision: .hold(rule)
        ),
        Line(
            testDescription: "just before the end of the notification is in time",
            gate: PersonGate(hold: rule, expiresAt: noon + .milliseconds(1)),
            decision: .hold(rule)
        ),
        Line(
            testDescription: "at the end it is too late",
            gate: PersonGate(hold: rule, expiresAt: noon),
            decision: .suppress(.quietHours)
        ),
        Line(
            testDescription: "the last time that is allowed",
            gate: PersonGate(hold: rule, times: Hold.limit - 1),
            decision: .hold(rule)
        ),
        Line(
            testDescription: "once more than is allowed",
            gate: PersonGate(hold: rule, times: Hold.limit),
            decision: .suppress(.quietHours)
        ),
        Line(
            testDescription: "who was held often and is not held now is sent to",
            gate: PersonGate(times: Hold.limit),
            decision: .deliver
        ),
    ]

    @Test("is decided by the rule, the end and how often they were", arguments: table)
    func decides(_ line: Line) { #expect(line.gate.decide(line.person).push == line.decision) }

    @Test("each person is held once, with no delivery and no suppression", arguments: 0..<100 as Range<UInt64>)
    func page(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let candidates = GatePropertyTests.candidates(&random)
        var gate = GatePropertyTests.gate
        gate.person.hold = Self.rule
        gate.person.times = 1
        let whole = gate.decide(AudiencePage(candidates: candidates, usersWithoutEndpoint: [RowID(90)]))
        #expect(whole.batches.isEmpty && whole.suppressions.isEmpty)
        #expect(whole.holds.map(\.rule) == [Self.rule] && whole.holds.map(\.times) == [2])
        let subjects = Set(candidates.map(\.member.subject)).union([.user(RowID(90))])
        #expect(whole.holds.flatMap(\.people).count == subjects.count)
        #expect(Set(whole.holds.flatMap(\.people)) == subjects)
        let parts = GatePropertyTests.pages(candidates, &random).flatMap { gate.decide($0).holds }
        #expect(Set(parts.flatMap(\.people)) == subjects.subtracting([.user(RowID(90))]))
        gate.person.isOfDevices = true
        let devices = gate.decide(AudiencePage(candidates: candidates)).holds.flatMap(\.people)
        #expect(devices.sorted { $0.key > $1.key } == candidates.map { .endpoint($0.member.endpoint) })
    }

    @Test("a claim that another notification has keeps a person from being held, and says so once")
    func duplicates() {
        let people: [Subject] = [.user(RowID(7)), .user(RowID(8)), .endpoint(RowID(5))]
        let draft = HoldDraft(rule: Self.rule, times: 1, people: people)
        let page = GatedPage(batches: [], suppressions: [], holds: [draft], next: nil)
        var commit = PageCommit(page)
        #expect(commit.subjects == [7, 8, -5])
        commit.suppress(heldBy: [7: RowID(100), -5: RowID(101)])
        #expect(commit.holds.map(\.people) == [[.user(RowID(8))]])
        #expect(commit.duplicates.map(\.user) == [RowID(7), nil])
        #expect(commit.duplicates.map(\.endpoint) == [nil, RowID(5)])
        #expect(commit.duplicates.map(\.heldBy) == [RowID(100), RowID(101)])
        commit.suppress(heldBy: [8: RowID(100)])
        #expect(commit.holds.isEmpty)
    }
}

@Suite("The people of a hold as they are stored")
struct PeopleListTests {
    @Test("are the same when they are read", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let keys = (0..<Int.random(in: 0...1_000, using: &random)).map { _ in
            random.chance(5)
                ? Int64.random(in: -Int64.max...Int64.max, using: &random) : .random(in: -500...500, using: &random)
        }
        let people = Set(keys.compactMap(Subject.init(key:)))
        let read = PeopleList.decode(PeopleList.encode(people))
        #expect(read.map(Set.init) == people)
        #expect(read?.map(\.key) == people.map(\.key).sorted())
    }

    @Test("neighbours take a byte each")
    func size() {
        let people = (1...1_000).map { Subject.user(RowID(50_000_000 + $0)) }
        #expect(PeopleList.encode(people).count < 1_005)
    }

    @Test(
        "are damaged, and not wrong, where the bytes are",
        arguments: [[0], [0x80], [2, 0], [1, 1], [2, 0x80]] as [[UInt8]]
    )
    func damage(_ bytes: [UInt8]) { #expect(PeopleList.decode(bytes) == nil) }

    @Test("no bytes make them crash", arguments: 0..<500 as Range<UInt64>)
    func noise(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bytes = random.bytes(40, of: [0, 1, 0x7F, 0x80, 0xFF])
        if let people = PeopleList.decode(bytes) { #expect(Set(people).count == people.count) }
    }
}
