import Crypto
import Foundation

/// The key that signs the requests of a day in a region, derived from a secret.
///
/// Deriving takes four HMACs: a caller may keep it by key id, day and region, until the key is revoked.
struct SigningKey: Sendable {
    /// The day that it is for: `20261121`.
    let day: String
    /// The region that it is for.
    let region: String
    private let key: SymmetricKey

    /// Derives the key of a scope.
    init(secret: String, scope: CredentialScope) {
        self.init(secret: secret, day: scope.day, region: scope.region)
    }

    /// Derives the key of a day and a region.
    init(secret: String, day: String, region: String) {
        self.day = day
        self.region = region
        var key = SymmetricKey(data: Data("AWS4\(secret)".utf8))
        for part in [day, region, "sns", "aws4_request"] {
            key = SymmetricKey(data: Data(HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key)))
        }
        self.key = key
    }

    /// Whether these bytes are the signature of this text, in a time that does not depend on how many of them are.
    func isSignature(_ bytes: [UInt8], of text: String) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(bytes, authenticating: Data(text.utf8), using: key)
    }

    /// The signature of a text.
    func signature(of text: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }
}
