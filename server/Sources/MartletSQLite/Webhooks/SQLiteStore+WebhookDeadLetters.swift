public import MartletCore
public import MartletWire

extension SQLiteStore {
    /// Lists dead letters by their keys, the newest first.
    public func webhookDeadLetters(_ page: PageRequest) async throws -> Page<WebhookDeadLetter> {
        try await readLong { transaction in
            let rows = try transaction.prepare(
                """
                SELECT \(WebhookDeadLetter.columns) FROM webhook_dead_letters INDEXED BY webhook_dead_letters_open
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
                SELECT \(WebhookDeadLetter.columns), retried_at, is_unsubscribe_confirmation, sequence FROM webhook_dead_letters
                WHERE public_id = ?
                """
            )
            .bind(id)
            .first { row in
                (
                    letter: try WebhookDeadLetter(row), retriedAt: row.optionalTime(10),
                    isUnsubscribeConfirmation: row.flag(11),
                    sequence: row.optionalInt(12)
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

    fileprivate init(_ row: Columns) throws {
        self.init(
            row: row.int(0),
            id: try row.publicID(1),
            message: try row.publicID(2),
            topicName: row.text(3),
            subscription: try row.publicID(4),
            address: row.text(5),
            document: row.text(6),
            attempts: row.count(7),
            reason: row.text(8),
            diedAt: row.time(9)
        )
    }
}
