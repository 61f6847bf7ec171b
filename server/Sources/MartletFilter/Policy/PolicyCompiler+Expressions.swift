extension PolicyCompiler {
    /// An object within a key's array: one operator and its operand.
    func expression(_ object: Node) throws(FilterPolicyError) -> Pattern {
        guard let name = object.names.first else { throw error("Match expression name not found", at: object.end) }
        let value = node(object.children[0])
        let pattern: Pattern
        switch name {
        case "exactly": pattern = .equals(.text(try string(value, "exact match")))
        case "prefix": pattern = .prefix(try string(value, "prefix match"))
        case "suffix": pattern = .suffix(try string(value, "suffix match"))
        case "equals-ignore-case": pattern = .ignoringCase(try string(value, "equals-ignore-case match").folded)
        case "wildcard": pattern = .wildcard(try wildcard(value))
        // The words of the original, which took them from its neighbour.
        case "cidr": pattern = .addresses(try Self.network(try string(value, "prefix match")))
        case "exists": pattern = try existence(value)
        case "numeric":
            pattern = try numeric(value)
            try end(object, orElse: Self.tooMany)
        case "anything-but": pattern = try anythingBut(value, in: object)
        default: throw error("Unrecognized match type \(name.string)", at: standing(value))
        }
        try end(object, orElse: Self.onlyOne)
        return pattern
    }

    static let onlyOne = "Only one key allowed in match expression"
    static let tooMany = "Too many elements in numeric expression"

    /// Refuses an object that has more than one member.
    private func end(_ object: Node, orElse reason: String) throws(FilterPolicyError) {
        if object.children.count > 1 { throw error(reason, at: standing(node(object.children[1]))) }
    }

    private func string(_ value: Node, _ kind: String) throws(FilterPolicyError) -> Text {
        guard value.kind == .string else { throw error("\(kind) pattern must be a string", at: standing(value)) }
        return value.text
    }

    private func wildcard(_ value: Node) throws(FilterPolicyError) -> Wildcard {
        let text = try string(value, "wildcard match")
        do {
            return try Wildcard(text)
        } catch {
            throw self.error(error.reason, at: value.end)
        }
    }

    private func existence(_ value: Node) throws(FilterPolicyError) -> Pattern {
        switch value.kind {
        case .yes: .present
        case .no: .absent
        default: throw error("exists match pattern must be either true or false.", at: standing(value))
        }
    }

    private func anythingBut(_ value: Node, in object: Node) throws(FilterPolicyError) -> Pattern {
        switch value.kind {
        case .object: return try anythingButPattern(value)
        case .string, .number:
            try end(object, orElse: Self.tooMany)
            return .anythingBut([scalar(value)])
        case .array:
            let values = value.children.map { node($0) }
            if let odd = values.first(where: { $0.kind != .string && $0.kind != .number }) {
                throw error("Inside anything but list, start|null|boolean is not supported.", at: standing(odd))
            }
            if Set(values.map(\.kind)).count != 1 {
                throw error(
                    "Inside anything but list, either all values are number or string, mixed type is not supported",
                    at: value.end
                )
            }
            try end(object, orElse: Self.tooMany)
            return .anythingBut(Set(values.map { scalar($0) }))
        default:
            throw error(
                "Value of anything-but must be an array or single string/number value.",
                at: standing(value)
            )
        }
    }

    private func scalar(_ value: Node) -> Scalar {
        value.kind == .number ? .number(number(value)) : .text(value.text)
    }

    /// `prefix`, and `wildcard`, which AWS added in July 2025; AWS refused `suffix`, which event-ruler has.
    private func anythingButPattern(_ inner: Node) throws(FilterPolicyError) -> Pattern {
        guard let name = inner.names.first else { throw error("Anything-But expression name not found", at: inner.end) }
        let value = node(inner.children[0])
        let pattern: Pattern
        switch name {
        case "prefix":
            let prefix = try string(value, "prefix match")
            if prefix.bytes.isEmpty { throw error("Null prefix not allowed", at: value.end) }
            pattern = .anythingButPrefix(prefix)
        case "wildcard": pattern = .anythingButWildcard(try wildcard(value))
        default: throw error("Unsupported anything-but pattern: \(name.string)", at: standing(value))
        }
        try end(inner, orElse: Self.onlyOne)
        return pattern
    }

    /// Reads an address, a slash and the bits of its network.
    ///
    /// - Throws: what is wrong, without a place, as in the recorded answers.
    private static func network(_ text: Text) throws(FilterPolicyError) -> AddressRange {
        var parts = text.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            Text(Array($0))
        }
        // As Java splits: without the empty parts at the end.
        while parts.count > 1, parts.last == "" { parts.removeLast() }
        guard parts.count == 2 else { throw FilterPolicyError("FilterPolicy: Malformed CIDR, one '/' required") }
        guard let bits = Int32(parts[1].string) else {
            throw FilterPolicyError("FilterPolicy: Malformed CIDR, mask bits must be an integer")
        }
        guard bits >= 0 else {
            throw FilterPolicyError("FilterPolicy: Malformed CIDR, mask bits must not be negative")
        }
        switch IPAddress.read(parts[0]) {
        case .other: throw FilterPolicyError("FilterPolicy: Nonstandard IP address: \(parts[0].string)")
        case .broken: throw FilterPolicyError("FilterPolicy: Invalid IP address: \(parts[0].string)")
        case .address(let address):
            if address.isV6, bits > 127 { throw FilterPolicyError("FilterPolicy: IPv6 mask bits must be < 128") }
            if !address.isV6, bits > 31 { throw FilterPolicyError("FilterPolicy: IPv4 mask bits must be < 32") }
            return AddressRange(address, bits: Int(bits))
        }
    }
}
