import Crypto
import Foundation
import MartletCore

/// Makes user tokens (HS256, RFC 7519), as the backend of an app does for whoever logged in there.
struct UserTokenMaker: Sendable {
    /// The secret that the app's identity has at the server.
    let secret: String
    /// The `iss` claim.
    var issuer: String?
    /// The `aud` claim.
    var audience: String?

    /// Seconds for which a token counts: long enough for an afternoon at the terminal.
    private static let lifetime = 6 * 3_600

    /// A token that speaks for a user from now on.
    func token(for user: String) -> String? {
        struct Claims: Encodable {
            var iss: String?
            var aud: String?
            var sub: String
            var iat: Int
            var exp: Int
        }
        let now = Int(Date().timeIntervalSince1970)
        let claims = Claims(iss: issuer, aud: audience, sub: user, iat: now, exp: now + Self.lifetime)
        guard let body = try? JSONEncoder().encode(claims) else { return nil }
        let header = Secret.base64URL(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
        let signed = header + "." + Secret.base64URL(Array(body))
        let key = SymmetricKey(data: Array(secret.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: key)
        return signed + "." + Secret.base64URL(Array(code))
    }
}
