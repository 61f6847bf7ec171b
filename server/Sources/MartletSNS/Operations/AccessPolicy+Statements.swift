import MartletCore
import MartletWire

extension AccessPolicy {
    /// What a topic has where nobody set one: its owner may do everything.
    static func standard(of topic: TopicARN) -> AccessPolicy {
        let actions = [
            "SNS:GetTopicAttributes", "SNS:SetTopicAttributes", "SNS:AddPermission", "SNS:RemovePermission",
            "SNS:DeleteTopic", "SNS:Subscribe", "SNS:ListSubscriptionsByTopic", "SNS:Publish",
        ]
        return AccessPolicy(members: [
            "Version": .string("2008-10-17"),
            "Id": .string("__default_policy_ID"),
            "Statement": .array([
                .object([
                    "Sid": .string("__default_statement_ID"),
                    "Effect": .string("Allow"),
                    "Principal": .object(["AWS": .string("*")]),
                    "Action": .array(actions.map(JSONValue.string)),
                    "Resource": .string(topic.description),
                    "Condition": .object(["StringEquals": .object(["AWS:SourceOwner": .string(topic.account)])]),
                ])
            ]),
        ])
    }

    /// Adds a statement that allows accounts to do something.
    ///
    /// - Throws: ``AttributeRefusal`` when there is a statement of this label, and for an action that there is not.
    mutating func add(
        _ label: String,
        accounts: [String],
        actions: [String],
        on topic: TopicARN
    ) throws(AttributeRefusal) {
        guard !statements.contains(where: { $0.members?["Sid"] == .string(label) }) else {
            throw AttributeRefusal("Statement already exists")
        }
        let principals = accounts.map { JSONValue.string(ARN.principal("root", region: topic.region, account: $0)) }
        let statement: [String: JSONValue] = [
            "Sid": .string(label),
            "Effect": .string("Allow"),
            "Principal": .object(["AWS": Self.oneOrMany(principals)]),
            "Action": Self.oneOrMany(actions.map { .string("SNS:\($0)") }),
            "Resource": .string(topic.description),
        ]
        try Self.checkActions(of: statement)
        let known = members
        members["Statement"] = .array(statements + [.object(statement)])
        guard text.utf8.count <= AttributeValue.documentLimit else {
            members = known
            throw AttributeRefusal("Policy Error: null")
        }
    }

    private static func oneOrMany(_ values: [JSONValue]) -> JSONValue {
        values.count == 1 ? values[0] : .array(values)
    }
}

extension TopicAttribute {
    /// What the attribute is where nobody set it; empty for one that then is not there.
    func defaultValue(of topic: TopicARN, isFIFO: Bool) -> String {
        switch self {
        case .fifoTopic: isFIFO ? "true" : "false"
        case .contentBasedDeduplication: "false"
        case .fifoThroughputScope: "Topic"
        case .displayName, .kmsMasterKeyID, .archivePolicy, .deliveryPolicy, .feedback: ""
        case .policy: AccessPolicy.standard(of: topic).text
        case .signatureVersion: "1"
        case .tracingConfig: "PassThrough"
        }
    }
}
