/// Conditions of which all must hold.
struct Branch: Hashable, Sendable {
    /// In the order of their paths, each path once.
    var conditions: [Condition]
}

/// What is asked of the values of one path.
struct Condition: Hashable, Sendable {
    /// The key, and before it the keys that it nests in.
    var path: [Text]
    /// Any of them is enough.
    var patterns: [Pattern]
    /// Whether a message without the key is fine.
    var allowsAbsence: Bool

    init(path: [Text], patterns: [Pattern]) {
        self.path = path
        self.patterns = patterns
        allowsAbsence = patterns.contains(.absent)
    }

    func matches(_ scalar: Scalar) -> Bool { patterns.contains { $0.matches(scalar) } }
}

extension Branch {
    /// Whether a message's values meet all conditions, those beneath one array within one of its elements.
    func matches(_ fields: Fields) -> Bool {
        matches(fields) { fields.paths.node(conditions[$0].path) }
    }

    /// As ``matches(_:)``, with another way to find the node of a condition, by its place among them.
    func matches(_ fields: Fields, node: (Int) -> Int32?) -> Bool {
        // Elements of arrays that conditions depend on; a condition that holds outside of all arrays needs none.
        var choices: [[Int32]] = []
        for index in conditions.indices {
            let head = node(index).map { fields.head($0) } ?? Fields.absent
            if head == Fields.absent, conditions[index].allowsAbsence { continue }
            guard head >= 0, let elements = Self.elements(conditions[index], fields, from: head) else { return false }
            if !elements.isEmpty { choices.append(elements) }
        }
        return choices.count <= 1 || ArrayConsistency(fields: fields).allows(choices)
    }

    /// The elements in which values match; empty if one does outside of arrays, `nil` if none does.
    private static func elements(_ condition: Condition, _ fields: Fields, from head: Int32) -> [Int32]? {
        var elements: [Int32] = []
        var index = head
        while index >= 0 {
            let value = fields.values[Int(index)]
            if elements.last != value.element, condition.matches(value.scalar) {
                if value.element == 0 { return [] }
                elements.append(value.element)
            }
            index = value.next
        }
        return elements.isEmpty ? nil : elements
    }
}
