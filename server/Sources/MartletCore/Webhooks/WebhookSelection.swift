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
