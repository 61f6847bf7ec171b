import Foundation
import MartletCore
import MartletWire

/// The secret part of a Web Push credential in the form in which it is sealed: the present VAPID key and those before it,
/// whose subscriptions live on.
struct WebPushSecret: Sendable, Codable {
    /// How whoever runs the app is reached.
    var subject: String
    /// The private keys as base64url, the present one first.
    var keys: [String]

    /// How many keys are kept. Ours: a subscription whose key was replaced so often was not renewed in years.
    static let keyLimit = 16

    /// The bytes to seal.
    func bytes() throws(Failure) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(self))
        } catch {
            throw Failure(.internalError, "The credential could not be encoded.")
        }
    }

    init(subject: String, keys: [String]) { (self.subject, self.keys) = (subject, keys) }

    /// What was sealed.
    init(bytes: [UInt8]) throws(Failure) {
        do {
            self = try JSONDecoder().decode(WebPushSecret.self, from: Data(bytes))
        } catch {
            throw Failure(
                .invalidCredential,
                "The stored credential is not one of this version.",
                hint: "Store the credential again."
            )
        }
    }

    /// The keys by their ids.
    func keysByID() throws(Failure) -> [String: VAPIDKey] {
        var byID: [String: VAPIDKey] = [:]
        for text in keys {
            let key = try VAPIDKey(base64URL: text)
            byID[key.id] = key
        }
        return byID
    }
}
