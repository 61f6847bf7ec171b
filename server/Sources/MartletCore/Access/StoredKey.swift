public import MartletWire

/// A key on its way into the store.
public enum KeyDraft: Sendable {
    /// An API key.
    case api(
        app: RowID<App>?,
        scope: KeyScope,
        name: String,
        prefix: String,
        hash: SecretHash,
        expiresAt: Timestamp?
    )
    /// An access key; without permissions it may do everything.
    case access(
        id: String,
        sealed: [UInt8],
        name: String,
        permissions: [AccessPermission]?,
        expiresAt: Timestamp?
    )
}

/// Which keys are asked for.
public enum KeySelection: Sendable, Hashable {
    /// One, expired ones too; a revoked one only by its id.
    case one(KeySelector)
    /// API keys, revoked ones too; of one app, or all.
    case api(app: RowID<App>?)
    /// Access keys, revoked ones too, which have no secret any more.
    case access
}

/// How a key is found.
public enum KeySelector: Sendable, Hashable {
    /// An API key by the hash of its secret.
    case hash(SecretHash)
    /// An API key by its id outside.
    case id(PublicID)
    /// An access key by its id.
    case accessKey(String)
}

/// A key of either kind.
public enum StoredKey: Sendable, Hashable {
    /// An API key.
    case api(APIKey)
    /// An access key.
    case access(StoredAccessKey)

    /// The API key, if it is one.
    public var api: APIKey? { if case .api(let key) = self { key } else { nil } }
    /// The access key, if it is one.
    public var access: StoredAccessKey? { if case .access(let key) = self { key } else { nil } }
}

/// An access key as it is stored. Signatures are checked with the secret itself, so it is sealed and not hashed.
public struct StoredAccessKey: Sendable, Hashable {
    /// The key inside the store.
    public var row: RowID<StoredAccessKey>
    /// The access key id.
    public var id: String
    /// The secret, sealed by the vault for ``purpose(of:)``; empty of a key that was revoked.
    public var sealed: [UInt8]
    /// The operator's name for it.
    public var name: String
    /// When it was made.
    public var createdAt: Timestamp
    /// When it was revoked.
    public var revokedAt: Timestamp?
    /// What it may do; `nil` is everything.
    public var permissions: [AccessPermission]?
    /// From when it opens nothing; `nil` is never.
    public var expiresAt: Timestamp?
    /// When it was used last, to ``KeyUses/interval``; `nil` of one that was never used.
    public var lastUsedAt: Timestamp?

    package init(
        row: RowID<StoredAccessKey>,
        id: String,
        sealed: [UInt8],
        name: String,
        createdAt: Timestamp,
        revokedAt: Timestamp?,
        permissions: [AccessPermission]? = nil,
        expiresAt: Timestamp? = nil,
        lastUsedAt: Timestamp? = nil
    ) {
        self.row = row
        self.id = id
        self.sealed = sealed
        self.name = name
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.permissions = permissions
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }

    /// What an access key's secret is sealed for.
    public static func purpose(of id: String) -> String { "access-key/\(id)" }
}
