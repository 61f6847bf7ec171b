import Hummingbird
import MartletCore
import MartletWire

/// What webhook URLs did not take, for administrators of the whole server: the topics are the server's own.
extension MartletAPI {
    /// The routes about it.
    var webhookRoutes: [Route] {
        [
            Route(
                .get,
                "/api/v1/webhook-dead-letters",
                .admin,
                "Lists messages that subscribed webhook URLs did not accept, newest first.",
                query: QueryParameter.page,
                respond: listWebhookDeadLetters
            ),
            Route(
                .post,
                "/api/v1/webhook-dead-letters/{id}/retry",
                .admin,
                "Sends a message to a webhook URL again, once, and removes it from the list.",
                statuses: [.accepted],
                isIdempotent: true,
                respond: retryWebhookDeadLetter
            ),
        ]
    }

    func listWebhookDeadLetters(_ call: Call) async throws -> List<WebhookDeadLetterItem> {
        try checkIsOfAll(call)
        return call.list(try await store.webhookDeadLetters(call.page()), WebhookDeadLetterItem.init)
    }

    /// Repeated, with or without an `Idempotency-Key`, it answers the same and sends nothing: the dead letter's id says
    /// that it is the same request.
    func retryWebhookDeadLetter(_ call: Call) async throws -> Reply<WebhookDeadLetterItem> {
        try checkIsOfAll(call)
        _ = try idempotency(call)
        let retry = try await store.retryWebhookDeadLetter(call.id("id", of: "dead letter"))
        if !retry.isRepeated { wakeUps.notify(.webhooks) }
        var reply = Reply(WebhookDeadLetterItem(retry.letter))
        if retry.isRepeated { reply.markAsReplayed() }
        return reply
    }

    private func checkIsOfAll(_ call: Call) throws {
        guard call.caller.key?.app != nil else { return }
        throw Failure(
            .forbidden,
            "This key is bound to one app, and these messages belong to all.",
            hint: "Use an admin key that is not bound to an app."
        )
    }
}

extension WebhookDeadLetterItem {
    init(_ letter: WebhookDeadLetter) {
        let document = try? WebhookDocument(stored: letter.document)
        let published = document.flatMap { $0.confirmation == nil ? $0 : nil }
        self.init(
            id: letter.id,
            messageID: letter.message,
            topic: letter.topicName,
            subscriptionID: letter.subscription,
            url: WebhookURL(WebhookAddress.shown(letter.address))?.text ?? "",
            message: published?.message,
            subject: published?.subject,
            reason: letter.reason,
            attempts: letter.attempts,
            diedAt: UTCTime(letter.diedAt)
        )
    }
}

extension WebhookDeadLetterItem: Documented {
    static let schema = DocumentSchema(
        "WebhookDeadLetter",
        [
            .required("id", .uuid, "The id."),
            .required("message_id", .uuid, "The message's id, as its publisher received it."),
            .required("topic", .string, "The topic's ARN."),
            .required("subscription_id", .uuid, "The subscription."),
            .required("url", .string, "The webhook URL, without user and password."),
            .optional(
                "message",
                .string,
                "The message's text; absent for a subscription confirmation."
            ),
            .optional("subject", .string, "The message's subject, where it has one."),
            .required("reason", .string, "The last reason."),
            .required("attempts", .integer(), "How many attempts were made."),
            .required("died_at", .time, "When the last one was."),
        ]
    )
}
