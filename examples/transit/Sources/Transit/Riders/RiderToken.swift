import Crypto
package import Foundation

/// A rider's token: a JWT, signed with HS256, whose subject is the rider's id at Martlet.
///
/// In a real system the identity provider signs it when the rider logs in.
package struct RiderToken: Sendable {
    private let secret: String
    private let issuer: String
    private let audience: String

    /// - Parameter secret: at least 32 bytes, the one that Martlet has for the app.
    package init(secret: String, issuer: String, audience: String) {
        self.secret = secret
        self.issuer = issuer
        self.audience = audience
    }

    package func token(for rider: String, expires: Date) throws -> String {
        struct Claims: Encodable {
            var sub: String
            var iss: String
            var aud: String
            var exp: Int
        }
        let claims = Claims(sub: rider, iss: issuer, aud: audience, exp: Int(expires.timeIntervalSince1970))
        let head = Self.base64(Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
        let signed = "\(head).\(Self.base64(try JSONEncoder().encode(claims)))"
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: Data(secret.utf8)))
        return "\(signed).\(Self.base64(Data(code)))"
    }

    private static func base64(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
