import Crypto
import CryptoExtras
import Foundation
import MartletCore
import MartletWire

/// The request for an access token (RFC 7523, section 2.1; Google, "Using OAuth 2.0 for Server to Server Applications").
enum TokenRequest {
    /// What FCM's API asks for.
    static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    /// The longest that Google takes, in seconds.
    static let lifetime: Int64 = 3_600

    /// The form's text.
    ///
    /// - Parameter now: the moment that is signed as `iat`.
    /// - Throws: what the crypto library says when it cannot sign.
    static func form(for account: ServiceAccount, at now: Timestamp) throws -> [UInt8] {
        let assertion = try assertion(for: account, at: now)
        // base64url and dots need no escaping in a form.
        return Array("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)".utf8)
    }

    /// The signed grant: a JSON Web Token with RS256 (RFC 7518, section 3.3).
    static func assertion(for account: ServiceAccount, at now: Timestamp) throws -> String {
        let header: JSONValue = ["typ": "JWT", "alg": "RS256", "kid": .string(account.keyID)]
        let claims: JSONValue = [
            "iss": .string(account.clientEmail), "scope": .string(scope), "aud": .string(account.endpoint.uri),
            "iat": .integer(now.seconds), "exp": .integer(now.seconds + lifetime),
        ]
        let signed = Secret.base64URL(Array(try header.json())) + "." + Secret.base64URL(Array(try claims.json()))
        let signature = try account.key.signature(
            for: SHA256.hash(data: Data(signed.utf8)),
            padding: .insecurePKCS1v1_5
        )
        return signed + "." + Secret.base64URL(Array(signature.rawRepresentation))
    }
}
