import MartletCore
import MartletWire

/// Checks what an operator configures for an app's user tokens, before it is stored.
enum VerificationSettings {
    /// Checks an HS256 secret, taken as the UTF-8 bytes of its text.
    ///
    /// - Throws: `Failure` with ``ErrorCode/invalidValue``, without the secret.
    static func validate(secret: String, field: String) throws(Failure) {
        try Identity.validate(secret: secret, field: field)
    }

    /// Checks an inline key set: at most 256 KiB, at least one usable public key, no private or shared one.
    ///
    /// - Throws: `Failure` with ``ErrorCode/invalidValue``, without the keys.
    static func validate(keySet json: String, field: String) async throws(Failure) {
        guard json.utf8.count <= KeySetFetch.limit else {
            throw .invalid(field, "A key set has at most 256 KiB.")
        }
        do throws(Failure) {
            _ = try await KeySet(json: Array(json.utf8))
        } catch {
            throw .invalid(field, "This is not a key set. \(error.detail.message)", hint: error.detail.hint)
        }
        guard !JWKSDocument.hasSecrets(json) else {
            throw .invalid(
                field,
                "The key set has a private or shared key in it.",
                hint: "Give the public half only, and replace the key: it has been shown."
            )
        }
    }

    /// Checks the URL of a key set: `https`, at most 2,048 bytes, a host, no user name. Nothing is fetched.
    ///
    /// - Throws: `Failure` with ``ErrorCode/invalidValue``.
    static func validate(keySetURL url: String, field: String) throws(Failure) {
        _ = try KeySetURL(url, field: field)
    }
}
