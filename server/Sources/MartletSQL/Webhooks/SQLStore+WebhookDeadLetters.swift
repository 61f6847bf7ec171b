public import MartletCore
public import MartletWire

extension SQLStore {
    /// Lists dead letters by their keys, the newest first.
    public func webhookDeadLetters(_ page: PageRequest) async throws -> Page<WebhookDeadLetter> {
        try await readLong { transaction in
            let rows = try transaction.prepare(
                """
                SELECT \(WebhookDeadLetter.columns) FROM webhook_dead_letters /*+ webhook_dead_letters_open */
                WHERE retried_at IS NULL AND id < ? ORDER BY id DESC LIMIT ?
                """
            )
            .bind(page.after ?? .max, page.count + 1)
            .all(WebhookDeadLetter.init)
            return Page(rows, page) { $0.row }
        }
    }

    /// Makes a message of its own for the subscription.
    public func retryWebhookDeadLetter(_ id: PublicID) async throws -> DeadLetterRetry<WebhookDeadLetter> {
        try await write { transaction in
            let known = try transaction.prepare(
                """
                SELECT \(WebhookDeadLetter.columns), retried_at, is_unsubscribe_confirmation, sequence
                FROM webhook_dead_letters WHERE public_id = ?
                """
            )
            .bind(id)
            .first { row in
                (
                    letter: try WebhookDeadLetter(row),
                    retriedAt: row.optionalTime("retried_at"),
                    isUnsubscribeConfirmation: row.flag("is_unsubscribe_confirmation"),
                    sequence: row.optionalInt("sequence")
                )
            }
            guard let known else { throw Failure.notFound("dead letter") }
            let letter = known.letter
            guard known.retriedAt == nil else { return DeadLetterRetry(letter: letter, isRepeated: true) }
            let (topic, recipients) =
                known.isUnsubscribeConfirmation
                ? try transaction.endedRecipient(of: letter) : try transaction.recipient(of: letter)
            let message = WebhookMessage(
                id: letter.message,
                topic: topic,
                topicName: letter.topicName,
                recipients: recipients,
                document: letter.document,
                sequenceNumber: known.sequence
            )
            try transaction.enqueueWebhooks(message)
            try transaction.prepare("UPDATE webhook_dead_letters SET retried_at = ? WHERE id = ?")
                .bind(transaction.now, letter.row)
                .run()
            return DeadLetterRetry(letter: letter, isRepeated: false)
        }
    }
}

extension Transaction {
    /// Whom a message goes to once more.
    fileprivate func recipient(
        of letter: WebhookDeadLetter
    ) throws -> (topic: RowID<Topic>, recipients: WebhookMessage.Recipients) {
        guard let known = try subscription(.id(letter.subscription)) else {
            throw Failure(
                .notFound,
                "The subscription of this dead letter has ended.",
                hint: "Subscribe the address again and publish the message once more."
            )
        }
        return (known.topic, .subscription(known.row))
    }

    /// Whom the word of an end goes to once more, while the end can be taken back.
    fileprivate func endedRecipient(
        of letter: WebhookDeadLetter
    ) throws -> (topic: RowID<Topic>, recipients: WebhookMessage.Recipients) {
        if try subscription(.id(letter.subscription)) != nil {
            throw Failure(
                .conflict,
                "The subscription of this dead letter was restored.",
                hint: "The address is subscribed: there is no end to confirm."
            )
        }
        guard let ended = try endedSubscription(letter.subscription), try topic(.row(ended.topic)) != nil else {
            throw Failure(
                .notFound,
                "The subscription of this dead letter can no longer be restored.",
                hint: "Subscribe the address again."
            )
        }
        return (ended.topic, .ended(ended.row))
    }
}

extension WebhookDeadLetter {
    fileprivate static let columns =
        "id, public_id, message, topic, subscription, address, document, attempts, reason, died_at"

    fileprivate init(_ row: Row) throws {
        self.init(
            row: row.int("id"),
            id: try row.publicID("public_id"),
            message: try row.publicID("message"),
            topicName: row.text("topic"),
            subscription: try row.publicID("subscription"),
            address: row.text("address"),
            document: row.text("document"),
            attempts: row.count("attempts"),
            reason: row.text("reason"),
            diedAt: row.time("died_at")
        )
    }
}
