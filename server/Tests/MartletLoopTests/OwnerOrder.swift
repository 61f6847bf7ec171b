import MartletTesting

/// What happens to a phone that two people use. Everything that is left to chance is drawn from the seed beforehand, so
/// that parts of an order can be tried by themselves.
struct OwnerOrder: Sendable {
    enum Person: String, Sendable, CaseIterable { case ann, ben }

    /// What the app has to prove a login with, where its identity is `signed`.
    enum Proof: String, Sendable, CaseIterable { case token, expired, none }

    /// A step that finds nothing to do, such as a tap where nothing shows, does nothing.
    enum Step: Sendable {
        case login(Person, Proof)
        case logout
        case launch
        case home
        case kill
        /// The system gives the app another token when it next starts.
        case rotate
        /// Whether the phone has a network.
        case network(Bool)
        /// Whether the server's answers reach it.
        case answers(Bool)
        /// Whether the app replies when the SDK asks for a user token.
        case replies(Bool)
        case push(Person)
        case tap
        /// What the SDK has begun comes to its end, and both people are sent something.
        case settle
    }

    var steps: [Step]

    /// At least so many steps; the part that is begun is drawn to its end.
    private static let length = 12

    /// The order of a seed.
    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        steps = [.replies(random.chance(50)), .launch]
        // Most devices are somebody's by now.
        if random.chance(60) { steps += [.login(random.pick(Person.allCases), .token), .settle] }
        while steps.count < Self.length { steps += Self.part(&random) }
    }

    /// Some steps that belong together: single ones drawn at random would seldom do.
    private static func part(_ random: inout SeededRandom) -> [Step] {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: return change(&random) + [.settle]
        case 3..<7: return unheard(&random)
        case 7: return [.rotate, .kill, .launch]
        case 8: return [.push(random.pick(Person.allCases)), random.pick([Step.tap, .home, .kill])]
        default: return [random.pick([Step.home, .launch, .kill, .tap]), .replies(random.chance(50))]
        }
    }

    /// Somebody logs in or out, which needs the app in front.
    private static func change(_ random: inout SeededRandom) -> [Step] {
        guard random.chance(75) else { return [.launch, .logout] }
        let person = random.pick(Person.allCases)
        return [.launch, .login(person, random.chance(60) ? .token : random.pick(Proof.allCases))]
    }

    /// Changes of which the server does not hear, or the phone does not hear that it did.
    private static func unheard(_ random: inout SeededRandom) -> [Step] {
        let isOffline = random.chance(60)
        var steps = [isOffline ? Step.network(false) : .answers(false)] + change(&random)
        // Without it attempts are still under way when the next step comes.
        if random.chance(50) { steps.append(.settle) }
        if random.chance(30) { steps += change(&random) }
        if random.chance(30) { steps.append(.rotate) }
        if random.chance(60) { steps += [.kill, .launch] }
        if random.chance(30) { steps.append(.push(random.pick(Person.allCases))) }
        steps.append(isOffline ? .network(true) : .answers(true))
        if random.chance(40) { steps += [.kill, .launch] }
        return steps + [.settle]
    }

    /// A part of the order that is still broken: steps are left out, one after the other from the last on, for as long
    /// as there is time.
    @MainActor
    func shortened(
        until deadline: ContinuousClock.Instant,
        while isBroken: @MainActor (OwnerOrder) async throws -> Bool
    ) async throws -> OwnerOrder {
        var order = self
        for index in steps.indices.reversed() where ContinuousClock.now < deadline {
            var shorter = order
            shorter.steps.remove(at: index)
            if try await isBroken(shorter) { order = shorter }
        }
        return order
    }
}

extension OwnerOrder: CustomStringConvertible {
    var description: String { steps.map(\.description).joined(separator: ", ") }
}

extension OwnerOrder.Step: CustomStringConvertible {
    var description: String {
        switch self {
        case .login(let person, let proof): "\(person.rawValue) logs in (\(proof.rawValue))"
        case .logout: "logout"
        case .launch: "launch"
        case .home: "home"
        case .kill: "kill"
        case .rotate: "another token"
        case .network(let isOn): isOn ? "online" : "offline"
        case .answers(let areHeard): areHeard ? "answers arrive" : "answers are lost"
        case .replies(let replies): replies ? "the app replies" : "the app does not reply"
        case .push(let person): "push to \(person.rawValue)"
        case .tap: "tap"
        case .settle: "settle"
        }
    }
}
