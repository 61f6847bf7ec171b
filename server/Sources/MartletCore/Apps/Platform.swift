public import MartletWire

/// A family of devices that is reached through one provider.
public typealias Platform = PlatformName

/// Which of a provider's worlds a token belongs to; at Web Push, at which push service a subscription is: one in trouble
/// delays no other.
public typealias Environment = EnvironmentName

extension Environment {
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
