import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

@Suite("What a person gets who chose something")
struct PersonChoiceTests {
    static let category = PreferenceTests.category()
    static let user = RowID<User>(7)

    struct Line: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var master = ChannelChoice()
        var own = ChannelChoice()
        var category = PersonChoiceTests.category
        var candidates = 0..<1
        var push: PersonGate.Decision.Push
        var hasItem: Bool
    }

    static let table = [
        Line(testDescription: "nothing: push and item", push: .deliver, hasItem: true),
        Line(
            testDescription: "all off: neither",
            master: ChannelChoice(enabled: false),
            push: .suppress(.preferenceOff),
            hasItem: false
        ),
        Line(
            testDescription: "the category off: neither",
            own: ChannelChoice(enabled: false),
            push: .suppress(.preferenceOff),
            hasItem: false
        ),
        Line(
            testDescription: "no pushes of the category: the item alone",
            own: ChannelChoice(push: false),
            push: .suppress(.preferenceOff),
            hasItem: true
        ),
        Line(
            testDescription: "no items: the push alone",
            own: ChannelChoice(inbox: false),
            push: .deliver,
            hasItem: false
        ),
        Line(
            testDescription: "without a device: the item alone",
            candidates: 0..<0,
            push: .suppress(.noEndpoint),
            hasItem: true
        ),
        Line(
            testDescription: "off and without a device: off",
            own: ChannelChoice(push: false),
            candidates: 0..<0,
            push: .suppress(.preferenceOff),
            hasItem: true
        ),
        Line(
            testDescription: "a default of off that nobody changed",
            category: PreferenceTests.category(defaults: ChannelChoice(enabled: false)),
            push: .suppress(.preferenceOff),
            hasItem: false
        ),
        Line(
            testDescription: "all off, and a push that is required",
            master: ChannelChoice(enabled: false),
            category: PreferenceTests.category(required: [.push]),
            push: .deliver,
            hasItem: false
        ),
    ]

    @Test("is what they want", arguments: table)
    func decides(_ line: Line) {
        let gate = PersonGate(category: line.category, leavesItem: true)
        let person = Person(subject: .user(Self.user), candidates: line.candidates)
        let choices = [Self.user: PersonChoice(master: line.master, category: line.own)]
        #expect(gate.decide(person, choices) == PersonGate.Decision(push: line.push, hasItem: line.hasItem))
    }

    @Test("is no item of a notification that leaves none, and an endpoint of nobody chose nothing")
    func others() {
        let choices = [Self.user: PersonChoice(master: ChannelChoice(enabled: false))]
        let gate = PersonGate(category: Self.category)
        #expect(!gate.decide(Person(subject: .user(RowID(8)), candidates: 0..<1), choices).hasItem)
        let nobody = PersonGate(category: Self.category, leavesItem: true)
            .decide(Person(subject: .endpoint(RowID(7)), candidates: 0..<1), choices)
        #expect(nobody == PersonGate.Decision(push: .deliver, hasItem: false))
    }

    @Test("is nothing held for who wants nothing, whatever the hour")
    func held() {
        let gate = PersonGate(category: Self.category, leavesItem: true, hold: HoldTests.rule)
        let choices = [Self.user: PersonChoice(category: ChannelChoice(push: false))]
        let decision = gate.decide(Person(subject: .user(Self.user), candidates: 0..<1), choices)
        #expect(decision == PersonGate.Decision(push: .suppress(.preferenceOff), hasItem: true))
    }

    @Test("of three devices, one switched off and one without permission: one push, two suppressions, one item")
    func devices() {
        var gate = Gate(app: GateTests.app, queues: [GateTests.production])
        gate.person = PersonGate(category: Self.category, leavesItem: true)
        let page = AudiencePage(
            candidates: [
                GateTests.candidate(1), GateTests.candidate(2, hasPush: false), GateTests.candidate(3, isDenied: true),
            ]
        )
        let gated = gate.decide(page)
        #expect(gated.batches.map { $0.members.map(\.endpoint) } == [[RowID(1)]])
        #expect(gated.suppressions.map(\.reason) == [.deviceOff, .permissionOff])
        #expect(gated.inboxUsers == [Self.user])
        var off = page
        off.choices = [Self.user: PersonChoice(category: ChannelChoice(enabled: false))]
        let nothing = gate.decide(off)
        #expect(nothing.batches.isEmpty && nothing.inboxUsers.isEmpty)
        #expect(nothing.suppressions == [Suppression(endpoint: nil, user: Self.user, reason: .preferenceOff)])
    }
}

@Suite("What is left of a batch when people changed their preferences")
struct LateChangeTests {
    static let members = [(1, 7), (2, 0), (3, 8), (4, 7)].map { PageCommitTests.member($0, $1) }
    static let off = PersonChoice(category: ChannelChoice(push: false))
    static let masterOff = PersonChoice(master: ChannelChoice(enabled: false))

    static let table: [(changed: [Int64: PersonChoice], left: [Int64])] = [
        ([:], [1, 2, 3, 4]), ([7: off], [2, 3]), ([7: PersonChoice()], [1, 2, 3, 4]),
        ([8: masterOff, 9: off], [1, 2, 4]),
        ([7: off, 8: masterOff], [2]), ([8: PersonChoice(category: ChannelChoice(inbox: false))], [1, 2, 3, 4]),
    ]

    @Test("is who wants it now, in the same order, and the rest is late", arguments: table)
    func left(_ changed: [Int64: PersonChoice], _ left: [Int64]) {
        let changed = Dictionary(uniqueKeysWithValues: changed.map { (RowID<User>($0.key), $0.value) })
        let late = LateChange(Self.members, category: PreferenceTests.category(), changed: changed)
        #expect(late.members.map(\.endpoint.rawValue) == left)
        #expect(late.suppressions.allSatisfy { $0.reason == .preferenceOff && $0.detail == .late && $0.user != nil })
        let all = late.members.map(\.endpoint) + late.suppressions.compactMap(\.endpoint)
        #expect(all.sorted() == Self.members.map(\.endpoint))
    }

    @Test("is everybody where the push is required, and a default that is off now is for who chose nothing any more")
    func categories() {
        let required = PreferenceTests.category(required: [.push])
        #expect(
            LateChange(Self.members, category: required, changed: [RowID(7): Self.masterOff]).members == Self.members
        )
        let closed = PreferenceTests.category(defaults: ChannelChoice(enabled: false))
        let late = LateChange(Self.members, category: closed, changed: [RowID(7): PersonChoice()])
        #expect(late.members.map(\.endpoint.rawValue) == [2, 3])
        #expect(LateChange(Self.members, category: nil, changed: [RowID(7): Self.off]).members == Self.members)
    }
}
