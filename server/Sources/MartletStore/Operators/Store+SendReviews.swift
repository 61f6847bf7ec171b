public import MartletCore
public import MartletWire

extension Store {
    /// Keeps a form for ``SendReview/lifetime``; of more than ``SendReview/limit`` of an operator the oldest goes.
    ///
    /// - Returns: its id outside.
    public func createReview(_ form: String, of owner: RowID<Operator>) async throws -> PublicID {
        try await write { transaction in
            let id = transaction.makeID()
            try transaction.prepare(
                "INSERT INTO send_reviews (public_id, operator_id, form, created_at) VALUES (?, ?, ?, ?)"
            )
            .bind(id, owner, form, transaction.now)
            .run()
            try transaction.prepare(SQL.trimReviews).bind(owner, SendReview.limit).run()
            return id
        }
    }

    /// The form of an operator's own review, or `nil`.
    public func review(_ id: PublicID, of owner: RowID<Operator>) async throws -> String? {
        try await read { transaction in
            try transaction.prepare(
                "SELECT form FROM send_reviews WHERE public_id = ? AND operator_id = ? AND created_at > ?"
            )
            .bind(id, owner, transaction.now - SendReview.lifetime)
            .first { $0.text("form") }
        }
    }
}

extension SQL {
    /// What an operator sent by an equal request: key, route, from and to which value, hash, since when.
    static let submittedLike = """
        SELECT notification FROM idempotency
        WHERE key_id = ? AND route = ? AND value >= ? AND value < ? AND body_hash = ? AND created_at > ?
        ORDER BY created_at DESC LIMIT 1
        """
    /// Reviews of an operator but the newest: operator, how many stay.
    static let trimReviews = """
        DELETE FROM send_reviews WHERE id IN (
            SELECT id FROM send_reviews WHERE operator_id = ? ORDER BY id DESC LIMIT 1000 OFFSET ?
        )
        """
    /// Reviews that are old: before, limit.
    static let purgeReviews = """
        DELETE FROM send_reviews WHERE id IN (
            SELECT id FROM send_reviews WHERE created_at <= ? ORDER BY created_at, id LIMIT ?
        )
        """
}
