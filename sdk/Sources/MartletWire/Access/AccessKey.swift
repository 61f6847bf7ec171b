/// Makes a key for clients of the SNS interface: `POST /api/v1/access-keys`.
public struct AccessKeyRequest: Sendable, Hashable, Codable {
    /// The operator's name for it, 1 to 100 bytes.
    public var name: String

    /// A request from its parts.
    public init(name: String) { self.name = name }

    enum CodingKeys: String, CodingKey {
        case name
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
    /// What signs requests: only in the answer that made it, never again.
    public var secretAccessKey: String?

    /// An answer from its parts.
    public init(
        accessKeyID: String,
        name: String,
        createdAt: UTCTime,
        revokedAt: UTCTime? = nil,
        secretAccessKey: String? = nil
    ) {
        self.accessKeyID = accessKeyID
        self.name = name
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.secretAccessKey = secretAccessKey
    }

    enum CodingKeys: String, CodingKey {
        case accessKeyID = "access_key_id"
        case name
        case createdAt = "created_at"
        case revokedAt = "revoked_at"
        case secretAccessKey = "secret_access_key"
    }
}
