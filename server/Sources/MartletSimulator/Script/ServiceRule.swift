/// Which requests a rule looks at, and what it can do with them: a service's part of a rule.
package protocol RuleCondition: Sendable, Equatable, Codable {
    associatedtype Action: RuleAction

    /// Matches everything.
    init()

    /// Whether a request, of which everything is told that is known, is one of these; what is `nil` here matches all.
    func matches(_ request: Self) -> Bool
}

/// What a rule does.
package protocol RuleAction: Sendable, Equatable, Codable {
    /// The answer that the checks give (useful with a delay).
    static var proceed: Self { get }

    var isProceed: Bool { get }
}

extension Optional where Wrapped: Equatable {
    /// Whether a condition's member lets the value pass.
    func allows(_ value: Wrapped?) -> Bool {
        self == nil || self == value
    }
}

/// Which answers a rule replaces.
package enum RuleScope: String, Sendable, Codable {
    /// Only those of requests that would have been accepted.
    case accepted
    /// Refusals too.
    case all
}

/// A piece of scripted behaviour. Rules are tried in order; the first that fires decides what happens to a request.
package struct ServiceRule<Condition: RuleCondition>: Sendable, Equatable, Codable {
    /// For people; told back by `GET …/rules`.
    package var name: String?
    /// The requests that it looks at.
    package var when = Condition()
    /// The answers that it replaces.
    package var scope = RuleScope.accepted
    /// Matching requests that are let pass before the rule fires at all.
    package var skip = 0
    /// Times that the rule fires; `nil` for ever.
    package var times: Int?
    /// Of the matching requests after `skip`, every which one it fires for: 1 is each, 3 the third, sixth and so on.
    package var every = 1
    /// The chance that it fires then, 0 to 1.
    package var probability = 1.0
    /// Milliseconds before the answer.
    package var delay = 0
    /// What it does.
    package var action = Condition.Action.proceed

    /// A rule that fires for every acceptable request unless told otherwise.
    package init(
        _ action: Condition.Action,
        when: Condition = Condition(),
        scope: RuleScope = .accepted,
        skip: Int = 0,
        times: Int? = nil,
        every: Int = 1,
        probability: Double = 1,
        delay: Int = 0,
        name: String? = nil
    ) {
        self.action = action
        self.when = when
        self.scope = scope
        self.skip = skip
        self.times = times
        self.every = every
        self.probability = probability
        self.delay = delay
        self.name = name
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, when, scope, skip, times, every, probability, delay
        case action = "then"
    }

    /// Reads the body of `POST …/rules`; an unknown member or a bad value is an error that names it.
    package init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, of: CodingKeys.self)
        name = try fields.optional("name")
        when = try fields.optional("when") ?? Condition()
        scope = try fields.optional("scope") ?? .accepted
        skip = try fields.number("skip", in: 0...Int(Int32.max)) ?? 0
        times = try fields.number("times", in: 1...Int(Int32.max))
        every = try fields.number("every", in: 1...Int(Int32.max)) ?? 1
        probability = try fields.optional("probability") ?? 1
        delay = try fields.number("delay", in: 0...longestDelay) ?? 0
        action = try fields.optional("then") ?? .proceed
        guard (0...1).contains(probability) else { throw fields.invalid("probability", "must be from 0 to 1") }
        if action.isProceed, delay == 0 {
            throw fields.invalid("then", "is missing", hint: #"Say what to do, as {"do":"hang"}, or give a delay."#)
        }
    }
}

/// The longest delay or pause of a rule or command, in milliseconds: ten minutes.
let longestDelay = 600_000
