/// Makes an app: `POST /api/v1/apps`.
public struct AppRequest: Sendable, Hashable, Codable {
    /// The name.
    public var name: String
    /// How SDK calls say who the user is.
    public var identity: IdentityRequest?

    public init(name: String, identity: IdentityRequest? = nil) {
        self.name = name
        self.identity = identity
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case name, identity }
}

/// Changes an app: `PATCH /api/v1/apps/{app}`. What is absent stays.
public struct AppUpdate: Sendable, Hashable, Codable {
    /// The new name.
    public var name: String?
    /// What changes about the identity.
    public var identity: IdentityRequest?
    /// Whether reading on one device sends the new badge to the others.
    public var badgeSync: Bool?
    /// Where an SNS endpoint's `CustomUserData` has the user's id.
    public var snsUserPointer: NullablePatch<String>

    /// A change; the settings are set afterwards.
    public init(name: String? = nil, identity: IdentityRequest? = nil) {
        self.name = name
        self.identity = identity
        self.snsUserPointer = .unset
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name, identity
        case badgeSync = "badge_sync"
        case snsUserPointer = "sns_user_pointer"
    }
}

/// How an app's SDK calls say who the user is. Of `secret`, `jwks` and `jwks_url` at most one has a value; `null` clears
/// the one that user tokens are checked with.
public struct IdentityRequest: Sendable, Hashable, Codable {
    /// Whether the app's own word is enough.
    public var mode: IdentityMode?
    /// The `iss` claim of the user tokens.
    public var issuer: NullablePatch<String>
    /// The `aud` claim of the user tokens.
    public var audience: NullablePatch<String>
    /// The shared secret of HS256 tokens.
    public var secret: NullablePatch<String>
    /// The identity provider's JSON Web Key Set (RFC 7517).
    public var jwks: NullablePatch<JSONValue>
    /// Where the key set is published.
    public var jwksURL: NullablePatch<String>

    public init(
        mode: IdentityMode? = nil,
        issuer: NullablePatch<String> = .unset,
        audience: NullablePatch<String> = .unset,
        secret: NullablePatch<String> = .unset,
        jwks: NullablePatch<JSONValue> = .unset,
        jwksURL: NullablePatch<String> = .unset
    ) {
        self.mode = mode
        self.issuer = issuer
        self.audience = audience
        self.secret = secret
        self.jwks = jwks
        self.jwksURL = jwksURL
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case mode, issuer, audience, secret, jwks
        case jwksURL = "jwks_url"
    }
}

/// Whether an app's own word about its user is enough.
public enum IdentityMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// The app says who the user is.
    case asserted
    /// A signed user token says who the user is.
    case signed
}
