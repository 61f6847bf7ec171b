package import MartletCore

extension SQLStore {
    /// Takes a notification back from a user, in a write of its own.
    package func withdraw(_ user: RowID<User>, from notification: RowID<Notification>) async throws {
        try await write { try $0.withdraw(user, from: notification) }
    }
}

extension Transaction {
    /// Takes a notification back from a user, who has read it: none of their devices is sent to any more.
    func withdraw(_ user: RowID<User>, from notification: RowID<Notification>) throws {
        try prepare(SQL.withdraw).bind(notification, user).run()
    }

    /// Takes those of a batch's members out of it from whose users its notification was withdrawn.
    ///
    /// - Returns: the others; `nil` when there are none, and then the batch is gone.
    func withdraw(from members: [Member], of batch: Batch) throws -> [Member]? {
        let users = members.compactMap(\.user)
        guard let first = users.min(), let last = users.max() else { return members }
        let withdrawn = try prepare(SQL.withdrawn).bind(batch.notification, first, last)
            .all { $0.row("user_id") as RowID<User> }
        let withdrawal = Withdrawal(members, withdrawn: Set(withdrawn))
        guard !withdrawal.suppressions.isEmpty else { return members }
        var change = CountChange()
        change.withheld = try suppress(withdrawal.suppressions, of: batch.notification)
        change.suppressed = change.withheld
        try count(change, of: batch.notification)
        // With nobody left the batch is deleted.
        try rewrite(withdrawal.members, in: batch.row)
        guard withdrawal.members.isEmpty else { return withdrawal.members }
        try finishIfOver(batch.notification)
        return nil
    }
}
