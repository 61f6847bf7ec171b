/// Makes a key for clients of the SNS interface: `POST /api/v1/access-keys`.
public struct AccessKeyRequest: Sendable, Hashable, Codable {
    /// The operator's name for it.
    public var name: String
    /// What it may do, as rules.
    public var allow: [String]?

    public init(name: String, allow: [String]? = nil) {
        self.name = name
        self.allow = allow
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case name, allow }
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
    /// What it may do.
    public var allow: [String]?
    /// What signs requests.
    public var secretAccessKey: String?

    public init(
        accessKeyID: String,
        name: String,
        createdAt: UTCTime,
        revokedAt: UTCTime? = nil,
        allow: [String]? = nil,
        secretAccessKey: String? = nil
    ) {
        self.accessKeyID = accessKeyID
        self.name = name
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.allow = allow
        self.secretAccessKey = secretAccessKey
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case accessKeyID = "access_key_id"
        case name
        case createdAt = "created_at"
        case revokedAt = "revoked_at"
        case allow
        case secretAccessKey = "secret_access_key"
    }
}
