import CryptoExtras
import Foundation

/// A service account as Google knows it, and the private key that its file holds.
struct FCMAccount: Sendable {
    let email: String
    let project: String
    /// `private_key_id`, the `kid` of its grants.
    let keyID: String
    var isRevoked = false
    let publicKey: _RSA.Signing.PublicKey
}

/// A service account's file, as the console of Firebase gives it.
package struct ServiceAccountFile: Codable, Sendable, Equatable {
    package var type = "service_account"
    package var projectID: String
    package var privateKeyID: String
    /// PEM (PKCS #8).
    package var privateKey: String
    package var clientEmail: String
    package var clientID: String
    package var authURI = "https://accounts.google.com/o/oauth2/auth"
    /// The simulator's own token endpoint.
    package var tokenURI: String
    package var authProviderCertificates = "https://www.googleapis.com/oauth2/v1/certs"
    package var universeDomain = "googleapis.com"

    private enum CodingKeys: String, CodingKey {
        case type
        case projectID = "project_id"
        case privateKeyID = "private_key_id"
        case privateKey = "private_key"
        case clientEmail = "client_email"
        case clientID = "client_id"
        case authURI = "auth_uri"
        case tokenURI = "token_uri"
        case authProviderCertificates = "auth_provider_x509_cert_url"
        case universeDomain = "universe_domain"
    }

    /// The file's text.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// The key pair of all accounts that one simulator makes: RSA keys take long to make.
struct FCMKeyPair: Sendable {
    let privatePEM: String
    let publicKey: _RSA.Signing.PublicKey

    init() throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        privatePEM = key.pkcs8PEMRepresentation
        publicKey = key.publicKey
    }
}
