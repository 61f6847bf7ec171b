import Foundation
import MartletWire

/// A topic's `Policy`: who may do what with it. This server keeps and shows it; what keys may do is not up to it.
struct AccessPolicy: Hashable, Sendable {
    /// What a statement about a topic can allow (Amazon SNS developer guide, access control API permissions).
    static let actions: Set<String> = [
        "AddPermission", "DeleteTopic", "GetDataProtectionPolicy", "GetTopicAttributes", "ListSubscriptionsByTopic",
        "ListTagsForResource", "Publish", "PutDataProtectionPolicy", "Receive", "RemovePermission",
        "SetTopicAttributes", "Subscribe", "TagResource", "UntagResource",
    ]

    private var members: [String: JSONValue]

    /// The policy as JSON.
    var text: String { JSONValue.object(members).compact }

    /// Reads a policy.
    ///
    /// - Throws: ``AttributeRefusal`` in AWS's words: `Policy Error: null` for all but the actions.
    init(_ text: String) throws(AttributeRefusal) {
        guard text.utf8.count <= AttributeValue.documentLimit,
            case .object(let members)? = try? JSONValue(json: Data(text.utf8))
        else {
            throw AttributeRefusal("Policy Error: null")
        }
        self.members = members
        let statements = self.statements
        guard !statements.isEmpty else { throw AttributeRefusal("Policy Error: null") }
        for statement in statements {
            guard let statement = statement.members else { throw AttributeRefusal("Policy Error: null") }
            try Self.checkActions(of: statement)
        }
    }

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

    /// Takes away the statements of a label; there need not be one.
    mutating func remove(_ label: String) {
        members["Statement"] = .array(statements.filter { $0.members?["Sid"] != .string(label) })
    }

    private init(members: [String: JSONValue]) { self.members = members }

    private var statements: [JSONValue] {
        switch members["Statement"] {
        case .array(let statements)?: statements
        case let one?: [one]
        case nil: []
        }
    }

    private static func oneOrMany(_ values: [JSONValue]) -> JSONValue {
        values.count == 1 ? values[0] : .array(values)
    }

    private static func checkActions(of statement: [String: JSONValue]) throws(AttributeRefusal) {
        let named: [JSONValue]
        switch statement["Action"] ?? statement["NotAction"] {
        case .array(let list)?: named = list
        case let one?: named = [one]
        case nil: named = []
        }
        guard !named.isEmpty else { throw AttributeRefusal("Policy Error: null") }
        for action in named {
            guard case .string(let text) = action, isAction(text) else {
                throw AttributeRefusal("Policy statement action out of service scope!")
            }
        }
    }

    /// `SNS:Publish`, in any case of the service's name, or one that ends in `*`.
    private static func isAction(_ text: String) -> Bool {
        guard text.lowercased().hasPrefix("sns:") else { return false }
        let name = text.dropFirst("sns:".count)
        guard name.hasSuffix("*") else { return actions.contains(String(name)) }
        return actions.contains { $0.hasPrefix(name.dropLast()) }
    }
}
