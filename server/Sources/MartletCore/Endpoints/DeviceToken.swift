/// What holds for the tokens of every provider; each has its own rules in ``Provider/normalize(_:field:)``.
public enum DeviceToken {
    /// Checks that a token is 1 to 4,096 printable ASCII characters, as those of all providers are.
    ///
    /// - Throws: `Failure` naming the field.
    public static func check(_ token: String, field: String) throws(Failure) -> String {
        guard (1...4096).contains(token.utf8.count), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalid(field, "A token has 1 to 4,096 printable ASCII characters.")
        }
        return token
    }

    /// A token as it may stand in a log: the first 8 characters.
    public static func redacted(_ token: String) -> String { token.prefix(8) + "…" }
}
