import Logging
import MartletCore
import MartletPipeline
import MartletStore

/// The key that seals credentials: from the environment, or from a file in the data directory that is made when there
/// is none and nothing is sealed yet.
struct EncryptionKey: Sendable {
    /// The key that there is; `nil` where there is none yet.
    private let kept: Vault?
    private let data: DataFolder
    private let logger: Logger

    /// Reads the key.
    ///
    /// - Throws: `Failure` when it is not base64 of 32 bytes.
    init(given: String?, data: DataFolder, logger: Logger) throws {
        self.data = data
        self.logger = logger
        if let given {
            kept = try Vault(base64: given)
            return
        }
        guard let text = try DataFolder.read(data.encryptionKey) else {
            kept = nil
            return
        }
        kept = try Vault(base64: text)
    }

    /// A vault around the key, which is made where a new store has none.
    ///
    /// - Throws: `Failure` when the store's secrets were sealed with another key, or with one that is gone.
    func vault(for store: Store, at now: Timestamp) async throws -> Vault {
        let check = EncryptionKeyCheck(store: store)
        if kept == nil, try await check.hasSecrets() { throw EncryptionKeyCheck.missingKey }
        let vault = try kept ?? make()
        try await check.check(vault, at: now)
        return vault
    }

    private func make() throws -> Vault {
        let made = DataFolder.newEncryptionKey()
        try DataFolder.write(secret: made, to: data.encryptionKey)
        logger.warning(
            "a new encryption key is beside the database that it protects; in production set MARTLET_ENCRYPTION_KEY",
            metadata: ["file": "\(data.encryptionKey)"]
        )
        return try Vault(base64: made)
    }
}
