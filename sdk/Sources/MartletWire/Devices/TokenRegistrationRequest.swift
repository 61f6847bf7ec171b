/// The SDK's registration: `POST /api/v1/tokens`. It is an upsert by installation.
public struct TokenRegistrationRequest: Sendable, Hashable, Codable {
    /// The id or name of the app.
    public var app: String?
    /// The id that the SDK made.
    public var installationID: PublicID
    /// The provider's token; absent where the subscription has it.
    public var token: String?
    /// The operating system, or the provider.
    public var platform: DevicePlatform?
    /// The provider; absent is the one that the platform is reached through.
    public var provider: PlatformName?
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
        token: String? = nil,
        platform: DevicePlatform? = nil,
        provider: PlatformName? = nil,
        environment: EnvironmentName? = nil,
        userID: NullablePatch<String> = .unset,
        previousToken: String? = nil
    ) {
        self.app = app
        self.installationID = installationID
        self.token = token
        self.platform = platform
        self.provider = provider
        self.environment = environment
        self.userID = userID
        self.previousToken = previousToken
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case app
        case installationID = "installation_id"
        case token, platform, provider, environment
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
