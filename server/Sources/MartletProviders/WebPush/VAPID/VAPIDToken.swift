import Crypto
import Foundation
import MartletCore

/// What says to a push service who pushes: a JSON Web Token signed with ES256 for one origin (RFC 8292, section 2).
struct VAPIDToken: Sendable, Hashable {
    /// The token.
    let text: String
    /// When it was made, in whole seconds.
    let issuedAt: Timestamp

    /// How long it is good for: a day is the most that is allowed (RFC 8292, section 2), and 12 hours leave room for
    /// clocks and for pushes that wait.
    static let lifetime: Duration = .seconds(12 * 3_600)
    /// When another one is made. Apple wants no more than one an hour.
    static let renewal: Duration = .seconds(6 * 3_600)
    /// A clock that was set back by more makes the token one of the future.
    static let tolerance: Duration = .seconds(60)

    /// Whether it is used for pushes of now.
    func isGood(at now: Timestamp) -> Bool { now < issuedAt + Self.renewal && issuedAt <= now + Self.tolerance }

    /// Makes one.
    ///
    /// - Throws: what the crypto library says when it cannot sign.
    static func make(key: VAPIDKey, origin: String, subject: String, at now: Timestamp) throws -> VAPIDToken {
        let end = now.seconds + lifetime.components.seconds
        let header = Secret.base64URL(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8))
        // Origin and subject were checked to be of characters that need no escaping.
        let claims = Secret.base64URL(Array(#"{"aud":"\#(origin)","exp":\#(end),"sub":"\#(subject)"}"#.utf8))
        let signature = try key.privateKey.signature(for: Data("\(header).\(claims)".utf8))
        return VAPIDToken(
            text: "\(header).\(claims).\(Secret.base64URL(Array(signature.rawRepresentation)))",
            issuedAt: Timestamp(milliseconds: now.seconds * 1_000)
        )
    }
}
