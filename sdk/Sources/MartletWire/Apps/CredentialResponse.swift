/// A credential without its secret.
public struct CredentialResponse: Sendable, Hashable, Codable {
    /// The provider.
    public var platform: PlatformName
    /// The provider's environment.
    public var environment: EnvironmentName
    /// How it authenticates.
    public var kind: CredentialKind
    /// The bundle id, at APNs.
    public var bundleID: String?
    /// The Firebase project's id, at FCM.
    public var projectID: String?
    /// The service account's address, at FCM.
    public var clientEmail: String?
    /// The VAPID key's public half as base64url, at Web Push.
    public var publicKey: String?
    /// Whom push services may write to, at Web Push.
    public var subject: String?
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
        kind: CredentialKind,
        bundleID: String? = nil,
        projectID: String? = nil,
        clientEmail: String? = nil,
        publicKey: String? = nil,
        subject: String? = nil,
        keyID: String?,
        teamID: String? = nil,
        expiresAt: UTCTime?,
        url: String?,
        createdAt: UTCTime
    ) {
        self.platform = platform
        self.environment = environment
        self.kind = kind
        self.bundleID = bundleID
        self.projectID = projectID
        self.clientEmail = clientEmail
        self.publicKey = publicKey
        self.subject = subject
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
        case projectID = "project_id"
        case clientEmail = "client_email"
        case publicKey = "public_key"
        case subject
        case keyID = "key_id"
        case teamID = "team_id"
        case expiresAt = "expires_at"
        case url
        case createdAt = "created_at"
    }
}

/// How a credential authenticates.
public enum CredentialKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// By provider tokens minted from a signing key.
    case token
    /// By a TLS client certificate.
    case certificate
    /// By access tokens that a service account of Google asks for.
    case serviceAccount = "service_account"
    /// By tokens that a site's key signs (RFC 8292).
    case vapid
}
