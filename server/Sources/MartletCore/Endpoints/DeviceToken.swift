/// The rules for the tokens that devices are addressed by.
public enum DeviceToken {
    /// Brings a token into the form in which it is stored and sent.
    ///
    /// - APNs: an even number of hexadecimal digits, 1 to 200 bytes (2 to 400 digits), in lower case. Apple says that
    ///   the length may change, so it is not fixed at 32 bytes.
    /// - FCM and Web Push: 1 to 4,096 printable ASCII characters.
    public static func normalize(
        _ token: String,
        platform: Platform,
        field: String = "token"
    ) throws(Failure) -> String {
        switch platform {
        case .apns: try normalizeHex(token, field: field)
        case .fcm, .webpush: try checkPrintable(token, field: field)
        }
    }

    private static func normalizeHex(_ token: String, field: String) throws(Failure) -> String {
        let digits = token.utf8
        guard (2...400).contains(digits.count) else {
            throw .invalid(field, "An APNs token has 2 to 400 hexadecimal digits; this one has \(digits.count).")
        }
        guard digits.count.isMultiple(of: 2) else {
            throw .invalid(
                field,
                "An APNs token has an even number of hexadecimal digits; this one has \(digits.count)."
            )
        }
        guard digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
            throw .invalid(
                field,
                "An APNs token has only hexadecimal digits.",
                hint: "Send the bytes of the token as hex: token.map { String(format: \"%02x\", $0) }.joined()"
            )
        }
        return token.lowercased()
    }

    private static func checkPrintable(_ token: String, field: String) throws(Failure) -> String {
        guard (1...4096).contains(token.utf8.count), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalid(field, "A token has 1 to 4,096 printable ASCII characters.")
        }
        return token
    }

    /// A token as it may stand in a log: the first 8 characters.
    public static func redacted(_ token: String) -> String { token.prefix(8) + "…" }
}
