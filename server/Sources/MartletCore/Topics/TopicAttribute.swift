import Foundation
import MartletWire

/// What can be set about a topic.
package enum TopicAttribute: Hashable, Sendable {
    case fifoTopic, contentBasedDeduplication, fifoThroughputScope
    case displayName, policy, deliveryPolicy, kmsMasterKeyID, signatureVersion, tracingConfig, archivePolicy
    /// A role or a rate of delivery status logging, by its whole name; kept for whoever reads it again.
    case feedback(String)

    /// An attribute by its name; `nil` when there is none of that name.
    package init?(_ name: String) {
        switch name {
        case "FifoTopic": self = .fifoTopic
        case "ContentBasedDeduplication": self = .contentBasedDeduplication
        case "FifoThroughputScope": self = .fifoThroughputScope
        case "DisplayName": self = .displayName
        case "Policy": self = .policy
        case "DeliveryPolicy": self = .deliveryPolicy
        case "KmsMasterKeyId": self = .kmsMasterKeyID
        case "SignatureVersion": self = .signatureVersion
        case "TracingConfig": self = .tracingConfig
        case "ArchivePolicy": self = .archivePolicy
        default:
            guard Self.feedbackNames.contains(name) else { return nil }
            self = .feedback(name)
        }
    }

    /// The names of delivery status logging: five protocols, three names each.
    package static let feedbackNames = Set(
        ["Application", "Firehose", "HTTP", "Lambda", "SQS"].flatMap { name in
            ["SuccessFeedbackRoleArn", "SuccessFeedbackSampleRate", "FailureFeedbackRoleArn"].map { name + $0 }
        }
    )

    package var name: String {
        switch self {
        case .fifoTopic: "FifoTopic"
        case .contentBasedDeduplication: "ContentBasedDeduplication"
        case .fifoThroughputScope: "FifoThroughputScope"
        case .displayName: "DisplayName"
        case .policy: "Policy"
        case .deliveryPolicy: "DeliveryPolicy"
        case .kmsMasterKeyID: "KmsMasterKeyId"
        case .signatureVersion: "SignatureVersion"
        case .tracingConfig: "TracingConfig"
        case .archivePolicy: "ArchivePolicy"
        case .feedback(let name): name
        }
    }

    /// The value as it is kept; an empty text takes the attribute away.
    ///
    /// - Throws: ``AttributeRefusal``, in AWS's words where they are known.
    package func checked(_ value: String, isFIFO: Bool) throws(AttributeRefusal) -> String {
        switch self {
        case .fifoTopic: return try AttributeValue.flag(name, value)
        case .contentBasedDeduplication:
            let flag = try AttributeValue.flag(name, value)
            guard isFIFO || flag == "false" else {
                throw AttributeRefusal("Content-based deduplication can only be set for FIFO topics")
            }
            return flag
        case .fifoThroughputScope:
            guard isFIFO else { throw AttributeRefusal("\(name) can only be set for FIFO topics") }
            return try one(of: ["Topic", "MessageGroup"], value)
        case .displayName:
            // Amazon SNS, CreateTopic: at most 100 characters.
            guard value.unicodeScalars.count <= 100 else {
                throw AttributeRefusal("\(name): must be at most 100 characters long")
            }
            return value
        case .signatureVersion: return try one(of: ["1", "2"], value)
        case .tracingConfig: return try one(of: ["PassThrough", "Active"], value)
        case .policy:
            if !value.isEmpty { _ = try AccessPolicy(value) }
            return value
        case .deliveryPolicy:
            if !value.isEmpty { try DeliveryPolicyDocument.topic.check(value) }
            return value
        case .archivePolicy:
            guard value.isEmpty else { throw AttributeRefusal("\(name): This server does not archive messages") }
            return value
        case .kmsMasterKeyID: return value
        case .feedback: return try feedback(value)
        }
    }

    /// Whether two values say the same: JSON may be written in many ways.
    package func isSame(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        switch self {
        case .deliveryPolicy:
            return DeliveryPolicyDocument.shown(topic: one) == DeliveryPolicyDocument.shown(topic: other)
        case .policy:
            guard let one = try? JSONValue(json: Data(one.utf8)) else { return false }
            return one == (try? JSONValue(json: Data(other.utf8)))
        default: return false
        }
    }

    private func one(of choices: [String], _ value: String) throws(AttributeRefusal) -> String {
        guard choices.contains(value) else {
            throw .choice(name, value, mustBe: choices.joined(separator: " or "))
        }
        return value
    }

    private func feedback(_ value: String) throws(AttributeRefusal) -> String {
        guard name.hasSuffix("SampleRate"), !value.isEmpty else { return value }
        guard let rate = Int(value), (0...100).contains(rate) else {
            throw AttributeRefusal("\(name): \(value.excerpt) value provided is not an integer between 0-100")
        }
        return value
    }
}
