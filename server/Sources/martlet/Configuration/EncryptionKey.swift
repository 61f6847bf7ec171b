import Logging
import MartletCore

/// The key that seals credentials: from the environment, or from a file in the data directory that is made when there
/// is none.
enum EncryptionKey {
    /// A vault around the key.
    ///
    /// - Throws: `Failure` when the key is not base64 of 32 bytes.
    static func vault(given: String?, data: DataFolder, logger: Logger) throws -> Vault {
        if let given { return try Vault(base64: given) }
        if let kept = try DataFolder.read(data.encryptionKey) {
            if let mode = DataFolder.mode(of: data.encryptionKey), mode & 0o077 != 0 {
                logger.warning(
                    "others on this machine can read the encryption key: chmod 600",
                    metadata: ["file": "\(data.encryptionKey)"]
                )
            }
            return try Vault(base64: kept)
        }
        let made = DataFolder.newEncryptionKey()
        try DataFolder.write(secret: made, to: data.encryptionKey)
        logger.warning(
            "an encryption key was made beside the database that it protects; in production set MARTLET_ENCRYPTION_KEY",
            metadata: ["file": "\(data.encryptionKey)"]
        )
        return try Vault(base64: made)
    }
}
