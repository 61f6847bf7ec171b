/// Texts of a request that go on as a header field's value, to APNs or to an HTTP endpoint.
enum HeaderText {
    /// Visible ASCII and spaces between: no line break can begin another field (RFC 9110, section 5.5).
    static func isSafe(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && text.utf8.first != 0x20 && text.utf8.last != 0x20
    }

    /// - Throws: `InvalidParameter`, naming the parameter or attribute, for a text that cannot be a field's value.
    static func check(_ text: String, parameter: String) throws(SNSError) {
        guard isSafe(text) else {
            throw .invalidParameter(parameter, reason: "must contain only printable ASCII characters")
        }
    }
}
