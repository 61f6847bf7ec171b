/// The branches of all policies of one scope, each found through the key that leads to fewest.
struct BranchIndex: Sendable {
    // What is known of each branch stands in arrays of its own, so that a look at one copies nothing.
    private var branches: [Branch] = []
    /// The numbers of the policies; -1 for a branch that is taken out.
    private var policies: [Int32] = []
    /// The nodes of the conditions' paths, in their order.
    private var nodes: [[Int32]] = []
    /// The condition that leads to the branch; -1 if none does and it is tried each time.
    private var anchors: [Int] = []
    private var free: [Int32] = []
    private var paths = PathTree()
    /// By the nodes of the paths.
    private var keys: [KeyIndex] = []
    /// The branches that a message leads to by what it does not have.
    private var unanchored: Set<Int32> = []
    /// How many branches there are.
    private(set) var count = 0

    /// Adds a branch; the number is for ``remove(_:)``.
    mutating func insert(_ branch: Branch, policy: Int32) -> Int32 {
        let number: Int32
        if let reused = free.popLast() {
            number = reused
        } else {
            number = Int32(branches.count)
            branches.append(Branch(conditions: []))
            policies.append(-1)
            nodes.append([])
            anchors.append(-1)
        }
        let index = Int(number)
        branches[index] = branch
        policies[index] = policy
        nodes[index] = branch.conditions.map { paths.retain($0.path) }
        anchors[index] = Self.anchor(of: branch) ?? -1
        count += 1
        while keys.count < paths.count { keys.append(KeyIndex()) }
        guard anchors[index] >= 0 else {
            unanchored.insert(number)
            return number
        }
        let node = Int(nodes[index][anchors[index]])
        for place in branch.conditions[anchors[index]].patterns.compactMap({ Anchor($0) }) {
            keys[node].insert(place, owner: number)
        }
        return number
    }

    /// Takes a branch out.
    mutating func remove(_ number: Int32) {
        let index = Int(number)
        guard policies[index] >= 0 else { return }
        if anchors[index] >= 0 {
            let node = Int(nodes[index][anchors[index]])
            for place in branches[index].conditions[anchors[index]].patterns.compactMap({ Anchor($0) }) {
                keys[node].remove(place, owner: number)
            }
        }
        for node in nodes[index] { paths.release(node) }
        branches[index] = Branch(conditions: [])
        policies[index] = -1
        nodes[index] = []
        unanchored.remove(number)
        free.append(number)
        count -= 1
    }

    /// The condition with the best place for its worst pattern.
    private static func anchor(of branch: Branch) -> Int? {
        var best: (condition: Int, rank: Int, patterns: Int)?
        for (index, condition) in branch.conditions.enumerated() where !condition.allowsAbsence {
            let rank = condition.patterns.compactMap { Anchor($0)?.rank }.max() ?? 0
            if let best, (best.rank, best.patterns) <= (rank, condition.patterns.count) { continue }
            best = (index, rank, condition.patterns.count)
        }
        return best?.condition
    }

    /// Adds to a set the numbers of the policies that have a branch that matches.
    func match(_ fields: Fields, into found: inout NumberSet) {
        guard count > 0 else { return }
        let map = map(of: fields)
        var places = [Int32](repeating: -1, count: paths.count)
        for (field, node) in map.enumerated() where node >= 0 { places[Int(node)] = Int32(field) }
        var search = Search(fields: fields, places: places, tried: NumberSet(count: branches.count), found: found)
        for number in unanchored { search.attempt(number, in: self) }
        for (field, node) in map.enumerated() where node >= 0 {
            var index = fields.head(Int32(field))
            guard index >= 0 else { continue }
            keys[Int(node)].visitPresent { search.attempt($0, in: self) }
            while index >= 0 {
                keys[Int(node)].visit(fields.values[Int(index)].scalar) { search.attempt($0, in: self) }
                index = fields.values[Int(index)].next
            }
        }
        found = search.found
    }

    /// What one message is tried for.
    private struct Search {
        let fields: Fields
        /// For each of our nodes that of the message; -1 if it has none.
        let places: [Int32]
        var tried: NumberSet
        var found: NumberSet

        mutating func attempt(_ number: Int32, in index: BranchIndex) {
            let branch = Int(number)
            let policy = index.policies[branch]
            guard tried.insert(number), !found.contains(policy) else { return }
            let matches = index.branches[branch].matches(fields) { condition in
                let place = places[Int(index.nodes[branch][condition])]
                return place < 0 ? nil : place
            }
            if matches { found.insert(policy) }
        }
    }

    /// For every node of a message's paths, ours; -1 for one that no policy has.
    private func map(of fields: Fields) -> [Int32] {
        var map = [Int32](repeating: -1, count: fields.paths.count)
        map[0] = 0
        for (index, step) in fields.paths.steps.enumerated().dropFirst() where map[Int(step.parent)] >= 0 {
            map[index] = paths.child(of: map[Int(step.parent)], step.name) ?? -1
        }
        return map
    }
}
