/// The keys of the SNS interface: an id that is sent, and a secret that signs and is never sent.
public protocol AccessKeyStore: Sendable {
    /// Stores an access key, whose id is new.
    ///
    /// - Parameter permissions: what it may do; `nil` is everything.
    func createAccessKey(
        id: String,
        sealed: [UInt8],
        name: String,
        permissions: [AccessPermission]?
    ) async throws -> StoredAccessKey

    /// The access key of an id, unless it was revoked.
    func accessKey(_ id: String) async throws -> StoredAccessKey?

    /// Access keys by age, revoked ones too, which have no secret any more.
    func accessKeys(_ page: PageRequest) async throws -> Page<StoredAccessKey>

    /// Revokes an access key and deletes its secret; says whether there was one in force.
    func revokeAccessKey(_ id: String) async throws -> Bool
}

extension AccessKeyStore {
    /// Stores an access key that may do everything.
    public func createAccessKey(id: String, sealed: [UInt8], name: String) async throws -> StoredAccessKey {
        try await createAccessKey(id: id, sealed: sealed, name: name, permissions: nil)
    }
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

    package init(
        row: RowID<StoredAccessKey>,
        id: String,
        sealed: [UInt8],
        name: String,
        createdAt: Timestamp,
        revokedAt: Timestamp?,
        permissions: [AccessPermission]? = nil
    ) {
        self.row = row
        self.id = id
        self.sealed = sealed
        self.name = name
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.permissions = permissions
    }

    /// What an access key's secret is sealed for.
    public static func purpose(of id: String) -> String { "access-key/\(id)" }
}
