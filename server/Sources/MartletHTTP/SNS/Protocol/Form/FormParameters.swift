/// The parameters of a request of the AWS Query protocol, or of a structure in it.
///
/// Lists are `Name.member.1`, `Name.member.2`…; maps are `Name.entry.1.key` and `Name.entry.1.value`. Their numbers
/// give the order and may have gaps. An empty list and an empty map cannot be told from an absent one.
struct FormParameters: Hashable, Sendable {
    /// The version of the API, the only one there is.
    static let version = "2010-03-31"

    let node: FormNode
    /// Where a structure stands, as AWS's texts write it: `publishBatchRequestEntries.1.member.`; empty for a request.
    private let prefix: String

    /// A structure at a place of a request.
    init(_ node: FormNode, prefix: String = "") {
        self.node = node
        self.prefix = prefix
    }

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - query: what stands behind the `?`. Links, presigned requests and calls without a body have them there.
    ///   - body: the body of a POST, empty for other methods.
    /// - Throws: `MalformedInput` for what is no form or names a parameter twice; `RequestEntityTooLarge`.
    init(query: String, body: [UInt8]) throws(SNSError) {
        var parser = FormParser()
        try parser.read(Array(query.utf8)[...])
        try parser.read(body[...])
        self.init(parser.root)
    }

    /// The operation that is asked for.
    ///
    /// - Throws: `MissingAction` without one, `InvalidAction` for one that the API has not, and for another version of
    ///   the API. Links name no version.
    func action() throws(SNSError) -> SNSAction {
        guard let name = try string("Action"), !name.isEmpty else { throw .missingAction }
        let version = try string("Version") ?? Self.version
        guard let action = SNSAction(rawValue: name), version == Self.version else {
            throw .invalidAction(name, version: version)
        }
        return action
    }

    /// Whether there is anything under a name, be it an empty text.
    func has(_ name: String) -> Bool { node.members[name] != nil }

    /// Where a member stands, as AWS's texts write it: `topicArn`, `messageAttributes.price.member.dataType`.
    func path(of name: String) -> String { prefix + name.prefix(1).lowercased() + name.dropFirst() }

    /// A text.
    ///
    /// - Returns: `nil` when it was not sent, which is another thing than an empty one.
    /// - Throws: `MalformedInput` when there is something else under this name.
    func string(_ name: String) throws(SNSError) -> String? {
        guard let member = node.members[name] else { return nil }
        return try Self.text(of: member)
    }

    /// A text that must have been sent, though it may be empty.
    ///
    /// - Throws: `ValidationError` when it was not; `MalformedInput`.
    func required(_ name: String) throws(SNSError) -> String {
        guard let text = try string(name) else { throw .missing([path(of: name)]) }
        return text
    }

    /// `true` or `false`; `nil` when it was not sent.
    ///
    /// - Throws: `MalformedInput` for anything else.
    func bool(_ name: String) throws(SNSError) -> Bool? {
        switch try string(name)?.lowercased() {
        case nil: nil
        case "true": true
        case "false": false
        default: throw .malformedInput("The parameter \(name) must be true or false.")
        }
    }

    /// The text of a node that must have nothing below it.
    static func text(of node: FormNode) throws(SNSError) -> String {
        guard let text = node.value, node.members.isEmpty else {
            // AWS's words.
            throw .malformedInput("Start of list found where not expected")
        }
        return text
    }
}
