import HTTPTypes
public import MartletCore
import MartletWire

/// The proxies that an operator has put before the server, whose word on a client's address counts.
public struct TrustedProxies: Sendable, Hashable {
    private let networks: [IPNetwork]

    /// No proxy: every client is who the connection says.
    public static let none = TrustedProxies(networks: [])

    private init(networks: [IPNetwork]) { self.networks = networks }

    /// Reads addresses and networks, such as `10.0.0.5` and `10.1.0.0/16`.
    ///
    /// - Throws: `Failure` that quotes an entry that is neither.
    public init(_ entries: [String]) throws(Failure) {
        var networks: [IPNetwork] = []
        for entry in entries {
            guard let network = IPNetwork(entry) else {
                throw Failure(
                    .invalidValue,
                    "'\(entry)' is neither an address nor a network.",
                    hint: "Write 10.1.2.3 or 10.1.0.0/16."
                )
            }
            networks.append(network)
        }
        self.init(networks: networks)
    }

    /// Whether the address is one of theirs.
    func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address.unmapped) } }

    /// What the client is counted under: the connection's own address, or where that is a proxy's the last one in
    /// `X-Forwarded-For` that is no proxy's. Only proxies append there, so that what stands further left is the client's
    /// own word.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - forwarded: the values of `X-Forwarded-For`, in the order of the fields.
    public func client(of peer: String?, forwarded: [String]) -> String {
        guard let peer else { return "" }
        guard let address = IPAddress(peer)?.unmapped else { return peer }
        guard contains(address) else { return address.clientName }
        let hops: [String] = forwarded.flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" } }
        for hop in hops.reversed() {
            guard let client = IPAddress.ofHop(hop)?.unmapped else { break }
            if !contains(client) { return client.clientName }
        }
        return address.clientName
    }
}

extension HTTPFields {
    /// The values of `X-Forwarded-For`, in the order of the fields.
    var xForwardedFor: [String] { HTTPField.Name("X-Forwarded-For").map { self[values: $0] } ?? [] }
}
