public import MartletWire

/// What waits for the webhook URLs that are subscribed to topics. Published messages come in with
/// ``PublicationStore/publish(_:)``, so that all of a message is accepted or nothing.
public protocol WebhookStore: Sendable {
    /// Accepts a message by itself; says whether there is anybody to get it.
    func enqueue(_ message: WebhookMessage) async throws -> Bool

    /// Reads a part of the recipients of one message into deliveries: the first message after `row` whose recipients
    /// are not read to their end, so that messages to many take turns with the others.
    ///
    /// - Parameter limit: how many subscriptions to look at.
    /// - Returns: that message's row; `nil` when there is none after `row`.
    /// - Throws: ``WebhookFanOutFailure`` when it is that message that makes trouble: those after it may be read.
    func fanOutWebhooks(after row: RowID<WebhookMessage>?, limit: Int) async throws -> RowID<WebhookMessage>?

    /// Takes due deliveries, queue by queue in turn, as ``LeaseAdmission`` says and for which there are permits; hosts that
    /// rest are left alone, and those that do not answer get one call at a time. What nobody is subscribed for any more is
    /// dropped on the way; what is older than ``WebhookDelivery/longestLife``, or would be quarantined, becomes a dead letter.
    ///
    /// - Parameter permits: by ``WebhookDelivery/permitHolder``.
    func leaseWebhooks(_ permits: Permits<String>, lease: Lease) async throws -> LeasedWebhooks

    /// Records the result of an attempt, and what it tells of the host. Of a delivery that somebody else has by now
    /// only that it was delivered.
    func settle(
        _ delivery: WebhookDelivery,
        _ outcome: WebhookOutcome,
        _ sign: WebhookHost.Sign,
        lease: Lease
    ) async throws

    /// Counts what waits.
    func webhookBacklog() async throws -> WebhookBacklog

    /// What was given up and not sent again, newest first.
    func webhookDeadLetters(_ page: PageRequest) async throws -> Page<WebhookDeadLetter>

    /// Sends a dead letter again, with all attempts before it, to the subscription as it is now; once. Its place in the
    /// order of its group is gone.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when there is none of that id, or its subscription has ended; of one
    ///   that tells of an end, when that cannot be taken back any more, and with ``ErrorCode/conflict`` when it was.
    func retryWebhookDeadLetter(_ id: PublicID) async throws -> DeadLetterRetry<WebhookDeadLetter>
}

/// The end of subscriptions of webhook URLs, which can be taken back for a while.
public protocol EndedSubscriptionStore: Sendable {
    /// Ends a webhook URL's subscription and accepts a last message to it.
    ///
    /// - Parameters:
    ///   - token: the hash of the token that takes it back.
    ///   - unsubscribeConfirmation: the message, for ``WebhookMessage/Recipients/ended(_:)``.
    /// - Returns: whether there was such a subscription.
    func endWebhook(_ row: RowID<Subscription>, token: SecretHash, unsubscribeConfirmation: WebhookMessage) async throws
        -> Bool

    /// Takes the end of a subscription back: it is the same again, under the same id, or the one that the address has by
    /// now, confirmed.
    ///
    /// - Returns: it; `nil` for a token that is not known or belongs to another region, and where the topic is gone.
    /// - Throws: `Failure` as ``SubscriptionStore/subscribe(_:)`` does for a policy.
    func restoreWebhook(_ token: SecretHash, region: String) async throws -> Subscription?
}

/// The recipients of one message cannot be read; those of others may.
public struct WebhookFanOutFailure: Error {
    /// The message.
    public var row: RowID<WebhookMessage>
    /// Why.
    public var cause: any Error

    package init(row: RowID<WebhookMessage>, cause: any Error) {
        self.row = row
        self.cause = cause
    }
}

extension WebhookStore {
    /// Records the result of an attempt that tells nothing of the host.
    public func settle(_ delivery: WebhookDelivery, _ outcome: WebhookOutcome, lease: Lease) async throws {
        try await settle(delivery, outcome, .none, lease: lease)
    }
}
