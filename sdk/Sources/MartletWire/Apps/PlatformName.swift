/// A family of devices that is reached through one provider.
public enum PlatformName: String, Sendable, Hashable, Encodable, CaseIterable {
    /// Apple Push Notification service; `ios` is read as the same.
    case apns
    /// Firebase Cloud Messaging.
    case fcm
    /// Web Push (RFC 8030).
    case webpush

    /// A platform by its word, or by the alias `ios`.
    public init?(word: String) {
        if word == "ios" { self = .apns } else { self.init(rawValue: word) }
    }
}

extension PlatformName: Decodable {
    /// Decodes the word, or the alias `ios`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let platform = PlatformName(word: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a platform")
        }
        self = platform
    }
}

/// Which of a provider's worlds a token or a credential belongs to; at Web Push, at which push service a subscription is.
public enum EnvironmentName: String, Sendable, Hashable, Codable, CaseIterable {
    /// Development builds.
    case sandbox
    /// Store and ad-hoc builds.
    case production
    /// Google's push service, of Chrome and most browsers made of Chromium.
    case google
    /// Mozilla's, of Firefox.
    case mozilla
    /// Microsoft's, of Edge on Windows.
    case microsoft
    /// Apple's, of Safari.
    case apple
    /// Any other push service, such as a UnifiedPush server.
    case otherService = "other"
}
