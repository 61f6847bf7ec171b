import Crypto
import Foundation
public import MartletWire

/// Makes the ids under which a provider knows a notification's deliveries (`apns-id`).
public struct DeliveryID: Sendable {
    private let high: UInt64
    private let low: UInt64

    /// The ids of a notification's deliveries.
    public init(notification: PublicID) {
        let digest = withUnsafeBytes(of: notification.uuid.uuid) { SHA256.hash(data: $0) }
        (high, low) = digest.withUnsafeBytes { bytes in
            (
                bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self).bigEndian,
                bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
            )
        }
    }

    /// The id of the delivery to an endpoint: the same at every attempt, in every process, after every crash.
    ///
    /// A UUID of version 8 (RFC 9562, section 5.8). Its 122 bits are those of a SHA-256 over the notification's id, the
    /// lower ones combined with the endpoint's row: within a notification no two are equal, and of two notifications
    /// any two are with a probability of one in 2^122. One hash serves all of
    /// a notification's deliveries.
    /// Whoever knows both ids can compute the row, which opens nothing.
    public func of(_ endpoint: RowID<Endpoint>) -> PublicID {
        PublicID(
            high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
            low: (low ^ UInt64(bitPattern: endpoint.rawValue)) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        )
    }
}
