/// An app.
public struct AppResponse: Sendable, Hashable, Codable {
    /// The id.
    public var id: PublicID
    /// The name.
    public var name: String
    /// How SDK calls say who the user is.
    public var identity: IdentityResponse
    /// Whether reading on one device sends the new badge to the others.
    public var badgeSync: Bool
    /// Where an SNS endpoint's `CustomUserData` has the user's id.
    public var snsUserPointer: String?
    /// When it was made.
    public var createdAt: UTCTime

    public init(
        id: PublicID,
        name: String,
        identity: IdentityResponse,
        badgeSync: Bool = false,
        snsUserPointer: String? = nil,
        createdAt: UTCTime
    ) {
        self.id = id
        self.name = name
        self.identity = identity
        self.badgeSync = badgeSync
        self.snsUserPointer = snsUserPointer
        self.createdAt = createdAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, identity
        case badgeSync = "badge_sync"
        case snsUserPointer = "sns_user_pointer"
        case createdAt = "created_at"
    }
}

/// How an app's SDK calls say who the user is, without what is secret.
public struct IdentityResponse: Sendable, Hashable, Codable {
    /// Whether the app's own word is enough.
    public var mode: IdentityMode
    /// The `iss` claim of the user tokens.
    public var issuer: String?
    /// The `aud` claim of the user tokens.
    public var audience: String?
    /// What user tokens are checked with.
    public var verification: Verification?
    /// Where the key set is fetched from.
    public var jwksURL: String?

    /// What user tokens are checked with.
    public enum Verification: String, Sendable, Hashable, Codable, CaseIterable {
        /// A shared secret (HS256).
        case secret
        /// A key set that was handed over.
        case jwks
        /// A key set that is fetched.
        case jwksURL = "jwks_url"
    }

    public init(
        mode: IdentityMode,
        issuer: String?,
        audience: String?,
        verification: Verification?,
        jwksURL: String?
    ) {
        self.mode = mode
        self.issuer = issuer
        self.audience = audience
        self.verification = verification
        self.jwksURL = jwksURL
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case mode, issuer, audience, verification
        case jwksURL = "jwks_url"
    }
}
