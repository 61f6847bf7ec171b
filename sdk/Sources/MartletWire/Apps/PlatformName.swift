/// A provider, and with it the family of devices that it reaches.
public enum PlatformName: String, Sendable, Hashable, Encodable, CaseIterable {
    /// Apple Push Notification service; `ios` is read as the same.
    case apns
    /// Firebase Cloud Messaging; `android` is read as the same.
    case fcm
    /// Web Push (RFC 8030); `web` is read as the same.
    case webpush

    /// A provider by its word, or by that of the operating system that it is for.
    public init?(word: String) {
        guard let platform = DevicePlatform(rawValue: word) else { return nil }
        self = platform.provider
    }
}

extension PlatformName: Decodable {
    /// Decodes a word of ``init(word:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let platform = PlatformName(word: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a platform")
        }
        self = platform
    }
}

/// What a registration says of a device: its operating system, or the provider that reaches it.
public enum DevicePlatform: String, Sendable, Hashable, Codable, CaseIterable {
    case ios, android, web
    case apns, fcm, webpush

    /// The provider, where nothing else is said of it.
    public var provider: PlatformName {
        switch self {
        case .ios, .apns: .apns
        case .android, .fcm: .fcm
        case .web, .webpush: .webpush
        }
    }

    /// The operating system, where it is said.
    public var system: EventPlatform? { EventPlatform(rawValue: rawValue) }
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
