public import MartletWire

/// A key of the REST interface: stored hashed, shown once.
public struct APIKey: Sendable, Hashable {
    /// The key inside the store.
    public var row: RowID<APIKey>
    /// The id outside.
    public var id: PublicID
    /// The one app that it is good for; `nil` means all.
    public var app: RowID<App>?
    /// What the holder may do.
    public var scope: KeyScope
    /// The operator's name for it.
    public var name: String
    /// The first characters, to recognise it by.
    public var prefix: String
    /// When it was made.
    public var createdAt: Timestamp
    /// When it was revoked.
    public var revokedAt: Timestamp?
    /// From when it opens nothing; `nil` is never.
    public var expiresAt: Timestamp?
    /// When it was used last, to ``KeyUses/interval``; `nil` of one that was never used.
    public var lastUsedAt: Timestamp?

    package init(
        row: RowID<APIKey>,
        id: PublicID,
        app: RowID<App>?,
        scope: KeyScope,
        name: String,
        prefix: String,
        createdAt: Timestamp,
        revokedAt: Timestamp?,
        expiresAt: Timestamp? = nil,
        lastUsedAt: Timestamp? = nil
    ) {
        self.row = row
        self.id = id
        self.app = app
        self.scope = scope
        self.name = name
        self.prefix = prefix
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }
}
