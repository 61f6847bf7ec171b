/// Gives a policy's JSON its meaning, or says what is wrong with it in event-ruler's words and with Jackson's places.
///
/// The place of an error is where Jackson's reader stands: behind a number or a word, behind the first quote of a string
/// that nobody has asked for yet, behind a bracket; and behind a name it has already gone on to the value.
struct PolicyCompiler {
    typealias Node = PolicyDocument.Node

    let document: PolicyDocument

    /// The meaning of a document.
    static func clauses(of document: PolicyDocument) throws(FilterPolicyError) -> [Clause] {
        let compiler = PolicyCompiler(document: document)
        let root = document.nodes[0]
        guard root.kind == .object else { throw compiler.error("Filter is not an object", at: compiler.standing(root)) }
        // The empty policy, which event-ruler refuses, lets everything pass.
        if root.children.isEmpty { return [] }
        return try compiler.clauses(root, Place())
    }

    /// Where an object stands.
    struct Place {
        /// The path of what it holds.
        var path: [Text] = []
        /// The depth of its keys.
        var depth = 1
        /// How many objects and arrays are open, which bounds the recursion.
        var level = 1
        var isInOr = false
    }

    func node(_ index: Int) -> Node { document.nodes[index] }

    /// Where the reader stands when it has come to a value.
    func standing(_ node: Node) -> Int {
        switch node.kind {
        case .object, .array, .string: node.start + 1
        default: node.end
        }
    }

    /// An error with its place, of which the column is one more than what has been read.
    func error(_ reason: String, at offset: Int) -> FilterPolicyError {
        FilterPolicyError(
            "FilterPolicy: \(reason)\n at [Source: \(document.source); line: 1, column: \(offset + 1)]"
        )
    }

    private func clauses(_ object: Node, _ place: Place) throws(FilterPolicyError) -> [Clause] {
        guard place.level <= FilterLimits.depth else { throw .tooComplex }
        if object.children.isEmpty { throw error("Empty objects are not allowed", at: object.end) }
        var clauses: [Clause] = []
        for (name, index) in zip(object.names, object.children) {
            let value = node(index)
            if name == "$or", isOr(value) {
                var objects: [[Clause]] = []
                var inner = place
                inner.level += 2
                inner.isInOr = true
                for child in value.children { objects.append(try self.clauses(node(child), inner)) }
                clauses.append(.any(objects))
            } else {
                clauses.append(try clause(name, value, place))
            }
        }
        return clauses
    }

    /// Whether the value of `$or` makes it more than a key of that name: two objects or more, none with the name of an
    /// operator as a key (Amazon SNS developer guide, "OR operator").
    private func isOr(_ value: Node) -> Bool {
        value.kind == .array && value.children.count >= 2
            && value.children.allSatisfy {
                node($0).kind == .object && !node($0).names.contains { Self.reserved.contains($0) }
            }
    }

    private func clause(_ name: Text, _ value: Node, _ place: Place) throws(FilterPolicyError) -> Clause {
        if place.isInOr, Self.reserved.contains(name) {
            throw error(
                "\(name.string) is Ruler reserved fieldName which cannot be used inside $or.",
                at: standing(value)
            )
        }
        let path = place.path + name.steps
        guard path.count <= FilterLimits.depth else { throw .tooComplex }
        switch value.kind {
        case .object:
            let inner = Place(path: path, depth: place.depth + 1, level: place.level + 1, isInOr: place.isInOr)
            return .all(try clauses(value, inner))
        case .array:
            if value.children.isEmpty { throw error("Empty arrays are not allowed", at: value.end) }
            var patterns: [Pattern] = []
            for child in value.children { patterns.append(try pattern(node(child))) }
            return .condition(Condition(path: path, patterns: patterns), depth: place.depth)
        default: throw error("\"\(name.string)\" must be an object or an array", at: standing(value))
        }
    }

    private func pattern(_ value: Node) throws(FilterPolicyError) -> Pattern {
        switch value.kind {
        case .object: return try expression(value)
        case .string:
            // An address is compared as such, however it is spelled.
            if case .address(let address) = IPAddress.read(value.text) { return .addresses(AddressRange(address)) }
            return .equals(.text(value.text))
        case .number: return .equals(.number(number(value)))
        case .yes: return .equals(.yes)
        case .no: return .equals(.no)
        case .null: return .equals(.null)
        case .array:
            throw error("Match value must be String, number, true, false, or null", at: standing(value))
        }
    }

    /// The value of a node that is a number.
    func number(_ node: Node) -> FilterNumber {
        // The tokenizer lets nothing through that the number cannot read.
        FilterNumber(node.text.bytes[...]) ?? .millionths(0)
    }

    /// Names that cannot be keys within `$or`: event-ruler's operators, those of tomorrow included.
    private static let reserved: Set<Text> = [
        "exactly", "equals-ignore-case", "prefix", "suffix", "anything-but", "exists", "wildcard", "numeric", "cidr",
        "=", "<", "<=", ">", ">=", "regex", "not-wildcard", "not-equals-ignore-case", "date-after",
        "date-on-or-after", "date-before", "date-on-or-before", "in-date-range", "ip-address-in-range",
        "ip-address-not-in-range",
    ]
}
