/// The filter policies of one topic, arranged so that a message is tried against few of them.
///
/// Equal policies are kept once. Of each branch of a policy the key that fewest messages meet leads to it: by the hash
/// of a value, of a beginning or of an end, or by an interval of numbers or addresses. What is found so is then tried in
/// full, so the answer is the same as that of ``FilterPolicy/matches(_:)`` for each. Branches that only a missing key
/// satisfies are tried each time. The memory is that of the policies put in.
public struct FilterIndex<ID: Hashable & Sendable>: Sendable {
    // What is known of each policy stands in arrays of its own, by the policy's number.
    private var policies: [FilterPolicy?] = []
    private var ids: [Set<ID>] = []
    private var branches: [[Int32]] = []
    private var free: [Int32] = []
    private var numbers: [FilterPolicy: Int32] = [:]
    private var owners: [ID: Int32] = [:]
    private var attributes = BranchIndex()
    private var body = BranchIndex()
    /// The policies that let everything pass.
    private var open: Set<Int32> = []

    /// An index without a policy.
    public init() {}

    /// An index of these policies; of an id that is duplicated the last policy counts.
    public init(_ policies: some Sequence<(ID, FilterPolicy)>) {
        for (id, policy) in policies { insert(policy, for: id) }
    }

    /// How many ids there are.
    public var count: Int { owners.count }

    /// Whether any policy looks at the body, so that it must be read.
    public var readsBody: Bool { body.count > 0 }

    /// Puts in the policy of an id, in the place of an earlier one.
    public mutating func insert(_ policy: FilterPolicy, for id: ID) {
        remove(id)
        if let number = numbers[policy] {
            owners[id] = number
            ids[Int(number)].insert(id)
            return
        }
        let number: Int32
        if let reused = free.popLast() {
            number = reused
        } else {
            number = Int32(policies.count)
            policies.append(nil)
            ids.append([])
            branches.append([])
        }
        if policy.matchesEverything {
            open.insert(number)
        } else {
            for branch in policy.branches {
                branches[Int(number)].append(
                    policy.scope == .messageBody
                        ? body.insert(branch, policy: number) : attributes.insert(branch, policy: number)
                )
            }
        }
        policies[Int(number)] = policy
        ids[Int(number)] = [id]
        numbers[policy] = number
        owners[id] = number
    }

    /// Takes an id out; nothing happens if it is not there.
    public mutating func remove(_ id: ID) {
        guard let number = owners.removeValue(forKey: id) else { return }
        let index = Int(number)
        ids[index].remove(id)
        guard ids[index].isEmpty, let policy = policies[index] else { return }
        for branch in branches[index] {
            if policy.scope == .messageBody { body.remove(branch) } else { attributes.remove(branch) }
        }
        open.remove(number)
        numbers[policy] = nil
        policies[index] = nil
        branches[index] = []
        free.append(number)
    }

    /// The ids whose policies let a message pass, each once, in no order.
    public func matches(_ message: FilterMessage) -> [ID] {
        var found = NumberSet(count: policies.count)
        for number in open { found.insert(number) }
        if let fields = message.attributes { attributes.match(fields, into: &found) }
        if let fields = message.body { body.match(fields, into: &found) }
        var matched: [ID] = []
        found.forEach { matched += ids[$0] }
        return matched
    }
}
