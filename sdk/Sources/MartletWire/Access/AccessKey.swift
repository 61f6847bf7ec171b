/// Makes a key for clients of the SNS interface: `POST /api/v1/access-keys`.
public struct AccessKeyRequest: Sendable, Hashable, Codable {
    /// The operator's name for it.
    public var name: String
    /// What it may do, as rules.
    public var allow: [String]?
    /// From when it opens nothing.
    public var expiresAt: UTCTime?

    public init(name: String, allow: [String]? = nil, expiresAt: UTCTime? = nil) {
        self.name = name
        self.allow = allow
        self.expiresAt = expiresAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name, allow
        case expiresAt = "expires_at"
    }
}

/// A key for clients of the SNS interface.
public struct AccessKeyResponse: Sendable, Hashable, Codable {
    /// What requests name.
    public var accessKeyID: String
    /// The operator's name for it.
    public var name: String
    /// When it was made.
    public var createdAt: UTCTime
    /// When it was revoked.
    public var revokedAt: UTCTime?
    /// From when it opens nothing.
    public var expiresAt: UTCTime?
    /// When it was used last, to ten minutes.
    public var lastUsedAt: UTCTime?
    /// What it may do.
    public var allow: [String]?
    /// What signs requests.
    public var secretAccessKey: String?

    public init(
        accessKeyID: String,
        name: String,
        createdAt: UTCTime,
        revokedAt: UTCTime? = nil,
        expiresAt: UTCTime? = nil,
        lastUsedAt: UTCTime? = nil,
        allow: [String]? = nil,
        secretAccessKey: String? = nil
    ) {
        self.accessKeyID = accessKeyID
        self.name = name
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.allow = allow
        self.secretAccessKey = secretAccessKey
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case accessKeyID = "access_key_id"
        case name
        case createdAt = "created_at"
        case revokedAt = "revoked_at"
        case expiresAt = "expires_at"
        case lastUsedAt = "last_used_at"
        case allow
        case secretAccessKey = "secret_access_key"
    }
}
