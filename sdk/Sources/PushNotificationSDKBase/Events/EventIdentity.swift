package import Foundation

/// The ids of events. What can be seen in several places, or twice after a crash, has the same id wherever it is seen.
package enum EventIdentity {
    /// The id of an event that is counted once for a notification on an installation: app and service extension come to
    /// the same one.
    ///
    /// - Returns: a UUID of version 8 (RFC 9562, section 5.8) whose bits are a hash of the parts. It is no secret and
    ///   guards nothing.
    package static func once(_ key: String, installationID: String?) -> UUID {
        let name = [key, installationID ?? ""].joined(separator: "\u{0}")
        return version8(high: hash(name, seed: 0x9E37_79B9_7F4A_7C15), low: hash(name, seed: 0xC2B2_AE3D_27D4_EB4F))
    }

    /// 64 bits of a text: FNV-1a, finished as MurmurHash3 does so that every bit depends on every byte.
    package static func hash(_ text: String, seed: UInt64 = 0) -> UInt64 {
        var hash = 0xCBF2_9CE4_8422_2325 ^ seed
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ (hash >> 33)
    }

    private static func version8(high: UInt64, low: UInt64) -> UUID {
        let high = (high & ~0xF000) | 0x8000
        let low = (low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        let b = [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - $0 * 8)) } }
        return UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            )
        )
    }
}
