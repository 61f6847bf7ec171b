import Hummingbird
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// What webhook URLs did not take, for administrators of the whole server: the topics are the server's own.
extension MartletAPI {
    func listWebhookDeadLetters(_ call: Call) async throws -> List<WebhookDeadLetterItem> {
        try WebhookDeadLetter.checkAreOf(call.caller.key?.app)
        return call.list(try await store.failedWork(WebhookDeadLetter.self, call.page()), WebhookDeadLetterItem.init)
    }

    /// Repeated, with or without an `Idempotency-Key`, it answers the same and sends nothing: the dead letter's id says
    /// that it is the same request.
    func retryWebhookDeadLetter(_ call: Call) async throws -> Reply<WebhookDeadLetterItem> {
        let id = try call.id("id", of: "dead letter")
        let retried = try await retries.retry(WebhookDeadLetter.self, id, of: call.caller.key?.app)
        var answer = WebhookDeadLetterItem(retried.work)
        if !retried.isRepeated {
            (answer.message, answer.subject) = (nil, nil)
            await record(
                "webhook_dead_letter.retry",
                of: AuditSubject("webhook_dead_letter", id.description),
                by: call.caller,
                before: .shown(answer)
            )
        }
        return Reply(WebhookDeadLetterItem(retried.work), isReplayed: retried.isRepeated)
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
    static let schema = document("WebhookDeadLetter") { field in
        switch field {
        case .id: (.uuid, "The id.")
        case .messageID: (.uuid, "The message's id, as its publisher received it.")
        case .topic: (.string, "The topic's ARN.")
        case .subscriptionID: (.uuid, "The subscription.")
        case .url: (.string, "The webhook URL, without user and password.")
        case .message: (.string, "The message's text; absent for a subscription confirmation.")
        case .subject: (.string, "The message's subject, where it has one.")
        case .reason: (.string, "The last reason.")
        case .attempts: (.integer(), "How many attempts were made.")
        case .diedAt: (.time, "When the last one was.")
        }
    }
}
