/// Where an identity provider publishes its key set: an `https` URL taken apart so strictly that no other parser can
/// find another host in it.
package struct KeySetURL: Sendable, Hashable {
    /// Who is asked.
    package let host: URLHost
    /// The whole URL with the host in its one form.
    package let text: String

    /// Reads a URL of at most 2,048 bytes (what common servers accept at least).
    ///
    /// - Throws: `Failure` with ``ErrorCode/invalidValue`` that names `field`.
    package init(_ url: String, field: String) throws(Failure) {
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
        guard let (host, port) = URLHost.split(authority) else {
            throw refuse("The key set's URL has no valid host.")
        }
        self.host = host
        text = "https://\(host.text)\(port.map { ":\($0)" } ?? "")\(path.first == "/" ? "" : "/")\(path)"
    }
}
