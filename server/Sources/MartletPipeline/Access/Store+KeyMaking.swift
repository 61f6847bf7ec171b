package import MartletCore
package import MartletStore
package import MartletWire

/// What every interface that makes keys has to do for it: keys are shown once, and what is stored opens nothing.
extension Store {
    /// Makes an API key.
    ///
    /// - Returns: the key, and what its holder presents.
    /// - Throws: `Failure` naming `name`, or `app` where a client key has none.
    package func makeKey(
        _ scope: KeyScope,
        app: App?,
        name: String,
        expiry: KeyExpiry? = nil
    ) async throws -> (key: APIKey, secret: String) {
        try APIKey.validate(name: name)
        if scope == .client, app == nil {
            throw Failure.invalid("app", "A client key must be bound to an app.", hint: "Name the app, by id or name.")
        }
        let secret = Secret(prefix: "\(APIKey.mark)\(scope.rawValue)_")
        let key = try await createKey(
            app: app?.row,
            scope: scope,
            name: name,
            // Six characters of the random part: enough to tell keys apart, 36 of 256 bits.
            prefix: String(secret.text.prefix(APIKey.mark.count + scope.rawValue.count + 7)),
            hash: secret.hash,
            expiresAt: expiry?.moment
        )
        return (key, secret.text)
    }

    /// Makes an access key.
    ///
    /// - Parameter rules: what it may do, as texts; `nil` is everything.
    /// - Throws: `Failure` naming `name` or `allow`.
    package func makeAccessKey(
        name: String,
        rules: [String]?,
        expiry: KeyExpiry? = nil,
        vault: Vault
    ) async throws -> (key: StoredAccessKey, secret: String) {
        try APIKey.validate(name: name)
        let permissions = try rules.map { try AccessPermission.all($0) }
        let key = AccessKey()
        let sealed = try vault.seal(Array(key.secret.utf8), for: StoredAccessKey.purpose(of: key.id))
        let stored = try await createAccessKey(
            id: key.id,
            sealed: sealed,
            name: name,
            permissions: permissions,
            expiresAt: expiry?.moment
        )
        return (stored, key.secret)
    }
}
