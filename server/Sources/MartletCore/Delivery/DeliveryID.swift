import Crypto
import Foundation
public import MartletWire

/// Makes the id under which a provider knows a delivery (`apns-id`).
public enum DeliveryID {
    /// The id of a notification's delivery to an endpoint: the same at every attempt, in every process, after every
    /// crash. A UUID of version 8 (RFC 9562, section 5.8): SHA-256 over the notification's id and the endpoint's row.
    public static func make(notification: PublicID, endpoint: RowID<Endpoint>) -> PublicID {
        var hash = SHA256()
        withUnsafeBytes(of: notification.uuid.uuid) { hash.update(bufferPointer: $0) }
        withUnsafeBytes(of: endpoint.rawValue.bigEndian) { hash.update(bufferPointer: $0) }
        let digest = hash.finalize()
        return digest.withUnsafeBytes { bytes in
            let high = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self).bigEndian
            let low = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
            return PublicID(
                high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
                low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
            )
        }
    }
}
