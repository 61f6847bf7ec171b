import MartletCore
import MartletWire

extension Transaction {
    /// Makes a message of its own for the subscription of a dead letter.
    func enqueue(_ letter: WebhookDeadLetter) throws {
        let (isUnsubscribeConfirmation, sequence) = try prepare(
            "SELECT is_unsubscribe_confirmation, sequence FROM dead_letters WHERE id = ?"
        )
        .bind(letter.row)
        .one { ($0.flag("is_unsubscribe_confirmation"), $0.optionalInt("sequence")) }
        let (topic, recipients) =
            isUnsubscribeConfirmation ? try endedRecipient(of: letter) : try recipient(of: letter)
        try enqueueWebhooks(
            WebhookMessage(
                id: letter.message,
                topic: topic,
                topicName: letter.topicName,
                recipients: recipients,
                document: letter.document,
                sequenceNumber: sequence
            )
        )
    }

    /// Whom a message goes to once more.
    private func recipient(
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
    private func endedRecipient(
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
