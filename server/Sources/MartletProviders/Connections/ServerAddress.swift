import Foundation
import MartletCore
import NIOCore

/// Where a credential's pushes go.
struct ServerAddress: Sendable, Hashable {
    /// A host name or address, without brackets.
    var host: String
    var port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// An address given as `https://host:port`.
    ///
    /// - Throws: `Failure` for another scheme, for a path, or for what is no address.
    init(url: String) throws(Failure) {
        guard let parts = URLComponents(string: url), parts.scheme?.lowercased() == "https",
            let host = parts.host?.trimmingCharacters(in: CharacterSet(charactersIn: "[]")), !host.isEmpty,
            host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            parts.path.isEmpty || parts.path == "/",
            (1...65_535).contains(parts.port ?? 443)
        else {
            throw .invalid(
                "url",
                "The address of a credential is https://host or https://host:port.",
                hint: "Leave it out to send to the provider's own."
            )
        }
        self.host = host
        port = parts.port ?? 443
    }

    /// Whether the host is an address, which has no name in TLS (RFC 6066, section 3).
    var isIPAddress: Bool { (try? SocketAddress(ipAddress: host, port: 0)) != nil }

    /// `:authority`: the host, and the port where it is not the scheme's own.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 443 ? name : "\(name):\(port)"
    }
}

extension PrivateHostPolicy {
    /// The judgement on what an address' host leads to, for each connection there.
    func refusal(for address: ServerAddress) -> @Sendable (SocketAddress) -> String? {
        { [host = address.host] socket in
            guard let address = socket.ipAddress.flatMap(IPAddress.init(socketText:)) else { return "unknown" }
            return refusal(of: address, for: host)
        }
    }
}

extension IPAddress {
    /// An address as a socket shows it, perhaps with the zone of a link-local one (RFC 4007, section 11).
    fileprivate init?(socketText: String) { self.init(String(socketText.prefix { $0 != "%" })) }
}
