package import MartletCore
import MartletWire

extension DeliveryQueue {
    /// An app's queue of APNs in production.
    package static func sample(_ app: Int64) -> DeliveryQueue {
        DeliveryQueue(app: RowID(app), platform: .apns, environment: .production)
    }
}

extension Batch {
    /// A batch of one endpoint that was not attempted yet.
    package static func sample() -> Batch {
        Batch(
            row: RowID(1),
            notification: RowID(1),
            notificationID: PublicID(high: 0, low: 0),
            queue: .sample(1),
            isEnvironmentKnown: true,
            attempts: 0,
            expiresAt: Timestamp(milliseconds: 1),
            isCancelled: false,
            retry: .standard,
            members: [Member(endpoint: RowID(1), user: nil)]
        )
    }
}
