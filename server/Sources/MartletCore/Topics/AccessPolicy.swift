import Foundation
package import MartletWire

/// A topic's `Policy`: who may do what with it. This server keeps and shows it; what keys may do is not up to it.
package struct AccessPolicy: Hashable, Sendable {
    /// What a statement about a topic can allow (Amazon SNS developer guide, access control API permissions).
    package static let actions: Set<String> = [
        "AddPermission", "DeleteTopic", "GetDataProtectionPolicy", "GetTopicAttributes", "ListSubscriptionsByTopic",
        "ListTagsForResource", "Publish", "PutDataProtectionPolicy", "Receive", "RemovePermission",
        "SetTopicAttributes", "Subscribe", "TagResource", "UntagResource",
    ]

    /// The members of the document.
    package var members: [String: JSONValue]

    /// The policy as JSON.
    package var text: String { JSONValue.object(members).compact }

    /// Reads a policy.
    ///
    /// - Throws: ``AttributeRefusal`` in AWS's words: `Policy Error: null` for all but the actions.
    package init(_ text: String) throws(AttributeRefusal) {
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

    /// Takes away the statements of a label; there need not be one.
    package mutating func remove(_ label: String) {
        members["Statement"] = .array(statements.filter { $0.members?["Sid"] != .string(label) })
    }

    package init(members: [String: JSONValue]) { self.members = members }

    package var statements: [JSONValue] {
        switch members["Statement"] {
        case .array(let statements)?: statements
        case let one?: [one]
        case nil: []
        }
    }

    package static func checkActions(of statement: [String: JSONValue]) throws(AttributeRefusal) {
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
