import Crypto
import Foundation
import MartletCore

/// A provider token: a JSON Web Token signed with ES256 (Apple, "Establishing a token-based connection to APNs").
struct ProviderToken: Sendable, Hashable {
    /// The token as it stands behind `bearer `.
    let text: String
    /// Its claim `iat`: whole seconds.
    let issuedAt: Timestamp

    /// Mints a token.
    ///
    /// - Throws: what the crypto library says when it cannot sign.
    static func mint(key: P256.Signing.PrivateKey, keyID: String, teamID: String, at now: Timestamp) throws
        -> ProviderToken
    {
        // Both ids were checked to be letters and digits, so they need no escaping.
        let header = Secret.base64URL(Array(#"{"alg":"ES256","kid":"\#(keyID)"}"#.utf8))
        let claims = Secret.base64URL(Array(#"{"iss":"\#(teamID)","iat":\#(now.seconds)}"#.utf8))
        let signature = try key.signature(for: Data("\(header).\(claims)".utf8))
        return ProviderToken(
            text: "\(header).\(claims).\(Secret.base64URL(Array(signature.rawRepresentation)))",
            issuedAt: Timestamp(milliseconds: now.seconds * 1_000)
        )
    }
}
