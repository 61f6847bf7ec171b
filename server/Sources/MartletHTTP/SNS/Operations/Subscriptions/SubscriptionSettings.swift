import Foundation
import MartletCore
import MartletFilter
import MartletWire

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
