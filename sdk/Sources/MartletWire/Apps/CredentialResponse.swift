/// A credential without its secret.
public struct CredentialResponse: Sendable, Hashable, Codable {
    /// How a credential authenticates.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// By provider tokens minted from a signing key.
        case token
        /// By a TLS client certificate.
        case certificate
    }

    /// The provider.
    public var platform: PlatformName
    /// The provider's environment.
    public var environment: EnvironmentName
    /// How it authenticates.
    public var kind: Kind
    /// The bundle id.
    public var bundleID: String
    /// The signing key's id.
    public var keyID: String?
    /// The team's id.
    public var teamID: String?
    /// When a certificate ceases to be valid.
    public var expiresAt: UTCTime?
    /// Another address than the provider's own.
    public var url: String?
    /// When it was stored.
    public var createdAt: UTCTime

    public init(
        platform: PlatformName,
        environment: EnvironmentName,
        kind: Kind,
        bundleID: String,
        keyID: String?,
        teamID: String?,
        expiresAt: UTCTime?,
        url: String?,
        createdAt: UTCTime
    ) {
        self.platform = platform
        self.environment = environment
        self.kind = kind
        self.bundleID = bundleID
        self.keyID = keyID
        self.teamID = teamID
        self.expiresAt = expiresAt
        self.url = url
        self.createdAt = createdAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case platform, environment, kind
        case bundleID = "bundle_id"
        case keyID = "key_id"
        case teamID = "team_id"
        case expiresAt = "expires_at"
        case url
        case createdAt = "created_at"
    }
}
