/// What became of the SDK's registration.
public struct TokenRegistrationResponse: Sendable, Hashable, Codable {
    /// The endpoint's id.
    public var endpointID: PublicID
    /// The installation's id.
    public var installationID: PublicID
    /// The secret that every later call of the installation presents, when this one issued it.
    public var installationSecret: String?
    /// Who the device belongs to now.
    public var userID: String?
    /// The operating system.
    public var platform: EventPlatform
    /// The provider.
    public var provider: PlatformName
    /// The provider's environment, once known.
    public var environment: EnvironmentName?
    /// Whether pushes are made to it.
    public var isActive: Bool
    /// When the endpoint was first seen.
    public var createdAt: UTCTime
    /// When the token was last registered.
    public var registeredAt: UTCTime

    public init(
        endpointID: PublicID,
        installationID: PublicID,
        installationSecret: String?,
        userID: String?,
        platform: EventPlatform,
        provider: PlatformName,
        environment: EnvironmentName?,
        isActive: Bool,
        createdAt: UTCTime,
        registeredAt: UTCTime
    ) {
        self.endpointID = endpointID
        self.installationID = installationID
        self.installationSecret = installationSecret
        self.userID = userID
        self.platform = platform
        self.provider = provider
        self.environment = environment
        self.isActive = isActive
        self.createdAt = createdAt
        self.registeredAt = registeredAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case endpointID = "endpoint_id"
        case installationID = "installation_id"
        case installationSecret = "installation_secret"
        case userID = "user_id"
        case platform, provider, environment
        case isActive = "is_active"
        case createdAt = "created_at"
        case registeredAt = "registered_at"
    }
}
