/// The branches that are found through one key, by the anchors of their patterns.
struct KeyIndex: Sendable {
    private var exact: [Int: [Int32]] = [:]
    private var folded: [Int: [Int32]] = [:]
    private var prefixes = Affixes()
    private var suffixes = Affixes()
    private var numbers = IntervalIndex()
    private var v4 = IntervalIndex()
    private var v6 = IntervalIndex()
    private var present: [Int32] = []

    /// Beginnings or ends, by their hashes, and how many there are of each length.
    private struct Affixes: Sendable {
        var owners: [Int: [Int32]] = [:]
        /// Empty before the first.
        var counts: [Int32] = []

        mutating func insert(_ hash: Int, _ count: Int, _ owner: Int32) {
            if counts.isEmpty { counts = [Int32](repeating: 0, count: Anchor.affixLimit + 1) }
            owners[hash, default: []].append(owner)
            counts[count] += 1
        }
    }

    mutating func insert(_ anchor: Anchor, owner: Int32) {
        switch anchor {
        case .exact(let hash): exact[hash, default: []].append(owner)
        case .folded(let hash): folded[hash, default: []].append(owner)
        case .prefix(let hash, let count): prefixes.insert(hash, count, owner)
        case .suffix(let hash, let count): suffixes.insert(hash, count, owner)
        case .numbers(let low, let high): numbers.insert(low, high, owner: owner)
        case .v4(let low, let high): v4.insert(low, high, owner: owner)
        case .v6(let low, let high): v6.insert(low, high, owner: owner)
        case .present: present.append(owner)
        }
    }

    mutating func remove(_ anchor: Anchor, owner: Int32) {
        switch anchor {
        case .exact(let hash): Self.remove(owner, of: hash, from: &exact)
        case .folded(let hash): Self.remove(owner, of: hash, from: &folded)
        case .prefix(let hash, let count):
            Self.remove(owner, of: hash, from: &prefixes.owners)
            prefixes.counts[count] -= 1
        case .suffix(let hash, let count):
            Self.remove(owner, of: hash, from: &suffixes.owners)
            suffixes.counts[count] -= 1
        case .numbers(let low, let high): numbers.remove(low, high, owner: owner)
        case .v4(let low, let high): v4.remove(low, high, owner: owner)
        case .v6(let low, let high): v6.remove(low, high, owner: owner)
        case .present: Self.remove(owner, from: &present)
        }
    }

    private static func remove(_ owner: Int32, of hash: Int, from owners: inout [Int: [Int32]]) {
        guard let index = owners.index(forKey: hash) else { return }
        remove(owner, from: &owners.values[index])
        if owners.values[index].isEmpty { owners.remove(at: index) }
    }

    private static func remove(_ owner: Int32, from owners: inout [Int32]) {
        guard let index = owners.firstIndex(of: owner) else { return }
        owners.swapAt(index, owners.count - 1)
        owners.removeLast()
    }

    /// Calls with the owners that any value leads to.
    func visitPresent(_ body: (Int32) -> Void) { for owner in present { body(owner) } }

    /// Calls with the owners that a value leads to, some of them more than once.
    func visit(_ scalar: Scalar, _ body: (Int32) -> Void) {
        if !exact.isEmpty, let owners = exact[scalar.hashValue] { for owner in owners { body(owner) } }
        switch scalar {
        case .number(let number): numbers.visit(number.clamped, body)
        case .text(let text):
            if !folded.isEmpty, let owners = folded[text.folded.hashValue] { for owner in owners { body(owner) } }
            visit(prefixes, body) { text.bytes.prefix($0) }
            visit(suffixes, body) { text.bytes.suffix($0) }
            if !v4.isEmpty || !v6.isEmpty, case .address(let address) = IPAddress.read(text) {
                (address.isV6 ? v6 : v4).visit(Anchor.key(address), body)
            }
        default: break
        }
    }

    private func visit(_ affixes: Affixes, _ body: (Int32) -> Void, _ part: (Int) -> ArraySlice<UInt8>) {
        guard !affixes.owners.isEmpty else { return }
        for (length, count) in affixes.counts.enumerated() where count > 0 {
            let bytes = part(length)
            guard bytes.count == length else { return }
            if let owners = affixes.owners[Anchor.hash(bytes)] { for owner in owners { body(owner) } }
        }
    }
}
