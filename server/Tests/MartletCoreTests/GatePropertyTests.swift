import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

@Suite("What the gate makes of any audience")
struct GatePropertyTests {
    static let gate = Gate(
        device: DeviceGate(
            app: GateTests.app,
            queues: [GateTests.production, GateTests.sandbox],
            disabledQueues: [DeliveryQueue(app: GateTests.app, platform: .fcm, environment: .production)],
            environments: GateTests.environments
        )
    )

    /// Candidates in the order of users and endpoints, as everybody is read; endpoints of nobody first.
    static func candidates(_ random: inout SeededRandom) -> [Candidate] {
        let users = (0..<Int.random(in: 1...60, using: &random)).map { _ in Int64.random(in: 0...20, using: &random) }
        return users.sorted().enumerated().map { index, user in
            Candidate(
                member: Member(endpoint: RowID(Int64(index) + 1), user: user == 0 ? nil : RowID(user)),
                platform: random.pick(Platform.allCases),
                environment: random.pick([.production, .sandbox, nil]),
                status: random.pick([.enabled, .enabled, .enabled, .disabled, .removed])
            )
        }
    }

    /// The same candidates in parts.
    static func pages(_ candidates: [Candidate], _ random: inout SeededRandom) -> [AudiencePage] {
        var pages: [AudiencePage] = []
        var rest = candidates[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...10, using: &random))
            pages.append(AudiencePage(candidates: Array(part)))
            rest = rest.dropFirst(part.count)
        }
        return pages
    }

    @Test("each endpoint is in one batch or has one suppression", arguments: 0..<200 as Range<UInt64>)
    func onceEach(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let candidates = Self.candidates(&random)
        let gated = Self.gate.decide(AudiencePage(candidates: candidates))
        let delivered = gated.batches.flatMap(\.members).map(\.endpoint)
        let suppressed = gated.suppressions.compactMap(\.endpoint)
        #expect((delivered + suppressed).sorted() == candidates.map(\.member.endpoint))
    }

    @Test("how the audience is cut into parts decides nothing", arguments: 0..<200 as Range<UInt64>)
    func cuts(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let candidates = Self.candidates(&random)
        let whole = Self.gate.decide(AudiencePage(candidates: candidates))
        let parts = Self.pages(candidates, &random).map(Self.gate.decide)
        #expect(Self.deliveries(parts) == Self.deliveries([whole]))
        #expect(Set(parts.flatMap(\.suppressions)) == Set(whole.suppressions))
    }

    @Test("users whose endpoints do not follow each other are decided on alike", arguments: 0..<100 as Range<UInt64>)
    func order(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let candidates = Self.candidates(&random)
        let shuffled = Self.gate.decide(AudiencePage(candidates: candidates.shuffled(using: &random)))
        let whole = Self.gate.decide(AudiencePage(candidates: candidates))
        #expect(Self.deliveries([shuffled]) == Self.deliveries([whole]))
        #expect(Set(shuffled.suppressions) == Set(whole.suppressions))
    }

    /// What is delivered in which queue.
    static func deliveries(_ pages: [GatedPage]) -> [DeliveryQueue: Set<Member>] {
        pages.flatMap(\.batches).reduce(into: [:]) { $0[$1.queue, default: []].formUnion($1.members) }
    }
}

@Suite("What the gate decides for a person")
struct PersonGateTests {
    @Test("whoever has an endpoint is sent to, and whoever has none is not")
    func endpoints() {
        let gate = PersonGate()
        #expect(gate.decide(Person(subject: .user(RowID(7)), candidates: 0..<1)).push == .deliver)
        #expect(gate.decide(Person(subject: .endpoint(RowID(7)), candidates: 4..<5)).push == .deliver)
        #expect(gate.decide(Person(subject: .user(RowID(7)))).push == .suppress(.noEndpoint))
    }

    @Test("a user is one person with all endpoints that follow each other, an endpoint of nobody is one by itself")
    func people() {
        let candidates = [(1, nil), (2, nil), (3, 7), (4, 7), (5, 8), (6, 7)].map { (endpoint: Int64, user: Int64?) in
            var candidate = GateTests.candidate(endpoint)
            candidate.member.user = user.map { RowID($0) }
            return candidate
        }
        let people = [0, 1, 2, 4, 5].map { Person(at: $0, of: candidates) }
        #expect(people.map(\.subject.key) == [-1, -2, 7, 8, 7])
        #expect(people.map(\.candidates) == [0..<1, 1..<2, 2..<4, 4..<5, 5..<6])
    }
}
