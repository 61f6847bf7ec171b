/// A piece of scripted behaviour. Rules are tried in order; the first that fires decides what happens to a push.
package struct SimulatorRule: Sendable, Equatable, Codable {
    /// Which pushes a rule looks at; what is `nil` matches all.
    package struct Condition: Sendable, Equatable, Codable {
        /// A device token.
        package var token: String?
        /// The `apns-topic` as sent.
        package var topic: String?
        /// The `apns-push-type` as sent.
        package var pushType: String?
        /// The environment of the push's port.
        package var environment: APNsEnvironment?
        /// A connection's number.
        package var connection: Int?

        /// Matches every push unless told otherwise.
        package init(
            token: String? = nil,
            topic: String? = nil,
            pushType: String? = nil,
            environment: APNsEnvironment? = nil,
            connection: Int? = nil
        ) {
            self.token = token?.lowercased()
            self.topic = topic
            self.pushType = pushType
            self.environment = environment
            self.connection = connection
        }
    }

    /// Which verdicts a rule replaces.
    package enum Scope: String, Sendable, Codable {
        /// Only pushes that would have been accepted.
        case accepted
        /// Refused pushes too.
        case all
    }

    /// The longest delay or pause, in milliseconds: ten minutes.
    static let longestDelay = 600_000

    /// For people; told back by `GET /rules`.
    package var name: String?
    /// The pushes that it looks at.
    package var when: Condition
    /// The verdicts that it replaces.
    package var scope: Scope
    /// Matching pushes that are let pass before the rule fires at all.
    package var skip: Int
    /// Times that the rule fires; `nil` for ever.
    package var times: Int?
    /// Of the matching pushes after `skip`, every which one it fires for: 1 is each, 3 the third, sixth and so on.
    package var every: Int
    /// The chance that it fires then, 0 to 1.
    package var probability: Double
    /// Milliseconds before the answer.
    package var delay: Int
    /// What it does.
    package var action: SimulatorAction

    /// A rule that fires for every acceptable push unless told otherwise.
    package init(
        _ action: SimulatorAction,
        when: Condition = Condition(),
        scope: Scope = .accepted,
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

    private enum CodingKeys: String, CodingKey {
        case name, when, scope, skip, times, every, probability, delay
        case action = "then"
    }

    /// Reads the body of `POST /rules`; an unknown member or a bad value is an error that names it.
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
        delay = try fields.number("delay", in: 0...Self.longestDelay) ?? 0
        action = try fields.optional("then") ?? .proceed
        guard (0...1).contains(probability) else { throw fields.invalid("probability", "must be from 0 to 1") }
        if action == .proceed, delay == 0 {
            throw fields.invalid("then", "is missing", hint: #"Say what to do, as {"do":"hang"}, or give a delay."#)
        }
    }
}

extension SimulatorRule.Condition {
    /// Reads a rule's `when`.
    package init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, allowing: "token", "topic", "pushType", "environment", "connection")
        self.init(
            token: try fields.optional("token"),
            topic: try fields.optional("topic"),
            pushType: try fields.optional("pushType"),
            environment: try fields.optional("environment"),
            connection: try fields.optional("connection")
        )
        if let token, !APNsCheck.isWellFormedToken(token.utf8) {
            throw fields.invalid("token", "is not a device token", hint: "64 to 200 hexadecimal digits.")
        }
    }
}

/// A rule of the simulated APNs as it stands.
package typealias SimulatorRuleState = ScriptedRuleState<SimulatorRule>
