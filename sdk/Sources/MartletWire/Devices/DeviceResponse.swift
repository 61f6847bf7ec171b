/// An endpoint: a device's place at a provider.
public struct DeviceResponse: Sendable, Hashable, Codable {
    /// The endpoint's id.
    public var id: PublicID
    /// Who it belongs to, once known.
    public var userID: String?
    /// The provider's token.
    public var deviceToken: String
    /// The operating system.
    public var platform: EventPlatform
    /// The provider.
    public var provider: PlatformName
    /// The provider's environment, once known.
    public var environment: EnvironmentName?
    /// The installation, where the SDK registered it.
    public var installationID: PublicID?
    /// Whether pushes are made to it.
    public var isActive: Bool
    /// Why not: a word of ours, or the provider's own.
    public var inactiveReason: String?
    /// The same in a word of ours, whatever the provider calls it.
    public var inactiveReasonCode: String?
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
    /// What the person allowed the app to show.
    public var permission: PermissionName?
    /// What a client of the SNS interface keeps with it.
    public var customUserData: String?
    /// When it was first seen.
    public var createdAt: UTCTime
    /// When its token was last registered.
    public var lastSeenAt: UTCTime

    /// An endpoint; what the device says about itself is set afterwards.
    public init(
        id: PublicID,
        userID: String?,
        deviceToken: String,
        platform: EventPlatform,
        provider: PlatformName,
        environment: EnvironmentName?,
        installationID: PublicID?,
        isActive: Bool,
        inactiveReason: String?,
        createdAt: UTCTime,
        lastSeenAt: UTCTime
    ) {
        self.id = id
        self.userID = userID
        self.deviceToken = deviceToken
        self.platform = platform
        self.provider = provider
        self.environment = environment
        self.installationID = installationID
        self.isActive = isActive
        self.inactiveReason = inactiveReason
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case userID = "user_id"
        case deviceToken = "device_token"
        case platform, provider, environment
        case installationID = "installation_id"
        case isActive = "is_active"
        case inactiveReason = "inactive_reason"
        case inactiveReasonCode = "inactive_reason_code"
        case deviceModel = "device_model"
        case osVersion = "os_version"
        case appVersion = "app_version"
        case locale
        case timeZone = "time_zone"
        case permission
        case customUserData = "custom_user_data"
        case createdAt = "created_at"
        case lastSeenAt = "last_seen_at"
    }
}
