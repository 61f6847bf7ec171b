/// Texts of a request that go on as a header field's value, to APNs or to an HTTP endpoint.
package enum HeaderText {
    /// Visible ASCII and spaces between: no line break can begin another field (RFC 9110, section 5.5).
    package static func isSafe(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && text.utf8.first != 0x20 && text.utf8.last != 0x20
    }
}
