import MartletCore
import MartletWire

/// How a webhook URL learns that it gets no more of a topic's messages.
extension SNSService {
    /// Ends a subscription. A confirmed webhook URL is told so, whoever ended it, with a link that takes it back
    /// (Amazon SNS, HTTP/HTTPS unsubscribe confirmation).
    func end(_ subscription: Subscription, of topic: Topic, _ call: SNSCall) async throws {
        guard case .webhook = subscription.subject, subscription.isConfirmed else {
            _ = try await store.unsubscribe(subscription.row)
            return
        }
        let now = clock.now()
        let token = try ConfirmationToken(of: subscription.id, at: now).text(vault)
        var random = SystemRandomNumberGenerator()
        let id = PublicID(milliseconds: now.rawValue, using: &random)
        let arn = TopicARN(region: topic.region, account: call.account, name: topic.name)
        let name = SubscriptionARN(topic: arn, id: subscription.id.description)
        var document = WebhookDocument(
            topic: topic,
            arn: arn,
            message: Envelope.unsubscribeMessage(for: name),
            subject: nil,
            attributes: [],
            publishedAt: now
        )
        document.confirmation = try WebhookDocument.Confirmation(token: token, of: id, vault)
        document.confirmation?.isUnsubscribeConfirmation = true
        let confirmation = WebhookMessage(
            id: id,
            topic: topic.row,
            topicName: arn.description,
            recipients: .ended(subscription.row),
            document: try document.encoded()
        )
        let isEnded = try await store.endWebhook(
            subscription.row,
            token: SecretHash(of: token),
            unsubscribeConfirmation: confirmation
        )
        if isEnded { wakeUps.notify(.webhooks) }
    }

    /// The subscription that a token confirms: one that waits for that and whose token is not too old, or one that has it;
    /// or one that ended, whose end the token takes back.
    func subscription(confirmedBy text: String, in region: String) async throws -> Subscription? {
        guard let token = ConfirmationToken(text, vault) else { return nil }
        let isFresh = clock.now() < token.madeAt + Self.confirmationLifetime
        if let known = try await store.subscription(.id(token.subscription)) {
            return known.isConfirmed || isFresh ? known : nil
        }
        guard isFresh else { return nil }
        return try await store.restoreWebhook(SecretHash(of: text), region: region)
    }
}
