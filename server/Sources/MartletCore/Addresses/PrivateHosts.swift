import MartletWire

/// Which hosts the server may connect to on the word of somebody who is not its operator: public ones, and those that the
/// operator allows. The one rule for webhook URLs that are subscribed, key sets, and providers' addresses.
///
/// The operator speaks through settings and admin keys that are bound to no app; keys of one app, senders, users and phones
/// are others. A pure function on names and addresses. Whoever uses it has to resolve the name itself, ask about every address, and
/// connect to an address it asked about: a name that is resolved again may by then lead elsewhere.
public struct PrivateHostPolicy: Sendable, Hashable {
    private let hosts: Set<String>
    private let networks: [IPNetwork]

    /// Public addresses only.
    public static let publicOnly = PrivateHostPolicy(hosts: [], networks: [])

    private init(hosts: Set<String>, networks: [IPNetwork]) {
        self.hosts = hosts
        self.networks = networks
    }

    /// Public addresses, and what the operator allows besides.
    ///
    /// - Parameter entries: host names (`keys.internal`), addresses and networks (`10.1.0.0/16`, `fd00::/8`).
    /// - Throws: `Failure` that quotes an entry that is none of these.
    public init(allowing entries: [String]) throws(Failure) {
        var hosts: Set<String> = []
        var networks: [IPNetwork] = []
        for entry in entries {
            if let network = IPNetwork(entry) {
                networks.append(network)
            } else if let host = HostName(entry) {
                hosts.insert(host.text)
            } else {
                throw Failure(
                    .invalidValue,
                    "'\(entry)' is neither a host name nor an address nor a network.",
                    hint: "Write keys.internal, 10.1.2.3 or 10.1.0.0/16."
                )
            }
        }
        self.init(hosts: hosts, networks: networks)
    }

    /// Why an address may not be connected to, as a word; `nil` when it may.
    ///
    /// - Parameters:
    ///   - address: where the connection would go.
    ///   - host: the name or address in the URL.
    public func refusal(of address: IPAddress, for host: String) -> String? {
        if let name = HostName(host), hosts.contains(name.text) { return nil }
        if networks.contains(where: { $0.contains(address) }) { return nil }
        if let hidden = address.translatedV4 { return refusal(of: hidden, for: host) }
        return address.specialPurpose
    }
}

extension IPAddress {
    /// The IPv4 address that a DNS64 resolver has put behind the well-known prefix (RFC 6052, section 2.1): the
    /// gateway connects to that one.
    fileprivate var translatedV4: IPAddress? {
        IPAddress.translated.contains(self) ? embeddedV4 : nil
    }

    /// What an address is for when it does not belong to a host of the public internet.
    package var specialPurpose: String? {
        if let (_, purpose) = IPAddress.specialPurposes.first(where: { $0.0.contains(self) }) { return purpose }
        // Only 2000::/3 is given out as global unicast (RFC 4291, section 2.4; IANA IPv6 address space).
        return isV4 || IPAddress.globalUnicast.contains(self) ? nil : "reserved"
    }

    private static let translated = network("64:ff9b::/96")
    private static let globalUnicast = network("2000::/3")

    private static func network(_ text: String) -> IPNetwork {
        guard let network = IPNetwork(text) else { preconditionFailure("\(text) is not a network") }  // constants below
        return network
    }

    /// IANA's special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates), first match counts.
    private static let specialPurposes: [(IPNetwork, String)] = [
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "reserved"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("::ffff:0:0/96", "IPv4-mapped"),
        ("fc00::/7", "unique-local"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "private"),
        ("ff00::/8", "multicast"),
        ("2001:db8::/32", "documentation"),
        ("3fff::/20", "documentation"),
        // Teredo and the other protocol assignments, and 6to4: each can carry a private IPv4 address inside.
        ("2001::/23", "reserved"),
        ("2002::/16", "reserved"),
    ].map { (network($0.0), $0.1) }
}
