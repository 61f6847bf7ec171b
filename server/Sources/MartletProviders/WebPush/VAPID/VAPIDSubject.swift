import Foundation
import MartletCore
import MartletWire

/// How a push service reaches whoever runs the app: a `mailto:` address or an https page (RFC 8292, section 2.1). Apple
/// refuses all pushes of one that it does not like.
enum VAPIDSubject {
    /// Checks a subject.
    ///
    /// - Throws: `Failure` naming the field `subject`.
    static func check(_ text: String) throws(Failure) -> String {
        guard (1...256).contains(text.utf8.count), text.utf8.allSatisfy(isPlain) else {
            throw refusal("The subject has 1 to 256 printable characters, and no spaces, quotes or brackets.")
        }
        if text.hasPrefix("mailto:") {
            let parts = text.dropFirst("mailto:".count).split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, let domain = HostName(parts[1]), domain.text.contains(".") else {
                throw refusal("The subject is no address of the form mailto:name@example.com.")
            }
            return try publicHost(domain.text, of: text)
        }
        guard text.hasPrefix("https://"), let host = URLComponents(string: text)?.host,
            let name = HostName(host), name.text.contains("."), IPAddress(name.text) == nil
        else { throw refusal("The subject begins with mailto: or https://.") }
        return try publicHost(name.text, of: text)
    }

    private static func publicHost(_ host: String, of text: String) throws(Failure) -> String {
        guard host != "localhost", !host.hasSuffix(".localhost"), !host.hasSuffix(".local") else {
            throw refusal("The subject is at a name that nobody outside can reach, which Apple refuses.")
        }
        return text
    }

    /// What needs no escape in JSON and no brackets, which Apple refuses.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"\\<>".utf8.contains(byte)
    }

    private static func refusal(_ message: String) -> Failure {
        Failure(.invalidCredential, message, hint: "For example mailto:push@example.com.", field: "subject")
    }
}
