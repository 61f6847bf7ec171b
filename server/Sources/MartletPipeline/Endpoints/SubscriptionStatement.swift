import MartletCore
import MartletWire

/// What a registration says of a browser's subscription, and of the token, which at Web Push is its address. A pure value.
struct SubscriptionStatement: Sendable {
    /// The token, not normalized.
    var token: String
    /// Where it stands.
    var field = "token"
    /// What messages are sealed with.
    var keys: PushSubscription?

    /// Base64url of the 8 bytes that ids of VAPID keys have.
    private static let keyIDLength = 11

    /// Reads it.
    ///
    /// - Parameter presentKey: the id of the app's present VAPID key.
    /// - Throws: `Failure` naming the field.
    init(_ request: some TokenStatement, platform: Platform, presentKey: String?) throws(Failure) {
        token = request.token ?? ""
        guard platform == .webpush else {
            let stray = request.subscription != nil ? "subscription" : request.vapidKeyID != nil ? "vapid_key_id" : nil
            if let stray { throw .invalid(stray, "Only browsers have it.", hint: "Name the platform: webpush.") }
            guard !token.isEmpty else { throw Failure(.malformedRequest, "The field is missing.", field: field) }
            return
        }
        guard let subscription = request.subscription else {
            throw Failure(
                .malformedRequest,
                "The field is missing: a message to a browser is sealed with its keys.",
                hint: "Send what PushSubscription.toJSON() gives.",
                field: "subscription"
            )
        }
        if !token.isEmpty, token != subscription.endpoint {
            throw .invalid("token", "The token of a browser is its subscription's endpoint.", hint: "Leave it out.")
        }
        (token, field) = (subscription.endpoint, "subscription.endpoint")
        guard let key = try SubscriptionStatement.keyID(request.vapidKeyID) ?? presentKey else {
            throw Failure(
                .missingCredential,
                "The app has no VAPID key.",
                hint: "Make one: PUT /api/v1/apps/{app}/credentials with platform webpush and a subject.",
                field: "platform"
            )
        }
        keys = try PushSubscription(
            p256dh: subscription.keys.p256dh,
            auth: subscription.keys.auth,
            vapidKeyID: key,
            field: "subscription.keys"
        )
    }

    private static func keyID(_ text: String?) throws(Failure) -> String? {
        guard let text else { return nil }
        guard text.utf8.count == keyIDLength, Base64URL.decode(text) != nil else {
            throw .invalid("vapid_key_id", "It is not the id of a VAPID key: \(keyIDLength) characters of base64url.")
        }
        return text
    }
}

extension TokenStatement {
    /// Whether a browser registers.
    var isWebPush: Bool { (try? reachedThrough()) == .webpush }
}
