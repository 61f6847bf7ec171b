import MartletCore

extension IPAddress {
    /// The IPv4 address that comes as `::ffff:a.b.c.d` where a server listens on both (RFC 4291, section 2.5.5.2).
    var unmapped: IPAddress {
        let isMapped = !isV4 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 0xFF }
        return isMapped ? embeddedV4 ?? self : self
    }

    /// What a client is counted under: the address, or of IPv6 its first 64 bits, all of which one host usually has
    /// (RFC 6177).
    var clientName: String {
        guard !isV4 else { return description }
        let network = IPAddress(bytes: Array(bytes.prefix(8)) + [UInt8](repeating: 0, count: 8))
        return "\(network ?? self)/64"
    }

    /// Reads what a proxy writes of a client: an address, with or without a port (`192.0.2.1:80`, `[2001:db8::1]:80`).
    static func ofHop(_ hop: String) -> IPAddress? {
        if hop.hasPrefix("[") {
            IPAddress(String(hop.dropFirst().prefix { $0 != "]" }))
        } else if hop.count(where: { $0 == ":" }) == 1 {
            IPAddress(String(hop.prefix { $0 != ":" }))
        } else {
            IPAddress(hop)
        }
    }
}
