public import MartletCore
public import MartletStore
import MartletWire

/// Whether an encryption key is the one that the secrets in a store were sealed with: a constant lies there, sealed with it.
public struct EncryptionKeyCheck: Sendable {
    /// Under which name the constant lies there.
    static let name = "encryption-key"
    /// What is sealed; anything would do.
    private static let constant = Array("martlet".utf8)

    private let store: Store

    /// A check of the keys of this store.
    public init(store: Store) { self.store = store }

    /// Whether anything lies there that only one key opens.
    public func hasSecrets() async throws -> Bool {
        if try await store.sharedValue(Self.name) != nil { return true }
        return try await openings(with: nil) != nil
    }

    /// Checks a key, and makes it the store's where there is none.
    ///
    /// - Throws: `Failure` with ``ErrorCode/conflict`` when the secrets were sealed with another one.
    public func check(_ vault: Vault, at now: Timestamp) async throws {
        var standing = try await store.sharedValue(Self.name)
        if standing == nil {
            // A store from before the constant: some secret has to open.
            guard try await openings(with: vault) ?? true else { throw Self.wrongKey }
            let made = SharedValue(sealed: try vault.seal(Self.constant, for: Self.name), madeAt: now)
            standing = try await store.share(made, as: Self.name, insteadOf: nil)
        }
        guard let standing, (try? vault.open(standing.sealed, for: Self.name)) == Self.constant else {
            throw Self.wrongKey
        }
    }

    /// Whether a key opens one of the secrets; `nil` where there are none. Some may have been sealed with a key from long
    /// ago, so one that opens is enough.
    private func openings(with vault: Vault?) async throws -> Bool? {
        var hasAny = false
        func opens(_ sealed: [UInt8], _ purpose: String) -> Bool {
            hasAny = true
            return vault.map { (try? $0.open(sealed, for: purpose)) != nil } ?? false
        }
        let page = PageRequest(count: PageRequest.limit)
        for key in try await store.keys(.access, page).items.compactMap(\.access) where key.revokedAt == nil {
            if opens(key.sealed, StoredAccessKey.purpose(of: key.id)) { return true }
        }
        for app in try await store.apps(page).items {
            if case .secret(let sealed) = app.identity.verification, opens(sealed, Identity.purpose(of: app.id)) {
                return true
            }
            for credential in try await store.credentials(app.row) {
                if opens(credential.sealed, CredentialService.purpose(app.id, credential.platform)) { return true }
            }
        }
        return hasAny ? false : nil
    }

    private static let wrongKey = Failure(
        .conflict,
        "The encryption key is not the one that encrypted the secrets in the database.",
        hint: """
            Start with the MARTLET_ENCRYPTION_KEY or the encryption.key that encrypted them. If it is lost, see \
            'When the encryption key is lost' in docs/operations.md.
            """
    )

    /// What is said when there is no key at all and there are secrets.
    public static let missingKey = Failure(
        .conflict,
        "The database has encrypted secrets, and the encryption key is missing.",
        hint: """
            Set MARTLET_ENCRYPTION_KEY, or put encryption.key back into the data directory. If it is lost, see \
            'When the encryption key is lost' in docs/operations.md.
            """
    )
}
