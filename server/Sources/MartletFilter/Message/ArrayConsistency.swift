/// Whether conditions beneath arrays can be met together: of each array only one element may be used.
struct ArrayConsistency {
    let fields: Fields

    /// Sets of conditions, one bit each, that can be met together.
    private typealias Sets = Set<UInt32>

    /// Whether there is a choice of one element for each condition in which no array is used twice.
    ///
    /// - Parameter choices: For each condition, the elements in which it holds. Their number is small: every one of
    ///   them nests, and the depths multiply to at most ``FilterLimits/combinations``.
    func allows(_ choices: [[Int32]]) -> Bool {
        guard choices.count < 32 else { return false }
        let all = UInt32(1) << UInt32(choices.count) - 1
        var met: [Int32: UInt32] = [:]
        for (bit, elements) in choices.enumerated() {
            for element in elements { met[element, default: 0] |= 1 << UInt32(bit) }
        }
        for element in Array(met.keys) {
            var parent = fields.elements[Int(element)].parent
            while parent >= 0, met[parent] == nil {
                met[parent] = 0
                parent = fields.elements[Int(parent)].parent
            }
        }
        // From the innermost outwards: an element's number is higher than that of the one that it lies in.
        var within: [Int32: [Int32: Sets]] = [:]
        for element in met.keys.sorted(by: >) {
            var sets: Sets = [met[element] ?? 0]
            for elements in (within.removeValue(forKey: element) ?? [:]).values {
                sets = Self.largest(Set(sets.flatMap { one in elements.map { one | $0 } }))
            }
            if sets.contains(all) { return true }
            let place = fields.elements[Int(element)]
            guard place.parent >= 0 else { break }
            var others = within[place.parent]?[place.array] ?? []
            others.formUnion(sets)
            within[place.parent, default: [:]][place.array] = others.count > 16 ? Self.largest(others) : others
        }
        return false
    }

    /// Without the sets that lie within another one.
    private static func largest(_ sets: Sets) -> Sets {
        guard sets.count > 1 else { return sets }
        var kept: [UInt32] = []
        for set in sets.sorted(by: { $0.nonzeroBitCount > $1.nonzeroBitCount })
        where !kept.contains(where: { $0 & set == set }) {
            kept.append(set)
        }
        return Set(kept)
    }
}
