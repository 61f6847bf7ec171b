public import MartletCore
import MartletWire

extension SQLStore {
    /// The turn is taken by a conditional write, so that two servers never take the same one.
    public func beginBadgeSync(of owner: InboxOwner) async throws -> Timestamp? {
        // Most apps never ask for it: they cost no write.
        guard try await read({ try $0.hasBadgeSync(owner.app) }) else { return nil }
        return try await write { transaction in
            guard try transaction.hasBadgeSync(owner.app),
                let user = try transaction.user(owner.user, of: owner.app),
                try transaction.prepare(SQL.userEndpoints).bind(owner.app, user, 0, 1).exists()
            else { return nil }
            return try transaction.beginBadgeSync(of: user)
        }
    }
}

extension Transaction {
    fileprivate func hasBadgeSync(_ app: RowID<App>) throws -> Bool {
        try prepare("SELECT 1 FROM apps WHERE id = ? AND has_badge_sync = 1 AND deleted_at IS NULL").bind(app).exists()
    }

    fileprivate func beginBadgeSync(of user: RowID<User>) throws -> Timestamp? {
        let last = try prepare("SELECT badge_sent_at FROM inbox_state WHERE user_id = ?").bind(user)
            .first { $0.time("badge_sent_at") }
        var turn = now
        if let last, last > now - InboxService.badgeInterval {
            // One further ahead than a turn can be is of a clock that was set back since.
            let isToCome = last > now && last <= now + InboxService.badgeInterval
            guard !isToCome else { return nil }
            if last <= now { turn = last + InboxService.badgeInterval }
        }
        let isTaken = try prepare(
            """
            INSERT INTO inbox_state (user_id, badge_sent_at) VALUES (?1, ?2)
            ON CONFLICT (user_id) DO UPDATE SET badge_sent_at = excluded.badge_sent_at
            WHERE inbox_state.badge_sent_at = ?3
            """
        )
        .bind(user, turn, last ?? Timestamp(milliseconds: 0))
        .run()
        return isTaken > 0 ? turn : nil
    }
}
