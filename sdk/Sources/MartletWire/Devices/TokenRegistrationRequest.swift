/// The SDK's registration: `POST /api/v1/tokens`. It is an upsert by installation.
public struct TokenRegistrationRequest: Sendable, Hashable, Codable {
    /// The id or name of the app.
    public var app: String?
    /// The id that the SDK made.
    public var installationID: PublicID
    /// The provider's token.
    public var token: String
    /// The provider.
    public var platform: PlatformName?
    /// The provider's environment.
    public var environment: EnvironmentName?
    /// Who the device belongs to.
    public var userID: NullablePatch<String>
    /// The token that this one takes the place of.
    public var previousToken: String?
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

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case app
        case installationID = "installation_id"
        case token, platform, environment
        case previousToken = "previous_token"
        case userID = "user_id"
        case permission
        case deviceModel = "device_model"
        case osVersion = "os_version"
        case appVersion = "app_version"
        case locale
        case timeZone = "time_zone"
    }
}
