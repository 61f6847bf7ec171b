import MartletCore
import MartletWire

extension Transaction {
    /// The row of a policy, made where the topic has none of this text; counts one more use of it.
    ///
    /// - Throws: `Failure` with ``ErrorCode/conflict`` when the topic has as many as it may.
    func intern(_ filter: SubscriptionFilter, of topic: RowID<Topic>, limit: Int) throws -> Int64 {
        let hash = SecretHash(of: filter.text)
        let used = try prepare(
            """
            INSERT INTO filter_policies (topic_id, scope, hash, text, uses) VALUES (?, ?, ?, ?, 1)
            ON CONFLICT (topic_id, hash, scope) DO UPDATE SET uses = filter_policies.uses + 1
            RETURNING id, uses
            """
        )
        .bind(topic, filter.scope.code, hash, filter.text)
        .one { (row: $0.int("id"), uses: $0.count("uses")) }
        guard used.uses == 1 else { return used.row }
        // The count is also what two who make a policy at a time meet at: the one who is second begins anew, and its key
        // is the greater one.
        let isCounted = try prepare(
            "UPDATE topics SET policy_count = policy_count + 1 WHERE id = ? AND policy_count < ?"
        )
        .bind(topic, limit)
        .changes()
        guard isCounted > 0 else {
            throw Failure(
                .conflict,
                "The topic has \(limit) different filter policies, the maximum.",
                hint: "Let subscriptions share a policy, or use another topic.",
                field: "filter_policy"
            )
        }
        return used.row
    }

    /// Gives a subscription another policy, or none.
    func setFilter(_ filter: SubscriptionFilter?, of known: Subscription, limit: Int) throws {
        guard filter != known.filter else { return }
        let old =
            try prepare("SELECT policy_id FROM subscriptions WHERE id = ?").bind(known.row)
            .first { $0.optionalInt("policy_id") } ?? nil
        // The old one first: a topic that is full takes a change of its last subscription's policy.
        if let old { try release(old, of: known.topic) }
        let new = try filter.map { try intern($0, of: known.topic, limit: limit) }
        try prepare("UPDATE subscriptions SET policy_id = ? WHERE id = ?").bind(new, known.row).run()
    }

    /// How many different policies a topic has.
    func policyCount(of topic: RowID<Topic>) throws -> Int {
        try prepare("SELECT policy_count FROM topics WHERE id = ?").bind(topic)
            .first { $0.count("policy_count") } ?? 0
    }

    /// Counts one use less; with the last one the policy goes.
    private func release(_ policy: Int64, of topic: RowID<Topic>) throws {
        guard try prepare("DELETE FROM filter_policies WHERE id = ? AND uses = 1").bind(policy).changes() > 0 else {
            try prepare("UPDATE filter_policies SET uses = uses - 1 WHERE id = ?").bind(policy).run()
            return
        }
        try prepare("UPDATE topics SET policy_count = policy_count - 1 WHERE id = ?").bind(topic).run()
    }
}
