package import MartletWire

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

// The wire's words, one to one: a case added on one side does not compile until the other has it.

extension Platform {
    package init(_ name: PlatformName) {
        switch name {
        case .apns: self = .apns
        case .fcm: self = .fcm
        case .webpush: self = .webpush
        }
    }
}

extension PlatformName {
    package init(_ platform: Platform) {
        switch platform {
        case .apns: self = .apns
        case .fcm: self = .fcm
        case .webpush: self = .webpush
        }
    }
}

extension Environment {
    package init(_ name: EnvironmentName) {
        switch name {
        case .sandbox: self = .sandbox
        case .production: self = .production
        }
    }
}

extension EnvironmentName {
    package init(_ environment: Environment) {
        switch environment {
        case .sandbox: self = .sandbox
        case .production: self = .production
        }
    }
}
