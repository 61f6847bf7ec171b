import MartletCore

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

/// A member of a map.
struct FormEntry<Value: Hashable & Sendable>: Hashable, Sendable {
    let key: String
    let value: Value
}

extension FormParameters {
    /// A list of texts, in the order of its numbers; empty when it was not sent.
    ///
    /// - Throws: `MalformedInput` when what stands under this name is no such list.
    func strings(_ name: String) throws(SNSError) -> [String] {
        var texts: [String] = []
        for item in try items(name, "member") { texts.append(try Self.text(of: item)) }
        return texts
    }

    /// A list of structures, in the order of its numbers; empty when it was not sent.
    ///
    /// - Throws: `MalformedInput` when what stands under this name is no such list.
    func structures(_ name: String) throws(SNSError) -> [FormParameters] {
        var structures: [FormParameters] = []
        for (index, item) in try items(name, "member").enumerated() {
            structures.append(try structure(item, at: "\(path(of: name)).\(index + 1)"))
        }
        return structures
    }

    /// A map of texts, such as `Attributes`, in the order of its numbers; empty when it was not sent.
    ///
    /// - Throws: `ValidationError` for a key without a value; `MalformedInput` for a key that comes twice, and when
    ///   what stands under this name is no such map.
    func map(_ name: String) throws(SNSError) -> [FormEntry<String>] {
        var entries: [FormEntry<String>] = []
        for entry in try nodes(name, key: "key", value: "value") {
            entries.append(FormEntry(key: entry.key, value: try Self.text(of: entry.value)))
        }
        return entries
    }

    /// A map of structures, such as `MessageAttributes`, in the order of its numbers; empty when it was not sent.
    ///
    /// - Parameters:
    ///   - key: what stands before a key: `key`, and for message attributes `Name`.
    ///   - value: what stands before a value: `value`, and for message attributes `Value`.
    /// - Throws: as ``map(_:)`` does.
    func structureMap(
        _ name: String,
        key: String = "Name",
        value: String = "Value"
    ) throws(SNSError) -> [FormEntry<FormParameters>] {
        var entries: [FormEntry<FormParameters>] = []
        for entry in try nodes(name, key: key, value: value) {
            let structure = try structure(entry.value, at: "\(path(of: name)).\(entry.key.excerpt)")
            entries.append(FormEntry(key: entry.key, value: structure))
        }
        return entries
    }

    private func structure(_ node: FormNode, at path: String) throws(SNSError) -> FormParameters {
        guard node.value == nil else { throw .malformedInput("A text was found where a structure was expected.") }
        return FormParameters(node, prefix: "\(path).member.")
    }

    private func nodes(
        _ name: String,
        key keyName: String,
        value valueName: String
    ) throws(SNSError) -> [FormEntry<FormNode>] {
        var entries: [FormEntry<FormNode>] = []
        var keys: Set<String> = []
        for item in try items(name, "entry") {
            guard let keyNode = item.members[keyName] else {
                throw .malformedInput("An entry of \(name) has no \(keyName).")
            }
            let key = try Self.text(of: keyNode)
            guard keys.insert(key).inserted else {
                throw .malformedInput("A key of \(name) is given more than once.")
            }
            guard let value = item.members[valueName] else {
                throw .missing(["\(path(of: name)).\(key.excerpt).member"])
            }
            entries.append(FormEntry(key: key, value: value))
        }
        return entries
    }

    /// What stands below `NAME.member` or `NAME.entry`, in the order of the numbers.
    private func items(_ name: String, _ step: String) throws(SNSError) -> [FormNode] {
        guard let list = node.members[name] else { return [] }
        // How botocore writes a list without items.
        if list.value == "", list.members.isEmpty { return [] }
        guard list.value == nil else { throw .malformedInput("A text was found where \(name).\(step) was expected.") }
        guard list.members.count == 1, let items = list.members[step], items.value == nil else {
            // AWS's words.
            throw .malformedInput("Top level element may not be treated as a list")
        }
        var numbered: [(number: Int, node: FormNode)] = []
        for (text, node) in items.members {
            guard let number = Self.number(text) else {
                throw .malformedInput("\(name).\(step) is followed by what is no number.")
            }
            numbered.append((number, node))
        }
        return numbered.sorted { $0.number < $1.number }.map(\.node)
    }

    /// A number of one form only, so that none comes twice: no sign, no leading zero. Nine digits are more than any
    /// list has.
    private static func number(_ text: String) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text.utf8.count == 1 || text.utf8.first != 0x30
        else { return nil }
        return Int(text)
    }
}
