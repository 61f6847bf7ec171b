/// A host name in the one form that is compared and connected to: lower-case ASCII.
///
/// Stricter than RFC 3986 on purpose: what has no second reading cannot be read differently by the next parser.
package struct HostName: Sendable, Hashable {
    /// The name.
    package let text: String

    /// Reads 1 to 253 bytes (RFC 1035, section 2.3.4) of letters, digits, `-`, `_` and `.`; `nil` for anything else,
    /// so internationalised names have to come in their `xn--` form.
    package init?(_ text: some StringProtocol) {
        let name = text.lowercased()
        let allowed = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
        }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard allowed, (1...253).contains(name.utf8.count), labels.allSatisfy({ (1...63).contains($0.utf8.count) })
        else { return nil }
        self.text = name
    }
}
