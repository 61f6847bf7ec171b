import Hummingbird
import MartletCore
import MartletWire

/// What web addresses did not take, for administrators of the whole server: the topics are the server's own.
extension MartletAPI {
    /// The routes about it.
    var webhookRoutes: [Route] {
        [
            Route(
                .get,
                "/api/v1/webhook-dead-letters",
                .admin,
                "Lists messages that subscribed web addresses did not take, newest first.",
                query: QueryParameter.page,
                respond: listWebhookDeadLetters
            )
        ]
    }

    func listWebhookDeadLetters(_ call: Call) async throws -> List<WebhookDeadLetterItem> {
        guard call.caller.key?.app == nil else {
            throw Failure(
                .forbidden,
                "This key is bound to one app, and these messages are of all.",
                hint: "Use an admin key that is not bound to an app."
            )
        }
        return call.list(try await store.webhookDeadLetters(call.page()), WebhookDeadLetterItem.init)
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
            url: WebhookURL(letter.address)?.text ?? "",
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
            .required("message_id", .uuid, "The message's id, as its publisher was told."),
            .required("topic", .string, "The topic's ARN."),
            .required("subscription_id", .uuid, "The subscription."),
            .required("url", .string, "The web address, without user and password."),
            .optional(
                "message",
                .string,
                "What the message says; absent for the question that confirms a subscription."
            ),
            .optional("subject", .string, "The message's subject, where it has one."),
            .required("reason", .string, "The last reason."),
            .required("attempts", .integer(), "How many attempts were made."),
            .required("died_at", .time, "When the last one was."),
        ]
    )
}
