import Crypto
import MartletCore

/// What confirms a subscription: nobody can guess it, and it goes to the endpoint alone.
enum ConfirmationToken {
    /// How many digits the moment has, behind the 64 that cannot be guessed.
    private static let timeDigits = 12

    /// A new one: 64 hexadecimal digits, 256 bits.
    static func make() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { Hex.text($0) }
    }

    /// A new one that says when it was made, so that it is too old one day: 76 hexadecimal digits.
    static func make(at now: Timestamp) -> String {
        let time = String(UInt64(max(0, now.rawValue)), radix: 16)
        return make() + String(repeating: "0", count: max(0, timeDigits - time.count)) + time
    }

    /// When a token was made, of which the store knows the hash: nobody can change it; `nil` where it does not say.
    static func madeAt(_ token: String) -> Timestamp? {
        guard token.utf8.count == 64 + timeDigits else { return nil }
        return Int64(token.suffix(timeDigits), radix: 16).map(Timestamp.init(milliseconds:))
    }

    /// Looks whether a text has the form of a token, AWS's among them, which are longer than ours.
    ///
    /// - Throws: `InvalidParameter` with AWS's `Invalid token`; a token that has the form and is not known is
    ///   `Invalid parameter: Token`.
    static func check(_ text: String) throws(SNSError) {
        guard (64...1024).contains(text.utf8.count), text.utf8.allSatisfy({ Hex.value($0) != nil }) else {
            throw SNSError(.invalidParameter, "Invalid token")
        }
    }
}
