package import MartletCore

extension Store {
    /// Takes a notification back from a user, in a write of its own.
    package func withdraw(_ user: RowID<User>, from notification: RowID<Notification>) async throws {
        try await write { try $0.withdraw(user, from: notification) }
    }
}

extension Transaction {
    /// Takes a notification back from a user, who has read it: none of their devices is sent to any more.
    func withdraw(_ user: RowID<User>, from notification: RowID<Notification>) throws {
        try prepare(SQL.withdraw).bind(notification, user, Suppression.Reason.readInInbox.code).run()
    }

    /// What is not delivered any more of a batch that is to be leased: to who has read its notification or has a newer
    /// version of it, and to who wants no push now and changed that since the batch was gated.
    func suppressed(_ members: [Member], of batch: Batch, _ due: DueBatch) throws -> [Suppression] {
        let hasChanges = try lastPreferenceChange(of: batch.queue.app) > due.mark
        guard due.hasWithdrawals || hasChanges else { return [] }
        let users = members.compactMap(\.user)
        guard let first = users.min(), let last = users.max() else { return [] }
        var (left, suppressions): ([Member], [Suppression]) = (members, [])
        if due.hasWithdrawals {
            var withdrawn: [RowID<User>: Suppression.Reason] = [:]
            try prepare(SQL.withdrawn).bind(batch.notification, first, last)
                .forEach { withdrawn[$0.row("user_id")] = try $0.code("reason") }
            let withdrawal = Withdrawal(left, withdrawn: withdrawn)
            (left, suppressions) = (withdrawal.members, withdrawal.suppressions)
        }
        guard hasChanges else { return suppressions }
        let changed = try changedChoices(of: users, batch.queue.app, due.category, after: due.mark)
        guard !changed.isEmpty else { return suppressions }
        let late = LateChange(left, category: try due.category.flatMap(category), changed: changed)
        return suppressions + late.suppressions
    }

    /// Takes deliveries that are not made any more out of a batch.
    ///
    /// - Returns: the other members; when there are none, the batch is gone.
    func takeOut(_ suppressions: [Suppression], from members: [Member], of batch: Batch) throws -> [Member] {
        guard !suppressions.isEmpty else { return members }
        let gone = Set(suppressions.compactMap(\.endpoint))
        let left = members.filter { !gone.contains($0.endpoint) }
        var change = CountChange()
        change.withheld = try suppress(suppressions, of: batch)
        change.suppressed = change.withheld
        try count(change, of: batch.notification)
        // With nobody left the batch is deleted.
        try rewrite(left, in: batch.row)
        return left
    }
}
