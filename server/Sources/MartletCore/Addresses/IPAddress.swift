#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An IPv4 or IPv6 address as its bytes, without port and without zone.
public struct IPAddress: Sendable, Hashable {
    /// 4 or 16 bytes in network order.
    package let bytes: [UInt8]

    /// Reads the numeric form (`192.0.2.1`, `2001:db8::1`); `nil` for names, ports, zones and the short forms of
    /// `inet_aton` such as `127.1`.
    public init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        // A C string would end at the zero and the rest would go unread.
        guard !text.utf8.contains(0) else { return nil }
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = withUnsafeBytes(of: &v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            bytes = withUnsafeBytes(of: &v6) { Array($0) }
        } else {
            return nil
        }
    }

    /// Takes 4 or 16 bytes in network order; `nil` for another count.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Whether it has 4 bytes.
    package var isV4: Bool { bytes.count == 4 }

    /// The IPv4 address in the last four bytes of an IPv6 address.
    package var embeddedV4: IPAddress? { isV4 ? nil : IPAddress(bytes: Array(bytes.suffix(4))) }
}

extension IPAddress: CustomStringConvertible {
    /// The numeric form, which ``init(_:)`` reads back.
    public var description: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(isV4 ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(buffer.count)) != nil else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// All addresses with the same first bits (RFC 4632, RFC 4291 section 2.3).
package struct IPNetwork: Sendable, Hashable {
    /// An address of the network.
    let base: IPAddress
    /// How many of its bits are fixed.
    let length: Int

    /// Reads `10.0.0.0/8`, or an address alone as the network of that one address.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
        let bits = base.bytes.count * 8
        var length = bits
        if parts.count == 2 {
            guard let number = UInt8(parts[1]), number <= bits, String(number) == parts[1] else { return nil }
            length = Int(number)
        }
        self.base = base
        self.length = length
    }

    /// Whether an address lies in it; an IPv4 address never lies in an IPv6 network.
    package func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        let whole = length / 8
        guard address.bytes.prefix(whole) == base.bytes.prefix(whole) else { return false }
        guard length % 8 > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> (length % 8))
        return address.bytes[whole] & mask == base.bytes[whole] & mask
    }
}
