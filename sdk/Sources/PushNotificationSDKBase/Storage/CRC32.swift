package import Foundation

/// The checksum of gzip (RFC 1952, section 8): it finds torn and changed bytes, and proves nothing to an enemy.
package enum CRC32 {
    /// The checksum of some bytes.
    package static func checksum(of bytes: Data) -> UInt32 {
        bytes.withUnsafeBytes { checksum(of: $0) }
    }

    /// The checksum of some bytes.
    package static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBytes { checksum(of: $0) }
    }

    private static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            var crc = ~UInt32(0)
            for byte in bytes { crc = table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8) }
            return ~crc
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
    }
}
