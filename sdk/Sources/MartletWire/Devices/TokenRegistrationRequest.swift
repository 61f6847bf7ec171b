/// The SDK's registration: `POST /api/v1/tokens`. It is an upsert by installation.
public struct TokenRegistrationRequest: Sendable, Hashable, Codable {
    /// The id or name of the app; absent takes the key's app, or the one that the user token's issuer names.
    public var app: String?
    /// The id that the SDK made; it lives as long as the install.
    public var installationID: PublicID
    /// The provider's token; at Apple its bytes in hexadecimal.
    public var token: String
    /// The provider; absent is `apns`.
    public var platform: PlatformName?
    /// The provider's environment, where the app knows it; absent lets the server find out.
    public var environment: EnvironmentName?
    /// Who the device belongs to: a user id, `null` after a logout, absent to leave it.
    public var userID: NullablePatch<String>
    /// The token that this one takes the place of.
    public var previousToken: String?
    /// What the person allowed; a token exists without permission too.
    public var permission: PermissionName?
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

    enum CodingKeys: String, CodingKey {
        case app
        case installationID = "installation_id"
        case token
        case platform
        case environment
        case userID = "user_id"
        case previousToken = "previous_token"
        case permission
        case deviceModel = "device_model"
        case osVersion = "os_version"
        case appVersion = "app_version"
        case locale
        case timeZone = "time_zone"
    }
}
