import MartletCore
import MartletWire

extension Store {
    /// How often a read is tried again for policies that were made meanwhile. Ours: each try takes a fraction of a
    /// millisecond once all others are compiled, and nobody makes policies so fast for long.
    private static let policyTries = 100

    /// Reads with what a topic's policies say of a message, as ``Transaction/matching(_:of:_:)`` finds it. Where
    /// policies are not indexed yet, they are compiled, which may take a second, and the read begins anew: nobody holds
    /// a reader meanwhile.
    ///
    /// - Throws: `Failure` with `overloaded` when policies are made faster than that.
    func readWithPolicies<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        for _ in 0..<Self.policyTries {
            do { return try await read(body) } catch let missing as MissingPolicies { try await bringIn(missing) }
        }
        throw Failure(.overloaded, "Filter policies come faster than they can be read.", hint: "Try again later.")
    }

    /// Reads and compiles what an index lacks.
    func bringIn(_ missing: MissingPolicies) async throws {
        try await policies.update(missing.topic, to: missing.extent) { [self] last, limit in
            try await read { transaction in
                try transaction.prepare(SQL.policies).bind(missing.topic, last, limit).all { row in
                    PolicyIndexCache.Policy(row: row.int("id"), filter: try SubscriptionFilter(row))
                }
            }
        }
    }
}

/// Says that policies of a topic must be brought in before a message can be matched with them.
struct MissingPolicies: Error {
    var topic: RowID<Topic>
    /// The policies that it has.
    var extent: PolicyIndexCache.Extent
}

extension Transaction {
    /// The policies of a topic that a message matches, all as they are in this transaction.
    ///
    /// - Throws: ``MissingPolicies`` where the index lacks some.
    func matching(_ message: TopicMessage, of topic: RowID<Topic>, _ policies: PolicyIndexCache) throws -> Set<Int64> {
        let extent = try policyExtent(of: topic)
        guard let matched = policies.matches(message, of: topic, extent) else {
            throw MissingPolicies(topic: topic, extent: extent)
        }
        return matched
    }

    /// Which policies a topic has.
    func policyExtent(of topic: RowID<Topic>) throws -> PolicyIndexCache.Extent {
        PolicyIndexCache.Extent(count: try policyCount(of: topic), last: try lastPolicy(of: topic))
    }

    /// The policy of a topic that was made last; 0 for none.
    func lastPolicy(of topic: RowID<Topic>) throws -> Int64 {
        try prepare("SELECT coalesce(max(id), 0) AS last FROM filter_policies WHERE topic_id = ?").bind(topic)
            .first { $0.int("last") } ?? 0
    }

    /// Whether a topic has at most so many policies after one.
    func hasFewPolicies(of topic: RowID<Topic>, after last: Int64, limit: Int) throws -> Bool {
        try prepare("SELECT id FROM filter_policies WHERE topic_id = ? AND id > ? ORDER BY id LIMIT ?")
            .bind(topic, last, limit + 1)
            .all { $0.int("id") }
            .count <= limit
    }
}
