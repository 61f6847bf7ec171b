import MartletCore

/// Where an identity provider publishes its key set: an `https` URL taken apart so strictly that no other parser can
/// find another host in it.
struct KeySetURL: Sendable, Hashable {
    /// Who is asked.
    enum Host: Sendable, Hashable {
        /// A name that is resolved for every fetch.
        case name(HostName)
        /// An address that stands in the URL.
        case address(IPAddress)
    }

    /// Who is asked.
    let host: Host
    /// The whole URL with the host in its one form.
    let text: String

    /// Reads a URL of at most 2,048 bytes (what common servers accept at least).
    ///
    /// - Throws: `Failure` with ``ErrorCode/invalidValue`` that names `field`.
    init(_ url: String, field: String) throws(Failure) {
        func refuse(_ message: String) -> Failure {
            .invalid(field, message, hint: "Write it like https://login.example.com/.well-known/jwks.json")
        }
        guard url.utf8.count <= 2048 else { throw refuse("The key set's URL has more than 2,048 bytes.") }
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else {
            throw refuse("The key set's URL has characters that a URL cannot have.")
        }
        guard url.prefix(8).lowercased() == "https://" else { throw refuse("The key set's URL is not https.") }
        let rest = url.dropFirst(8)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = rest[authority.endIndex...]
        guard !authority.contains("@") else { throw refuse("The key set's URL has a user name in it.") }
        guard !path.contains("#") else { throw refuse("The key set's URL has a fragment.") }
        guard let (host, port) = KeySetURL.split(authority) else {
            throw refuse("The key set's URL has no valid host.")
        }
        self.host = host
        text = "https://\(host.text)\(port.map { ":\($0)" } ?? "")\(path.first == "/" ? "" : "/")\(path)"
    }

    /// The host and the port of an authority without a user; `nil` for what has no one reading.
    static func split(_ authority: Substring) -> (Host, UInt16?)? {
        let literal = authority.first == "["
        let end = literal ? authority.firstIndex(of: "]") : authority.firstIndex(of: ":") ?? authority.endIndex
        guard let end else { return nil }
        let after = literal ? authority[authority.index(after: end)...] : authority[end...]
        var port: UInt16?
        if !after.isEmpty {
            guard after.first == ":", let number = UInt16(after.dropFirst()), number > 0,
                String(number) == after.dropFirst()
            else { return nil }
            port = number
        }
        if literal {
            guard let address = IPAddress(String(authority[..<end].dropFirst())), !address.isV4 else { return nil }
            return (.address(address), port)
        }
        if let address = IPAddress(String(authority[..<end])) { return (.address(address), port) }
        return HostName(authority[..<end]).map { (.name($0), port) }
    }
}

extension KeySetURL.Host {
    /// As it stands in a URL.
    var text: String {
        switch self {
        case .name(let name): name.text
        case .address(let address): address.isV4 ? "\(address)" : "[\(address)]"
        }
    }
}
