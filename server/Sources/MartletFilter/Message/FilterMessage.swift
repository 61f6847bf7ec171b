/// An attribute of a message, as `Publish` takes it.
public struct FilterAttribute: Sendable, Hashable {
    /// The name, in which a full stop means nothing of its own.
    public var name: String
    /// `String`, `String.Array`, `Number`, `Binary`, or one of them with a label of the sender's.
    public var dataType: String
    /// The value as text; `nil` for binary ones, at which no policy looks.
    public var value: String?

    /// An attribute of a message.
    public init(name: String, dataType: String, value: String?) {
        self.name = name
        self.dataType = dataType
        self.value = value
    }
}

/// A message, read once for all the policies that it is tried against.
public struct FilterMessage: Sendable {
    /// What policies of the attributes see; `nil` without any attribute, when no policy but the empty one matches.
    let attributes: Fields?
    /// What policies of the body see; `nil` if it is no JSON object.
    let body: Fields?

    /// Reads a message.
    ///
    /// - Parameters:
    ///   - attributes: All of the message's attributes.
    ///   - body: The message, in UTF-8; `nil` when no policy looks at it (``FilterIndex/readsBody``), to save reading.
    public init(attributes: [FilterAttribute], body: [UInt8]?) {
        self.attributes = attributes.isEmpty ? nil : Self.read(attributes)
        self.body = body.flatMap { BodyReader.read($0) }
    }

    /// What policies of a scope see.
    func fields(_ scope: FilterScope) -> Fields? { scope == .messageBody ? body : attributes }

    private static func read(_ attributes: [FilterAttribute]) -> Fields {
        var fields = Fields()
        for attribute in attributes {
            guard let value = attribute.value, !attribute.dataType.hasPrefix("Binary") else { continue }
            let node = fields.descend(from: 0, Text(attribute.name))
            if attribute.dataType.hasSuffix(".Array") {
                guard let scalars = elements(Array(value.utf8)) else {
                    fields.spoil(node)
                    continue
                }
                for scalar in scalars { fields.add(scalar, at: node) }
            } else if attribute.dataType == "Number" || attribute.dataType.hasPrefix("Number.") {
                if let number = FilterNumber(Array(value.utf8)[...]) {
                    fields.add(.number(number), at: node)
                } else {
                    fields.spoil(node)
                }
            } else {
                fields.add(.text(Text(value)), at: node)
            }
        }
        return fields
    }

    /// The elements of a `String.Array`; `nil` for what is no JSON array of plain values.
    private static func elements(_ bytes: [UInt8]) -> [Scalar]? {
        var tokenizer = JSONTokenizer(bytes)
        var scalars: [Scalar] = []
        do {
            guard try tokenizer.next() == .startArray else { return nil }
            while true {
                let token = try tokenizer.next()
                if token == .endArray { break }
                guard let scalar = try tokenizer.scalar(token) else { return nil }
                scalars.append(scalar)
            }
            return try tokenizer.next() == .end ? scalars : nil
        } catch {
            return nil
        }
    }
}

extension JSONTokenizer {
    /// The value that the last token is; `nil` if it is none without parts.
    func scalar(_ token: Token) throws(JSONSyntaxError) -> Scalar? {
        switch token {
        case .string: .text(try text())
        case .number: FilterNumber(bytes[range]).map { .number($0) }
        case .yes: .yes
        case .no: .no
        case .null: .null
        default: nil
        }
    }
}
