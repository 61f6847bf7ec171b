/// A rule as it stands: the answer of `GET /rules`.
package struct ScriptedRuleState<Condition: RuleCondition>: Sendable, Equatable, Codable {
    /// Given by the simulator, from 1.
    package var id: Int
    /// The rule as it was given.
    package var rule: ServiceRule<Condition>
    /// Requests that matched its condition.
    package var matched: Int
    /// Times that it fired.
    package var fired: Int
}

/// The rules in force, with their counts.
struct ScriptedRules<Condition: RuleCondition> {
    /// Rules kept at most; more would make each request slow.
    static var limit: Int { 10_000 }

    private(set) var rules: [ScriptedRuleState<Condition>] = []
    private var nextID = 1
    private var random: SplitMix64

    /// The same seed makes the same choices.
    init(seed: UInt64) {
        random = SplitMix64(state: seed)
    }

    /// Adds the rule after the others; `nil` when the book is full.
    mutating func add(_ rule: ServiceRule<Condition>) -> ScriptedRuleState<Condition>? {
        guard rules.count < Self.limit else { return nil }
        let state = ScriptedRuleState(id: nextID, rule: rule, matched: 0, fired: 0)
        nextID += 1
        rules.append(state)
        return state
    }

    /// Removes the rule; `false` when there is none of that id.
    mutating func remove(id: Int) -> Bool {
        guard let index = rules.firstIndex(where: { $0.id == id }) else { return false }
        rules.remove(at: index)
        return true
    }

    mutating func removeAll() {
        rules = []
    }

    /// The first rule that fires for the request. Rules before it count their match; rules after it see nothing.
    ///
    /// - Parameter isAccepted: whether its own answer would be a success.
    mutating func rule(for request: Condition, isAccepted: Bool) -> ServiceRule<Condition>? {
        for index in rules.indices where rules[index].rule.concerns(request, isAccepted: isAccepted) {
            rules[index].matched += 1
            let rule = rules[index].rule
            let place = rules[index].matched - rule.skip
            guard place > 0, place.isMultiple(of: rule.every), rules[index].fired < rule.times ?? .max,
                rule.probability >= 1 || Double.random(in: 0..<1, using: &random) < rule.probability
            else { continue }
            rules[index].fired += 1
            return rule
        }
        return nil
    }
}

extension ServiceRule {
    fileprivate func concerns(_ request: Condition, isAccepted: Bool) -> Bool {
        (isAccepted || scope == .all) && when.matches(request)
    }
}

/// A small generator that can be seeded (Steele, Lea and Flood, "Fast splittable pseudorandom number generators").
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
