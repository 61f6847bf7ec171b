public import Foundation

/// The id of a thing as the outside sees it: a UUID of version 7 (RFC 9562, section 5.7), whose first 48 bits are the
/// millisecond in which it was made, so that ids sort by age.
public struct PublicID: Sendable, Hashable {
    /// The 16 bytes.
    public let uuid: UUID

    /// Takes any UUID as it is.
    public init(_ uuid: UUID) { self.uuid = uuid }

    /// Reads the 36-character form, in either case.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: String(text)) else { return nil }
        self.uuid = uuid
    }

    /// Makes a new id.
    ///
    /// - Parameters:
    ///   - milliseconds: UTC milliseconds since 1970, of which the low 48 bits are used.
    ///   - random: the source of the other 74 bits.
    public init(milliseconds: Int64, using random: inout some RandomNumberGenerator) {
        let time = UInt64(bitPattern: milliseconds)
        let high = (time << 16) | 0x7000 | (random.next() & 0x0FFF)
        let low = 0x8000_0000_0000_0000 | (random.next() >> 2)
        self.init(high: high, low: low)
    }

    /// The two halves of the UUID, most significant bytes first.
    public init(high: UInt64, low: UInt64) {
        var bytes = [UInt8]()
        bytes.reserveCapacity(16)
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: high >> shift)) }
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: low >> shift)) }
        self.init(bytes: bytes)!
    }

    /// Reads 16 bytes; `nil` when there are fewer or more.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        let b = Array(bytes)
        self.uuid = UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            )
        )
    }

    /// The 16 bytes, most significant first.
    public var bytes: [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }
}

extension PublicID: CustomStringConvertible {
    /// The 36-character form in lower case, as RFC 9562 prints it.
    public var description: String { uuid.uuidString.lowercased() }
}

extension PublicID: Comparable {
    /// Older ids are smaller.
    public static func < (a: PublicID, b: PublicID) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}

extension PublicID: Codable {
    /// Decodes the 36-character form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = PublicID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
        }
        self = id
    }

    /// Encodes the 36-character form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
