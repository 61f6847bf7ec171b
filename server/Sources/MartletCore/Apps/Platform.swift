/// A family of devices that is reached through one provider.
public enum Platform: String, Sendable, Hashable, Codable, CaseIterable {
    /// Apple Push Notification service.
    case apns
    /// Firebase Cloud Messaging.
    case fcm
    /// Web Push (RFC 8030).
    case webpush
}

/// Which of a provider's two worlds a token belongs to.
public enum Environment: String, Sendable, Hashable, Codable, CaseIterable {
    /// Development builds.
    case sandbox
    /// Store and ad-hoc builds.
    case production

    /// The one that is not this.
    public var other: Environment { self == .sandbox ? .production : .sandbox }
}
