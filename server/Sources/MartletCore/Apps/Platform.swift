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

/// Which of a provider's worlds a token belongs to; at Web Push, at which push service a subscription is: one in trouble
/// delays no other.
public enum Environment: String, Sendable, Hashable, Codable, CaseIterable {
    /// Development builds.
    case sandbox
    /// Store and ad-hoc builds.
    case production
    /// Google's push service.
    case google
    /// Mozilla's.
    case mozilla
    /// Microsoft's.
    case microsoft
    /// Apple's.
    case apple
    /// Any other push service that the operator allows.
    case otherService = "other"

    /// The one in which a token may be that is not of this; a push service has no such other.
    public var other: Environment {
        switch self {
        case .sandbox: .production
        case .production: .sandbox
        case .google, .mozilla, .microsoft, .apple, .otherService: self
        }
    }

    /// Whether it is a push service of Web Push, where one credential is good for all of them.
    public var isPushService: Bool { other == self }
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

extension EventPlatform {
    /// The operating system of a device that says none: the one that its provider is mostly for.
    package init(mostlyAt platform: Platform) {
        switch platform {
        case .apns: self = .ios
        case .fcm: self = .android
        case .webpush: self = .web
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
        case .google: self = .google
        case .mozilla: self = .mozilla
        case .microsoft: self = .microsoft
        case .apple: self = .apple
        case .otherService: self = .otherService
        }
    }
}

extension EnvironmentName {
    package init(_ environment: Environment) {
        switch environment {
        case .sandbox: self = .sandbox
        case .production: self = .production
        case .google: self = .google
        case .mozilla: self = .mozilla
        case .microsoft: self = .microsoft
        case .apple: self = .apple
        case .otherService: self = .otherService
        }
    }
}
