import Foundation
import MartletWire

/// `DeliveryPolicy`: how http and https subscribers are tried again, as JSON; and what is in force when the one of a
/// subscription is laid over the one of its topic, and that over the defaults (Amazon SNS, message delivery retries).
package struct DeliveryPolicyDocument: Sendable {
    /// What stands under a name.
    package indirect enum Shape: Sendable {
        case integer(ClosedRange<Int64>)
        case choice(Set<String>)
        case contentType
        case flag
        case object([String: Shape])
        case retries
    }

    /// A topic's.
    package static let topic = DeliveryPolicyDocument(shape: [
        "http": .object([
            "defaultHealthyRetryPolicy": .retries,
            "defaultSicklyRetryPolicy": .retries,
            "defaultThrottlePolicy": .object(throttle),
            "defaultRequestPolicy": .object(["headerContentType": .contentType]),
            "disableSubscriptionOverrides": .flag,
        ])
    ])

    /// A subscription's.
    package static let subscription = DeliveryPolicyDocument(shape: [
        "healthyRetryPolicy": .retries,
        "sicklyRetryPolicy": .retries,
        "throttlePolicy": .object(throttle),
        "requestPolicy": .object(["headerContentType": .contentType]),
        "guaranteed": .flag,
    ])

    private static let throttle: [String: Shape] = ["maxReceivesPerSecond": .integer(1...Int64(Int32.max))]

    /// At most 100 retries and an hour between two (Amazon SNS, delivery policy stages).
    private static let retries: [String: Shape] = [
        "numRetries": .integer(0...100),
        "numNoDelayRetries": .integer(0...100),
        "numMinDelayRetries": .integer(0...100),
        "numMaxDelayRetries": .integer(0...100),
        "minDelayTarget": .integer(1...3_600),
        "maxDelayTarget": .integer(1...3_600),
        "backoffFunction": .choice(["arithmetic", "exponential", "geometric", "linear"]),
    ]

    private static let defaultRetries: [String: JSONValue] = [
        "minDelayTarget": .integer(20),
        "maxDelayTarget": .integer(20),
        "numRetries": .integer(3),
        "numMaxDelayRetries": .integer(0),
        "numNoDelayRetries": .integer(0),
        "numMinDelayRetries": .integer(0),
        "backoffFunction": .string("linear"),
    ]

    private static let defaultRequest: [String: JSONValue] = [
        "headerContentType": .string("text/plain; charset=UTF-8")
    ]

    /// What a message may be called (Amazon SNS, delivery policy: `headerContentType`).
    private static let contentTypes: Set<String> = [
        "application/atom+xml", "application/json", "application/octet-stream", "application/soap+xml",
        "application/x-www-form-urlencoded", "application/xhtml+xml", "application/xml", "text/css", "text/csv",
        "text/html", "text/plain", "text/xml",
    ]

    package let shape: [String: Shape]

    /// Checks a policy.
    ///
    /// - Throws: ``AttributeRefusal``.
    package func check(_ text: String) throws(AttributeRefusal) {
        try Self.check(AttributeValue.object("DeliveryPolicy", text), shape, path: "")
    }

    /// A topic's policy as it is read back: without nulls, and saying whether subscriptions may have their own.
    package static func shown(topic text: String) -> String {
        var policy = members(text).compactMapValues(\.withoutNulls)
        if var http = policy["http"]?.members {
            http["disableSubscriptionOverrides"] = http["disableSubscriptionOverrides"] ?? .bool(false)
            policy["http"] = .object(http)
        }
        return JSONValue.object(policy).compact
    }

    /// A subscription's policy as it is read back: with all members that there are.
    package static func shown(subscription text: String) -> String {
        var policy = subscription.shape.mapValues { _ in JSONValue.null }
        policy["guaranteed"] = .bool(false)
        let own = members(text).filter { $0.value != .null }
        return JSONValue.object(policy.merging(own) { $1 }).compact
    }

    /// What is in force for a topic.
    package static func effective(topic text: String?) -> String {
        let http = members(text)["http"]?.members ?? [:]
        var effective: [String: JSONValue] = [
            "defaultHealthyRetryPolicy": laid(http["defaultHealthyRetryPolicy"], over: defaultRetries),
            "disableSubscriptionOverrides": http["disableSubscriptionOverrides"] ?? .bool(false),
            "defaultRequestPolicy": laid(http["defaultRequestPolicy"], over: defaultRequest),
        ]
        for name in ["defaultSicklyRetryPolicy", "defaultThrottlePolicy"] {
            if let policy = http[name], policy != .null { effective[name] = policy }
        }
        return JSONValue.object(["http": .object(effective)]).compact
    }

    /// What is in force for an http or https subscription.
    package static func effective(subscription text: String?, topic: String?) -> String {
        let http = members(effective(topic: topic))["http"]?.members ?? [:]
        let own = http["disableSubscriptionOverrides"] == .bool(true) ? [:] : members(text)
        func policy(_ name: String, _ topicName: String) -> JSONValue {
            if let policy = own[name], policy != .null { return policy }
            return http[topicName] ?? .null
        }
        return JSONValue.object([
            "healthyRetryPolicy": laid(
                own["healthyRetryPolicy"],
                over: http["defaultHealthyRetryPolicy"]?.members ?? defaultRetries
            ),
            "sicklyRetryPolicy": policy("sicklyRetryPolicy", "defaultSicklyRetryPolicy"),
            "throttlePolicy": policy("throttlePolicy", "defaultThrottlePolicy"),
            "requestPolicy": laid(own["requestPolicy"], over: http["defaultRequestPolicy"]?.members ?? defaultRequest),
            "guaranteed": own["guaranteed"] ?? .bool(false),
        ]).compact
    }

    private static func members(_ text: String?) -> [String: JSONValue] {
        text.flatMap { try? JSONValue(json: Data($0.utf8)) }?.members ?? [:]
    }

    private static func laid(_ value: JSONValue?, over base: [String: JSONValue]) -> JSONValue {
        let own = (value?.members ?? [:]).filter { $0.value != .null }
        return .object(base.merging(own) { _, own in own })
    }

    private static func check(
        _ members: [String: JSONValue],
        _ shape: [String: Shape],
        path: String
    ) throws(AttributeRefusal) {
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let expected = shape[name] else {
                throw AttributeRefusal("DeliveryPolicy: Unexpected JSON member: \(path)\(name.excerpt)")
            }
            if value != .null { try check(value, expected, path: path + name) }
        }
    }

    private static func check(_ value: JSONValue, _ shape: Shape, path: String) throws(AttributeRefusal) {
        switch (shape, value) {
        case (.integer(let range), _):
            guard let number = value.integerValue else { throw mismatch(path, "integer", value) }
            try check(number, range, path: path)
        case (.flag, .bool): break
        case (.flag, _): throw mismatch(path, "boolean", value)
        case (.choice(let choices), .string(let text)):
            guard choices.contains(text) else {
                throw AttributeRefusal("DeliveryPolicy: \(path) must be one of \(choices.sorted())")
            }
        case (.contentType, .string(let text)):
            let type = text.split(separator: ";", maxSplits: 1).first.map(String.init) ?? ""
            guard contentTypes.contains(type), HeaderText.isSafe(text) else {
                throw AttributeRefusal("DeliveryPolicy: \(path) is not a supported content type")
            }
        case (.choice, _), (.contentType, _): throw mismatch(path, "string", value)
        case (.object(let shape), .object(let members)): try check(members, shape, path: path + ".")
        case (.retries, .object(let members)):
            try check(members, retries, path: path + ".")
            try checkStages(members, path: path)
        case (.object, _), (.retries, _): throw mismatch(path, "object", value)
        }
    }

    private static func check(
        _ number: Int64,
        _ range: ClosedRange<Int64>,
        path: String
    ) throws(AttributeRefusal) {
        guard number >= range.lowerBound else {
            throw AttributeRefusal("DeliveryPolicy: \(path) must be greater than or equal to \(range.lowerBound)")
        }
        guard number <= range.upperBound else {
            throw AttributeRefusal("DeliveryPolicy: \(path) must be less than or equal to \(range.upperBound)")
        }
    }

    private static func checkStages(_ members: [String: JSONValue], path: String) throws(AttributeRefusal) {
        func number(_ name: String) -> Int64? {
            members[name]?.integerValue
        }
        if let least = number("minDelayTarget"), let most = number("maxDelayTarget"), least > most {
            throw AttributeRefusal(
                "DeliveryPolicy: \(path).maxDelayTarget must be greater than or equal to minDelayTarget"
            )
        }
        let stages = ["numNoDelayRetries", "numMinDelayRetries", "numMaxDelayRetries"].compactMap(number).reduce(0, +)
        if let all = number("numRetries"), all < stages {
            throw AttributeRefusal(
                """
                DeliveryPolicy: \(path).numRetries must be greater than or equal to the total of numNoDelayRetries, \
                numMinDelayRetries and numMaxDelayRetries
                """
            )
        }
    }

    private static func mismatch(_ path: String, _ expected: String, _ value: JSONValue) -> AttributeRefusal {
        AttributeRefusal("DeliveryPolicy: \(path) type mismatch, expecting \(expected), received \(value.kind)")
    }
}

extension JSONValue {
    /// The value without members that are null, at any depth; `nil` for null itself.
    fileprivate var withoutNulls: JSONValue? {
        switch self {
        case .null: nil
        case .object(let members): .object(members.compactMapValues(\.withoutNulls))
        default: self
        }
    }
}
