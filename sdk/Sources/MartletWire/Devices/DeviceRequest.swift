/// Registers a device of a user: `POST /api/v1/devices`. It is an upsert by token: a token seen under another user moves.
public struct DeviceRequest: Sendable, Hashable, Codable {
    /// The id or name of the app.
    public var app: String?
    /// Who the device belongs to.
    public var userID: String?
    /// The provider's token; absent where the subscription has it.
    public var token: String?
    /// The operating system, or the provider.
    public var platform: DevicePlatform?
    /// The provider; absent is the one that the platform is reached through.
    public var provider: PlatformName?
    /// The provider's environment.
    public var environment: EnvironmentName?
    /// The token that this one takes the place of.
    public var previousToken: String?
    /// At Web Push, the browser's subscription, whose address is the token.
    public var subscription: WebPushSubscription?
    /// At Web Push, the id of the VAPID key that the subscription was made with; absent is the app's present one.
    public var vapidKeyID: String?
    /// The hardware.
    public var deviceModel: String?
    /// The operating system's version.
    public var osVersion: String?
    /// The app's version.
    public var appVersion: String?
    /// The language and region.
    public var locale: String?
    /// The IANA time zone.
    public var timeZone: String?

    /// A registration; what the device says about itself is set afterwards.
    public init(
        app: String? = nil,
        userID: String? = nil,
        token: String? = nil,
        platform: DevicePlatform? = nil,
        environment: EnvironmentName? = nil,
        previousToken: String? = nil
    ) {
        self.app = app
        self.userID = userID
        self.token = token
        self.platform = platform
        self.environment = environment
        self.previousToken = previousToken
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case app
        case userID = "user_id"
        case token, platform, provider, environment
        case previousToken = "previous_token"
        case subscription
        case vapidKeyID = "vapid_key_id"
        case deviceModel = "device_model"
        case osVersion = "os_version"
        case appVersion = "app_version"
        case locale
        case timeZone = "time_zone"
    }
}

/// Changes a device: `PATCH /api/v1/devices/{id}`. What is absent stays.
public struct DeviceUpdate: Sendable, Hashable, Codable {
    /// Whether pushes are made to it.
    public var isActive: Bool?
    /// Who it belongs to.
    public var userID: NullablePatch<String>
    /// The hardware.
    public var deviceModel: String?
    /// The operating system's version.
    public var osVersion: String?
    /// The app's version.
    public var appVersion: String?
    /// The language and region.
    public var locale: String?
    /// The IANA time zone.
    public var timeZone: String?

    /// A change; what the device says about itself is set afterwards.
    public init(isActive: Bool? = nil, userID: NullablePatch<String> = .unset) {
        self.isActive = isActive
        self.userID = userID
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case isActive = "is_active"
        case userID = "user_id"
        case deviceModel = "device_model"
        case osVersion = "os_version"
        case appVersion = "app_version"
        case locale
        case timeZone = "time_zone"
    }
}
