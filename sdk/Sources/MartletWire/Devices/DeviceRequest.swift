/// Registers a device of a user: `POST /api/v1/devices`. It is an upsert by token: a token seen under another user moves.
public struct DeviceRequest: Sendable, Hashable, Codable {
    /// The id or name of the app; with a user token the app comes from the token.
    public var app: String?
    /// Who the device belongs to; with a user token it is the token's subject.
    public var userID: String?
    /// The provider's token; at Apple its bytes in hexadecimal.
    public var token: String
    /// The provider; absent is `apns`.
    public var platform: PlatformName?
    /// The provider's environment, where the caller knows it.
    public var environment: EnvironmentName?
    /// The token that this one takes the place of.
    public var previousToken: String?
    /// The hardware, such as `iPhone16,1`.
    public var deviceModel: String?
    /// The operating system's version.
    public var osVersion: String?
    /// The app's version.
    public var appVersion: String?
    /// The language and region, such as `ja-JP`.
    public var locale: String?
    /// The IANA time zone, such as `Asia/Tokyo`.
    public var timeZone: String?

    /// A registration; what the device says about itself is set afterwards.
    public init(
        app: String? = nil,
        userID: String? = nil,
        token: String,
        platform: PlatformName? = nil,
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

    enum CodingKeys: String, CodingKey {
        case app
        case userID = "user_id"
        case token
        case platform
        case environment
        case previousToken = "previous_token"
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
    /// Who it belongs to, `null` for nobody; only for server keys.
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

    enum CodingKeys: String, CodingKey {
        case isActive = "is_active"
        case userID = "user_id"
        case deviceModel = "device_model"
        case osVersion = "os_version"
        case appVersion = "app_version"
        case locale
        case timeZone = "time_zone"
    }
}
