import MartletCore
import MartletFilter
import MartletWire

/// What can be set about a subscription.
enum SubscriptionAttribute: String, CaseIterable, Sendable {
    case filterPolicy = "FilterPolicy"
    case filterPolicyScope = "FilterPolicyScope"
    case rawMessageDelivery = "RawMessageDelivery"
    case deliveryPolicy = "DeliveryPolicy"
    case redrivePolicy = "RedrivePolicy"
    case subscriptionRoleARN = "SubscriptionRoleArn"
    case replayPolicy = "ReplayPolicy"

    /// The value as it is kept. For those that hold JSON, and the role, an empty text takes the attribute away.
    ///
    /// What a filter policy means depends on its scope: `SubscriptionFilter` checks it.
    ///
    /// - Throws: ``AttributeRefusal``, in AWS's words where they are known.
    func checked(_ value: String, for endpoint: SubscriptionProtocol, isFIFO: Bool) throws(AttributeRefusal) -> String {
        switch self {
        case .filterPolicy, .subscriptionRoleARN: return value
        case .filterPolicyScope: return try FilterScope(attribute: value).attribute
        case .rawMessageDelivery:
            let flag = try AttributeValue.flag(rawValue, value)
            guard flag == "false" || endpoint != .application else {
                throw AttributeRefusal(
                    "Delivery protocol [\(endpoint.rawValue)] does not support raw message delivery."
                )
            }
            return flag
        case .deliveryPolicy:
            if !value.isEmpty { try DeliveryPolicyDocument.subscription.check(value) }
            return value
        case .redrivePolicy:
            if !value.isEmpty { try Self.checkRedrivePolicy(value, isFIFO: isFIFO) }
            return value
        case .replayPolicy:
            guard value.isEmpty else { throw AttributeRefusal("\(rawValue): This server does not archive messages") }
            return value
        }
    }

    /// What the attribute is where nobody set it; empty for one that then is not there.
    var defaultValue: String {
        switch self {
        case .rawMessageDelivery: "false"
        case .filterPolicyScope: FilterScope.messageAttributes.attribute
        default: ""
        }
    }

    /// One member, `deadLetterTargetArn`. It names a queue of Amazon's, which nothing is sent to: what cannot be
    /// delivered is kept here.
    private static func checkRedrivePolicy(_ text: String, isFIFO: Bool) throws(AttributeRefusal) {
        let name = redrivePolicy.rawValue
        let members = try AttributeValue.object(name, text)
        if let unknown = members.keys.sorted().first(where: { $0 != "deadLetterTargetArn" }) {
            throw AttributeRefusal("\(name): invalid JSON. Attribute \(unknown.excerpt) is unknown.")
        }
        guard case .string(let target)? = members["deadLetterTargetArn"],
            let arn = try? ARN(target, parameter: name), !arn.resource.isEmpty
        else { throw AttributeRefusal("\(name): deadLetterTargetArn is an invalid arn") }
        guard !isFIFO || arn.resource.hasSuffix(Topic.fifoSuffix) else {
            throw AttributeRefusal("\(name): must use a FIFO queue as DLQ for a FIFO Subscription to a FIFO Topic.")
        }
    }
}

extension FilterScope {
    /// Reads a scope as the interface writes it.
    init(attribute text: String) throws(AttributeRefusal) {
        switch text {
        case "MessageAttributes": self = .messageAttributes
        case "MessageBody": self = .messageBody
        default:
            throw AttributeRefusal(
                """
                FilterPolicyScope: Invalid value [\(text.excerpt)]. Please use either MessageBody or MessageAttributes
                """
            )
        }
    }

    /// The scope as the interface writes it.
    var attribute: String {
        switch self {
        case .messageAttributes: "MessageAttributes"
        case .messageBody: "MessageBody"
        }
    }
}

extension SubscriptionFilter {
    /// The filter of an attribute.
    ///
    /// - Throws: ``AttributeRefusal``.
    static func of(_ text: String, scope: FilterScope) throws(AttributeRefusal) -> SubscriptionFilter {
        do {
            return try SubscriptionFilter(text, scope: scope)
        } catch {
            throw AttributeRefusal(error.reason)
        }
    }
}
