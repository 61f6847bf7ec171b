import Foundation
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

/// What `Subscribe` sets about a subscription.
struct SubscriptionSettings: Hashable, Sendable {
    /// The attributes as they were given, checked.
    private(set) var given: [SubscriptionAttribute: String] = [:]
    /// What messages must be like.
    private(set) var filter: SubscriptionFilter?

    /// Reads the attributes of a call.
    ///
    /// - Throws: `SNSError` in AWS's words.
    init(_ entries: [FormEntry<String>], for endpoint: SubscriptionProtocol, isFIFO: Bool) throws(SNSError) {
        do throws(AttributeRefusal) {
            for entry in entries {
                guard let attribute = SubscriptionAttribute(rawValue: entry.key) else {
                    throw AttributeRefusal("AttributeName")
                }
                given[attribute] = try attribute.checked(entry.value, for: endpoint, isFIFO: isFIFO)
            }
            if let policy = given[.filterPolicy], !policy.isEmpty {
                filter = try .of(
                    policy,
                    scope: FilterScope(attribute: given[.filterPolicyScope] ?? "MessageAttributes")
                )
            }
        } catch {
            throw AttributeForm.map.error(error.reason)
        }
    }

    /// The attributes to keep beside the filter, which says its own scope.
    var attributes: [String: String] {
        var kept: [String: String] = [:]
        for (attribute, value) in given where !value.isEmpty && attribute != .filterPolicy {
            if attribute != .filterPolicyScope || filter == nil { kept[attribute.rawValue] = value }
        }
        return kept
    }

    /// Whether a subscription is as somebody asks for it a second time: what they say must be so, and what they do not say
    /// may be as it is.
    func agree(with known: Subscription) -> Bool {
        given.allSatisfy { attribute, value in
            attribute.isSame(known.value(of: attribute), value)
        }
    }
}

extension SubscriptionAttribute {
    /// Whether two values say the same: JSON may be written in many ways.
    fileprivate func isSame(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        switch self {
        case .deliveryPolicy:
            return DeliveryPolicyDocument.shown(subscription: one) == DeliveryPolicyDocument.shown(subscription: other)
        case .filterPolicy, .redrivePolicy:
            guard let one = try? JSONValue(json: Data(one.utf8)) else { return false }
            return one == (try? JSONValue(json: Data(other.utf8)))
        default: return false
        }
    }
}

extension SubscriptionUpdate {
    /// What setting one attribute of a subscription changes.
    ///
    /// - Parameter value: checked already.
    /// - Throws: ``AttributeRefusal`` for a filter policy, and for a scope that the policy does not go with.
    init(_ attribute: SubscriptionAttribute, _ value: String, of known: Subscription) throws(AttributeRefusal) {
        self.init()
        switch attribute {
        case .filterPolicy:
            let scope = known.value(of: .filterPolicyScope)
            filter = value.isEmpty ? .null : .value(try .of(value, scope: FilterScope(attribute: scope)))
            // The filter has it from now on, and it goes with the filter.
            attributes.updateValue(nil, forKey: SubscriptionAttribute.filterPolicyScope.rawValue)
        case .filterPolicyScope:
            guard let policy = known.filter else {
                attributes[attribute.rawValue] = value
                break
            }
            filter = .value(try .of(policy.text, scope: FilterScope(attribute: value)))
        default: attributes.updateValue(value.isEmpty ? nil : value, forKey: attribute.rawValue)
        }
    }
}

/// How an operation takes attributes; AWS's texts differ by that.
enum AttributeForm: Sendable {
    /// As a map of many, which the texts name: `CreateTopic`, `Subscribe`.
    case map
    /// One at a time: `SetTopicAttributes`, `SetSubscriptionAttributes`.
    case single

    /// A refusal as the operation words it.
    func error(_ reason: String) -> SNSError {
        switch self {
        case .map: .invalidParameter("Attributes", reason: reason)
        case .single: .invalidParameter(reason)
        }
    }
}
