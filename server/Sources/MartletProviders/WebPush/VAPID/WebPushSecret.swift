import MartletCore
import MartletWire

/// What authenticates an app at push services: the present VAPID key and those before it, whose subscriptions live on.
struct WebPushSecret: SealedSecret {
    /// How whoever runs the app is reached.
    var subject: String
    /// The private keys as base64url, the present one first.
    var keys: [String]

    /// How many keys are kept. Ours: a subscription whose key was replaced so often was not renewed in years.
    static let keyLimit = 16

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
