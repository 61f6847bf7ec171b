/// What a filter policy of one scope sees of a message: every value beside the path of its keys.
struct Fields: Sendable {
    /// A value, and in which elements of arrays it lies.
    struct Value: Sendable {
        var scalar: Scalar
        /// The innermost element; 0 outside of all arrays.
        var element: Int32
        /// The next value of the same path; -1 at the end.
        var next: Int32
    }

    /// An element of an array that is itself an object or an array.
    struct Element: Sendable {
        /// The element that the array lies in.
        var parent: Int32
        /// The array; two of its elements exclude each other.
        var array: Int32
    }

    private(set) var paths = PathTree()
    private(set) var values: [Value] = []
    /// Every element after the one that it lies in.
    private(set) var elements: [Element] = [Element(parent: -1, array: -1)]
    /// The first value of each node: `absent` if there is none, `unreadable` if nothing matches it.
    private var heads: [Int32] = [Fields.absent]

    static let absent: Int32 = -1
    static let unreadable: Int32 = -2

    /// The first value of a node, ``absent`` or ``unreadable``.
    func head(_ node: Int32) -> Int32 { heads[Int(node)] }

    /// The node below a node, for this and later values.
    mutating func descend(from node: Int32, _ name: Text) -> Int32 {
        var node = node
        for step in name.steps { node = paths.descend(from: node, step) }
        while heads.count < paths.count { heads.append(Self.absent) }
        return node
    }

    /// Adds a value at a node.
    mutating func add(_ scalar: Scalar, at node: Int32, in element: Int32 = 0) {
        guard heads[Int(node)] != Self.unreadable else { return }
        values.append(Value(scalar: scalar, element: element, next: heads[Int(node)]))
        heads[Int(node)] = Int32(values.count - 1)
    }

    /// Has nothing match at a node, not even `{"exists": false}`.
    mutating func spoil(_ node: Int32) { heads[Int(node)] = Self.unreadable }

    /// Adds an element of an array that lies in another element.
    mutating func addElement(in parent: Int32, of array: Int32) -> Int32 {
        elements.append(Element(parent: parent, array: array))
        return Int32(elements.count - 1)
    }
}
