import Foundation

/// Base64url without padding (RFC 4648 section 5).
enum Base64URL {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// `nil` for anything else; padding is let pass when `allowsPadding`, as browsers' pages send it.
    static func decode(_ text: some StringProtocol, allowsPadding: Bool = false) -> Data? {
        var text = String(text)
        if allowsPadding { while text.hasSuffix("=") { text.removeLast() } }
        let isPlain = text.utf8.allSatisfy {
            $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=")
        }
        guard isPlain, text.utf8.count % 4 != 1 else { return nil }
        text = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}
