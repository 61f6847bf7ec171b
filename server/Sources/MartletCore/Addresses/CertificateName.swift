/// Whether a server's certificate is for the name that was asked for (RFC 9525, section 6).
package enum CertificateName {
    /// The certificate is for something else.
    package struct Mismatch: Error {
        package init() {}
    }

    /// Whether a name in a certificate covers a host: the same name, or `*` in place of its first label.
    package static func covers(_ name: String, _ host: HostName) -> Bool {
        let name = name.lowercased()
        let wanted = host.text
        if name == wanted { return true }
        guard name.hasPrefix("*."), name.dropFirst(2).contains("."), let dot = wanted.firstIndex(of: ".") else {
            return false
        }
        return name.dropFirst(1) == wanted[dot...]
    }
}
