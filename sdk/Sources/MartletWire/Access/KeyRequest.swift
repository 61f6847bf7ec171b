/// What the holder of an API key may do.
public enum KeyScope: String, Sendable, Hashable, Codable, CaseIterable {
    /// Everything, on every app or on the one that the key is bound to.
    case admin
    /// Send, and read what became of it.
    case send
    /// Register its own installation: the key inside an app.
    case client
}

/// Makes an API key: `POST /api/v1/keys`.
public struct KeyRequest: Sendable, Hashable, Codable {
    /// What the holder may do.
    public var scope: KeyScope
    /// The id or name of the one app that it is good for.
    public var app: String?
    /// The operator's name for it.
    public var name: String
    /// From when it opens nothing.
    public var expiresAt: UTCTime?

    public init(scope: KeyScope, app: String? = nil, name: String, expiresAt: UTCTime? = nil) {
        self.scope = scope
        self.app = app
        self.name = name
        self.expiresAt = expiresAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case scope, app, name
        case expiresAt = "expires_at"
    }
}

/// An API key.
public struct KeyResponse: Sendable, Hashable, Codable {
    /// The id.
    public var id: PublicID
    /// What the holder may do.
    public var scope: KeyScope
    /// The one app that it is good for.
    public var appID: PublicID?
    /// The operator's name for it.
    public var name: String
    /// The first characters, to recognise it by.
    public var prefix: String
    /// When it was made.
    public var createdAt: UTCTime
    /// When it was revoked.
    public var revokedAt: UTCTime?
    /// From when it opens nothing.
    public var expiresAt: UTCTime?
    /// When it was used last, to ten minutes.
    public var lastUsedAt: UTCTime?
    /// The key itself.
    public var key: String?

    public init(
        id: PublicID,
        scope: KeyScope,
        appID: PublicID?,
        name: String,
        prefix: String,
        createdAt: UTCTime,
        revokedAt: UTCTime?,
        expiresAt: UTCTime? = nil,
        lastUsedAt: UTCTime? = nil,
        key: String? = nil
    ) {
        self.id = id
        self.scope = scope
        self.appID = appID
        self.name = name
        self.prefix = prefix
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.key = key
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id, scope
        case appID = "app_id"
        case name, prefix
        case createdAt = "created_at"
        case revokedAt = "revoked_at"
        case expiresAt = "expires_at"
        case lastUsedAt = "last_used_at"
        case key
    }
}
