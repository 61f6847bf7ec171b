import Foundation
import MartletCore
import MartletWire

/// The secret part of a credential in the form in which it is sealed.
enum APNsSecret: Sendable, Hashable, Codable {
    /// A signing key as PKCS#8 PEM.
    case signingKey(pem: String)
    /// A certificate with its chain, the leaf first, and its private key, all DER.
    case certificate(chain: [Data], key: Data)

    /// The bytes to seal.
    func bytes() throws(Failure) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(self))
        } catch {
            throw Failure(.internalError, "The credential could not be encoded.")
        }
    }

    /// What was sealed.
    init(bytes: [UInt8]) throws(Failure) {
        do {
            self = try JSONDecoder().decode(APNsSecret.self, from: Data(bytes))
        } catch {
            throw Failure(
                .invalidCredential,
                "The stored credential is not one of this version.",
                hint: "Store the credential again."
            )
        }
    }
}
