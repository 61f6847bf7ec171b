/// Keys and what they nest in, as numbered nodes from the root, 0; equal paths are one node.
///
/// A key with full stops is as many steps, so that `a.b` and `b` within `a` are the same, and a path costs the memory
/// of its own last step alone, however deep it lies.
struct PathTree: Sendable {
    /// One step down from a node.
    struct Step: Hashable, Sendable {
        var parent: Int32
        var name: Text
    }

    private(set) var steps: [Step] = [Step(parent: -1, name: "")]
    private var children: [Step: Int32] = [:]
    private var uses: [Int32] = [1]
    private var free: [Int32] = []

    /// How many nodes there are, released ones included.
    var count: Int { steps.count }

    /// The node one step below a node; `nil` if there is none.
    func child(of parent: Int32, _ name: Text) -> Int32? { children[Step(parent: parent, name: name)] }

    /// The node at the end of a path; `nil` if there is none.
    func node(_ path: [Text]) -> Int32? {
        var node: Int32 = 0
        for name in path {
            guard let next = child(of: node, name) else { return nil }
            node = next
        }
        return node
    }

    /// The node one step below a node, made if it is missing.
    mutating func descend(from parent: Int32, _ name: Text) -> Int32 {
        let step = Step(parent: parent, name: name)
        if let node = children[step] { return node }
        let node: Int32
        if let reused = free.popLast() {
            node = reused
            steps[Int(node)] = step
            uses[Int(node)] = 0
        } else {
            node = Int32(steps.count)
            steps.append(step)
            uses.append(0)
        }
        children[step] = node
        return node
    }

    /// The node at the end of a path, made if it is missing and kept until ``release(_:)``.
    mutating func retain(_ path: [Text]) -> Int32 {
        var node: Int32 = 0
        for name in path {
            node = descend(from: node, name)
            uses[Int(node)] += 1
        }
        return node
    }

    /// Gives a retained path back; nodes that nobody keeps are forgotten.
    mutating func release(_ node: Int32) {
        var node = node
        while node > 0 {
            let step = steps[Int(node)]
            uses[Int(node)] -= 1
            if uses[Int(node)] == 0 {
                children[step] = nil
                steps[Int(node)] = Step(parent: -1, name: "")
                free.append(node)
            }
            node = step.parent
        }
    }
}
