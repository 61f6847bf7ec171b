/// A part of a policy as it is written, checked but not yet spread over branches.
indirect enum Clause {
    /// A key and what is asked of it, by how many levels it nests, 1 at the top.
    case condition(Condition, depth: Int)
    /// An object: all of it.
    case all([Clause])
    /// `$or`: any of its objects.
    case any([[Clause]])
}

extension [Clause] {
    /// The clauses as branches, if they keep the limits of the scope.
    func branches(for scope: FilterScope) throws(FilterPolicyError) -> [Branch] {
        var conditions: [(Condition, depth: Int)] = []
        collect(&conditions)
        if scope == .messageAttributes {
            if conditions.contains(where: { $0.depth > 1 }) { throw .nested }
            if Set(conditions.map(\.0.path)).count > FilterLimits.keys { throw .tooManyKeys }
        } else if keysAtTheTop > FilterLimits.keys {
            throw .tooManyKeys
        }
        if combinations > FilterLimits.combinations { throw .tooComplex }
        try Self.checkWildcards(conditions.map(\.0))
        var branches: [[[Text]: [Pattern]]] = [[:]]
        spread(over: &branches)
        return branches.map { branch in
            let sorted = branch.sorted {
                $0.key.lexicographicallyPrecedes($1.key) { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            }
            return Branch(conditions: sorted.map { Condition(path: $0.key, patterns: $0.value) })
        }
    }

    private func collect(_ conditions: inout [(Condition, depth: Int)]) {
        for clause in self {
            switch clause {
            case .condition(let condition, let depth): conditions.append((condition, depth))
            case .all(let clauses): clauses.collect(&conditions)
            case .any(let objects): for clauses in objects { clauses.collect(&conditions) }
            }
        }
    }

    /// How many keys stand at the top, in the branch that has most of them.
    private var keysAtTheTop: Int {
        reduce(0) {
            if case .any(let objects) = $1 { $0 + (objects.map(\.keysAtTheTop).max() ?? 0) } else { $0 + 1 }
        }
    }

    /// Values times depth, multiplied over keys and added over the objects of `$or`.
    private var combinations: Int {
        reduce(1) {
            let factor =
                switch $1 {
                case .condition(let condition, let depth): condition.patterns.count * depth
                case .all(let clauses): clauses.combinations
                case .any(let objects): objects.reduce(0) { Swift.min($0 + $1.combinations, 1_000_000) }
                }
            return Swift.min($0 * Swift.min(factor, 1_000_000), 1_000_000)
        }
    }

    /// A pattern counts one point with one star and three a star with more; a key as many as its patterns have together,
    /// times the number of its patterns.
    private static func checkWildcards(_ conditions: [Condition]) throws(FilterPolicyError) {
        var total = 0
        for condition in conditions {
            let stars = condition.patterns.compactMap { pattern -> Int? in
                switch pattern {
                case .wildcard(let wildcard), .anythingButWildcard(let wildcard): wildcard.stars
                default: nil
                }
            }
            if stars.contains(where: { $0 > FilterLimits.stars }) { throw .tooComplex }
            total += stars.reduce(0) { $0 + ($1 > 1 ? 3 * $1 : $1) } * stars.count
        }
        if total > FilterLimits.wildcardPoints { throw .tooComplex }
    }

    /// Adds the clauses to each branch, and makes a branch for each object of `$or`. A path that a branch already has
    /// is replaced, as event-ruler does. There are never more branches than combinations.
    private func spread(over branches: inout [[[Text]: [Pattern]]]) {
        for clause in self {
            switch clause {
            case .condition(let condition, _):
                for index in branches.indices { branches[index][condition.path] = condition.patterns }
            case .all(let clauses): clauses.spread(over: &branches)
            case .any(let objects):
                branches = objects.flatMap { clauses in
                    var copy = branches
                    clauses.spread(over: &copy)
                    return copy
                }
            }
        }
    }
}
