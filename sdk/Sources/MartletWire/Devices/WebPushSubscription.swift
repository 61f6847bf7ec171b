/// The VAPID key that browsers subscribe to an app with: `GET /api/v1/webpush/key`.
public struct WebPushKeyResponse: Sendable, Hashable, Codable {
    /// The key's id.
    public var keyID: String
    /// Its public half as base64url.
    public var publicKey: String

    /// A key.
    public init(keyID: String, publicKey: String) { (self.keyID, self.publicKey) = (keyID, publicKey) }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case keyID = "key_id"
        case publicKey = "public_key"
    }
}

/// What a browser's `PushSubscription.toJSON()` gives: where a browser is pushed to, and what messages to it are sealed
/// with.
public struct WebPushSubscription: Sendable, Hashable, Codable {
    /// The address at the browser's push service.
    public var endpoint: String
    /// When the browser gives it up by itself; it is not looked at.
    public var expirationTime: NullablePatch<Int64>
    /// The browser's keys.
    public var keys: Keys

    /// A browser's keys, as base64url.
    public struct Keys: Sendable, Hashable, Codable {
        /// The public key: 65 bytes.
        public var p256dh: String
        /// The shared secret: 16 bytes.
        public var auth: String

        /// A browser's keys.
        public init(p256dh: String, auth: String) { (self.p256dh, self.auth) = (p256dh, auth) }

        /// The fields on the wire.
        public enum CodingKeys: String, CodingKey, CaseIterable { case p256dh, auth }
    }

    /// A subscription.
    public init(endpoint: String, keys: Keys) {
        (self.endpoint, expirationTime, self.keys) = (endpoint, .unset, keys)
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case endpoint, expirationTime, keys }
}
