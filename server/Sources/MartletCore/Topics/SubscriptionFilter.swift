public import MartletFilter
package import MartletWire

/// What messages to a topic must be like for a subscriber to get them. That there is one says that its policy is sound.
public struct SubscriptionFilter: Sendable, Hashable {
    /// The policy as it was given, a JSON object.
    public let text: String
    /// What of a message it is about.
    public let scope: FilterScope

    /// A filter by its policy.
    ///
    /// - Throws: `FilterPolicyError`, in Amazon SNS's words.
    public init(_ text: String, scope: FilterScope = .messageAttributes) throws(FilterPolicyError) {
        _ = try FilterPolicy(text, scope: scope)
        self.init(stored: text, scope: scope)
    }

    /// A filter by its policy, with what is wrong with it as a refusal.
    ///
    /// - Throws: `Failure` naming `filter_policy`.
    public static func checked(_ text: String, scope: FilterScope) throws(Failure) -> SubscriptionFilter {
        do { return try SubscriptionFilter(text, scope: scope) } catch {
            throw .invalid("filter_policy", error.reason)
        }
    }

    /// The same, for who names the scope in the wire's words.
    package static func checked(_ text: String, scope: FilterScopeName) throws(Failure) -> SubscriptionFilter {
        try checked(text, scope: FilterScope(scope))
    }

    /// Whether it lets a message through. A policy that an earlier version took and this one does not lets none through, as
    /// when a message is published.
    package func lets(through message: TopicMessage) -> Bool {
        guard let policy = try? FilterPolicy(text, scope: scope) else { return false }
        return policy.matches(FilterMessage(message, readsBody: scope == .messageBody))
    }

    /// A filter that the store holds, which was checked when it came.
    public init(stored text: String, scope: FilterScope) {
        self.text = text
        self.scope = scope
    }
}

/// What filters look at of a message to a topic.
public struct TopicMessage: Sendable, Hashable, Codable {
    /// One attribute.
    public struct Attribute: Sendable, Hashable, Codable {
        /// The data type, such as `String`, `Number` or `String.Array` (Amazon SNS, message attributes).
        public var type: String
        /// The value as text.
        public var value: String

        package init(type: String, value: String) {
            self.type = type
            self.value = value
        }
    }

    /// The attributes by name.
    public var attributes: [String: Attribute]
    /// The message; `nil` matches no policy about the body.
    public var body: String?

    /// The most bytes of all: a message's own bound at Amazon SNS, 256 KiB.
    public static let limit = 262_144

    package init(attributes: [String: Attribute] = [:], body: String? = nil) {
        self.attributes = attributes
        self.body = body
    }

    /// Checks the size.
    ///
    /// - Throws: `Failure` naming `attributes`.
    public func validate() throws(Failure) {
        let size = attributes.reduce(body?.utf8.count ?? 0) {
            $0 + $1.key.utf8.count + $1.value.type.utf8.count + $1.value.value.utf8.count
        }
        guard size <= TopicMessage.limit else {
            throw .invalid("attributes", "Attributes and body have at most \(TopicMessage.limit) bytes here.")
        }
    }
}

// The wire's words, one to one.

extension FilterScope {
    package init(_ name: FilterScopeName) {
        switch name {
        case .attributes: self = .messageAttributes
        case .body: self = .messageBody
        }
    }
}

extension FilterScopeName {
    package init(_ scope: FilterScope) {
        switch scope {
        case .messageAttributes: self = .attributes
        case .messageBody: self = .body
        }
    }
}
