/// What waits for the web addresses that are subscribed to topics. Published messages come in with
/// ``PublicationStore/publish(_:)``, so that all of a message is accepted or nothing.
public protocol WebhookStore: Sendable {
    /// Accepts a message by itself; says whether there is anybody to get it.
    func enqueue(_ message: WebhookMessage) async throws -> Bool

    /// Reads a part of the recipients of one message into deliveries: the first message after `row` whose recipients
    /// are not read to their end, so that messages to many take turns with the others.
    ///
    /// - Parameter limit: how many subscriptions to look at.
    /// - Returns: that message's row; `nil` when there is none after `row`.
    func fanOutWebhooks(after row: RowID<WebhookMessage>?, limit: Int) async throws -> RowID<WebhookMessage>?

    /// Takes due deliveries, queue by queue; what nobody is subscribed for any more is dropped on the way.
    func leaseWebhooks(_ room: WebhookRoom, lease: Lease) async throws -> LeasedWebhooks

    /// Records what became of an attempt. Of a delivery that somebody else has by now only that it was delivered.
    func settle(_ delivery: WebhookDelivery, _ outcome: WebhookOutcome, lease: Lease) async throws

    /// Counts what waits.
    func webhookBacklog() async throws -> WebhookBacklog

    /// What was given up, newest first.
    func webhookDeadLetters(_ page: PageRequest) async throws -> Page<WebhookDeadLetter>
}
