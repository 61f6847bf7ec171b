package import Foundation

/// Packs bytes as gzip (RFC 1952) around DEFLATE (RFC 1951) with the fixed codes.
///
/// Foundation has no gzip that iOS 13 and Linux share. The fixed codes are enough: a batch of events repeats its names
/// and most of its values, so that nearly all of the gain lies in the back references.
package enum Gzip {
    /// The bytes, packed. Nothing is written about the file or the time, so that equal bytes pack alike.
    package static func pack(_ bytes: Data) -> Data {
        // Magic, DEFLATE, no flags, no time, no extra flags, system unknown: RFC 1952, section 2.3.
        var packed = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        packed.append(contentsOf: Deflate.pack(Array(bytes)))
        append(CRC32.checksum(of: bytes), to: &packed)
        append(UInt32(truncatingIfNeeded: bytes.count), to: &packed)
        return packed
    }

    private static func append(_ value: UInt32, to bytes: inout Data) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
