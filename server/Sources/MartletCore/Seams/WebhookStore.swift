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
