public import MartletWire

/// Work that is tried no more until somebody asks for it: a batch, or a notification's fan-out.
public struct QuarantinedWork: Sendable, Hashable {
    /// The key inside the store.
    public var row: Int64
    /// The id outside.
    public var id: PublicID
    /// Whose it is.
    public var app: RowID<App>
    /// The notification.
    public var notification: PublicID
    /// Where the batch is sent; none for a fan-out.
    public var queue: DeliveryQueue?
    /// The batch's deliveries, which wait; 0 for a fan-out, whose audience is not read.
    public var deliveries: Int
    /// Why.
    public var reason: QuarantineReason
    /// How many leases of it ended without a settlement.
    public var tries: Int
    /// Since when.
    public var since: Timestamp

    package init(
        row: Int64,
        id: PublicID,
        app: RowID<App>,
        notification: PublicID,
        queue: DeliveryQueue?,
        deliveries: Int,
        reason: QuarantineReason,
        tries: Int,
        since: Timestamp
    ) {
        self.row = row
        self.id = id
        self.app = app
        self.notification = notification
        self.queue = queue
        self.deliveries = deliveries
        self.reason = reason
        self.tries = tries
        self.since = since
    }
}
