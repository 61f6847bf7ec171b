/// Which requests a rule of an HTTP service looks at; what is `nil` matches all.
package protocol RuleCondition: Sendable, Equatable, Codable {
    /// What it looks at.
    associatedtype Subject
    /// The errors that the service's rules can answer with, by name.
    associatedtype ErrorCode: RawRepresentable<String>, Sendable, Equatable, Codable, CaseIterable

    /// Matches everything.
    init()

    func matches(_ subject: Subject) -> Bool
}

/// A piece of scripted behaviour of an HTTP service. Rules are tried in order; the first that fires decides.
package struct ServiceRule<Condition: RuleCondition>: Sendable, Equatable, Codable {
    /// For people; told back by `GET …/rules`.
    package var name: String?
    /// The requests that it looks at.
    package var when = Condition()
    /// The answers that it replaces.
    package var scope = SimulatorRule.Scope.accepted
    /// Matching requests that are let pass before the rule fires at all.
    package var skip = 0
    /// Times that the rule fires; `nil` for ever.
    package var times: Int?
    /// Of the matching requests after `skip`, every which one it fires for.
    package var every = 1
    /// The chance that it fires then, 0 to 1.
    package var probability = 1.0
    /// Milliseconds before the answer.
    package var delay = 0
    /// What it does.
    package var action = ServiceAction<Condition.ErrorCode>()

    /// A rule that fires for every acceptable request unless told otherwise.
    package init(
        _ action: ServiceAction<Condition.ErrorCode>,
        when: Condition = Condition(),
        scope: SimulatorRule.Scope = .accepted,
        skip: Int = 0,
        times: Int? = nil,
        every: Int = 1,
        probability: Double = 1,
        delay: Int = 0
    ) {
        self.action = action
        self.when = when
        self.scope = scope
        self.skip = skip
        self.times = times
        self.every = every
        self.probability = probability
        self.delay = delay
    }

    private enum CodingKeys: String, CodingKey {
        case name, when, scope, skip, times, every, probability, delay
        case action = "then"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try FieldReader(
            decoder,
            allowing: "name",
            "when",
            "scope",
            "skip",
            "times",
            "every",
            "probability",
            "delay",
            "then"
        )
        name = try fields.optional("name")
        when = try fields.optional("when") ?? Condition()
        scope = try fields.optional("scope") ?? .accepted
        skip = try fields.number("skip", in: 0...Int(Int32.max)) ?? 0
        times = try fields.number("times", in: 1...Int(Int32.max))
        every = try fields.number("every", in: 1...Int(Int32.max)) ?? 1
        probability = try fields.optional("probability") ?? 1
        delay = try fields.number("delay", in: 0...SimulatorRule.longestDelay) ?? 0
        action = try fields.optional("then") ?? ServiceAction()
        guard (0...1).contains(probability) else { throw fields.invalid("probability", "must be from 0 to 1") }
        if action.kind == .proceed, delay == 0 {
            throw fields.invalid("then", "is missing", hint: #"Say what to do, as {"do":"hang"}, or give a delay."#)
        }
    }
}

/// A request that a rule can look at, with whether its own answer would be a success.
struct RuledRequest<Subject> {
    var subject: Subject
    var isAccepted: Bool
}

extension ServiceRule: ScriptedRule {
    func concerns(_ request: RuledRequest<Condition.Subject>) -> Bool {
        (request.isAccepted || scope == .all) && when.matches(request.subject)
    }
}
