/// The SDK's registration: `POST /api/v1/tokens`. It is an upsert by installation.
public struct TokenRegistrationRequest: Sendable, Hashable, Codable {
    /// The id or name of the app.
    public var app: String?
    /// The id that the SDK made.
    public var installationID: PublicID
    /// The provider's token; empty where the subscription has it.
    public var token: String
    /// The provider.
    public var platform: PlatformName?
    /// The provider's environment.
    public var environment: EnvironmentName?
    /// Who the device belongs to.
    public var userID: NullablePatch<String>
    /// The token that this one takes the place of.
    public var previousToken: String?
    /// At Web Push, the browser's subscription, whose address is the token.
    public var subscription: WebPushSubscription?
    /// At Web Push, the id of the VAPID key that the subscription was made with; absent is the app's present one.
    public var vapidKeyID: String?
    /// What the person allowed the app to show.
    public var permission: PermissionName?
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
        installationID: PublicID,
        token: String,
        platform: PlatformName? = nil,
        environment: EnvironmentName? = nil,
        userID: NullablePatch<String> = .unset,
        previousToken: String? = nil
    ) {
        self.app = app
        self.installationID = installationID
        self.token = token
        self.platform = platform
        self.environment = environment
        self.userID = userID
        self.previousToken = previousToken
    }

    /// Decodes one, whose token may be left out beside a subscription.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        app = try container.decodeIfPresent(String.self, forKey: .app)
        installationID = try container.decode(PublicID.self, forKey: .installationID)
        subscription = try container.decodeIfPresent(WebPushSubscription.self, forKey: .subscription)
        token = try container.decodeIfPresent(String.self, forKey: .token) ?? ""
        platform = try container.decodeIfPresent(PlatformName.self, forKey: .platform)
        environment = try container.decodeIfPresent(EnvironmentName.self, forKey: .environment)
        userID = try container.decode(NullablePatch<String>.self, forKey: .userID)
        previousToken = try container.decodeIfPresent(String.self, forKey: .previousToken)
        vapidKeyID = try container.decodeIfPresent(String.self, forKey: .vapidKeyID)
        permission = try container.decodeIfPresent(PermissionName.self, forKey: .permission)
        deviceModel = try container.decodeIfPresent(String.self, forKey: .deviceModel)
        osVersion = try container.decodeIfPresent(String.self, forKey: .osVersion)
        appVersion = try container.decodeIfPresent(String.self, forKey: .appVersion)
        locale = try container.decodeIfPresent(String.self, forKey: .locale)
        timeZone = try container.decodeIfPresent(String.self, forKey: .timeZone)
    }

    /// Encodes it; a token that the subscription has is left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(app, forKey: .app)
        try container.encode(installationID, forKey: .installationID)
        try container.encodeIfPresent(token.isEmpty ? nil : token, forKey: .token)
        try container.encodeIfPresent(platform, forKey: .platform)
        try container.encodeIfPresent(environment, forKey: .environment)
        try container.encode(userID, forKey: .userID)
        try container.encodeIfPresent(previousToken, forKey: .previousToken)
        try container.encodeIfPresent(subscription, forKey: .subscription)
        try container.encodeIfPresent(vapidKeyID, forKey: .vapidKeyID)
        try container.encodeIfPresent(permission, forKey: .permission)
        try container.encodeIfPresent(deviceModel, forKey: .deviceModel)
        try container.encodeIfPresent(osVersion, forKey: .osVersion)
        try container.encodeIfPresent(appVersion, forKey: .appVersion)
        try container.encodeIfPresent(locale, forKey: .locale)
        try container.encodeIfPresent(timeZone, forKey: .timeZone)
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case app
        case installationID = "installation_id"
        case token, platform, environment
        case previousToken = "previous_token"
        case subscription
        case vapidKeyID = "vapid_key_id"
        case userID = "user_id"
        case permission
        case deviceModel = "device_model"
        case osVersion = "os_version"
        case appVersion = "app_version"
        case locale
        case timeZone = "time_zone"
    }
}
