import Foundation
import MartletCore
import MartletWire

/// The secret part of a credential in the form in which it is sealed.
protocol SealedSecret: Sendable, Codable {}

extension SealedSecret {
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
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            throw Failure(
                .invalidCredential,
                "The stored credential is not one of this version.",
                hint: "Store the credential again."
            )
        }
    }
}
