/// An IPv4 or IPv6 address, without a name and without a zone.
struct IPAddress: Hashable, Sendable {
    var isV6: Bool
    var high: UInt64
    var low: UInt64

    /// What a text is.
    enum Reading: Equatable {
        /// Nothing that looks like an address.
        case other
        /// Only looks like one, such as 10.0.0.256.
        case broken
        case address(IPAddress)
    }

    /// Reads four decimal numbers with points, or hexadecimal groups with colons; an IPv4 address within IPv6 is IPv4.
    static func read(_ text: Text) -> Reading {
        // The longest of either form has 39 characters; longer texts are not looked through.
        guard (2...64).contains(text.bytes.count) else { return .other }
        var points = 0
        var colons = 0
        var isDecimal = true
        for byte in text.bytes {
            switch byte {
            case 0x30...0x39: break
            case UInt8(ascii: "."): points += 1
            case UInt8(ascii: ":"): colons += 1
            case 0x41...0x46, 0x61...0x66: isDecimal = false
            default: return .other
            }
        }
        if colons > 0 { return points == 0 ? v6(text.bytes) : .other }
        guard points == 3, isDecimal else { return .other }
        let parts = text.bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty }) else { return .other }
        var value: UInt64 = 0
        for part in parts {
            let number = part.reduce(0) { min($0 * 10 + UInt64($1 - 0x30), 256) }
            guard number < 256 else { return .broken }
            value = value << 8 | number
        }
        return .address(IPAddress(isV6: false, high: 0, low: value))
    }

    private static func v6(_ bytes: [UInt8]) -> Reading {
        var groups: [UInt64] = []
        var gap: Int?
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: ":") {
                guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: ":") else { return .broken }
                guard gap == nil else { return .broken }
                gap = groups.count
                index += 2
                continue
            }
            let digits = bytes[index...].prefix { $0 != UInt8(ascii: ":") }
            guard digits.count <= 4, groups.count < 8 else { return .broken }
            groups.append(digits.reduce(0) { $0 << 4 | UInt64(Character(UnicodeScalar($1)).hexDigitValue ?? 0) })
            index += digits.count
            // One colon between two groups; two are the gap.
            if index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: ":") { index += 1 }
        }
        if let gap {
            guard groups.count < 8 else { return .broken }
            groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
        }
        guard groups.count == 8 else { return .broken }
        let high = groups[..<4].reduce(0) { $0 << 16 | $1 }
        let low = groups[4...].reduce(0) { $0 << 16 | $1 }
        if high == 0, low >> 32 == 0xFFFF {
            return .address(IPAddress(isV6: false, high: 0, low: low & 0xFFFF_FFFF))
        }
        return .address(IPAddress(isV6: true, high: high, low: low))
    }
}

/// Addresses of one family from one to another.
struct AddressRange: Hashable, Sendable {
    var first: IPAddress
    var last: IPAddress

    func contains(_ address: IPAddress) -> Bool {
        guard address.isV6 == first.isV6 else { return false }
        return (first.high, first.low) <= (address.high, address.low)
            && (address.high, address.low) <= (last.high, last.low)
    }

    /// The one address.
    init(_ address: IPAddress) {
        first = address
        last = address
    }

    /// The network of an address, by how many of its first bits are the network's.
    init(_ address: IPAddress, bits: Int) {
        let free = (address.isV6 ? 128 : 32) - bits
        // Shifts by the whole width and more give zero.
        let low = free >= 64 ? UInt64.max : (UInt64(1) << UInt64(free)) - 1
        let high = free > 64 ? (free >= 128 ? .max : (UInt64(1) << UInt64(free - 64)) - 1) : 0
        first = IPAddress(isV6: address.isV6, high: address.high & ~high, low: address.low & ~low)
        last = IPAddress(isV6: address.isV6, high: address.high | high, low: address.low | low)
    }
}
