package import MartletWire

/// What every interface that makes keys has to do for it: keys are shown once, and what is stored opens nothing.
extension KeyStore {
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

extension APIKey {
    /// What every API key starts with, so that keys and user tokens can be told apart.
    package static let mark = "mk_"
    /// The most characters of a key's name. Ours: it stands in lists.
    package static let nameLimit = 100

    /// Checks the name of a key of either kind.
    static func validate(name: String) throws(Failure) {
        guard !name.isEmpty else { throw .invalid("name", "It must not be empty.") }
        guard name.unicodeScalars.count <= nameLimit else {
            throw .invalid("name", "It has \(nameLimit) characters at most.")
        }
        guard !name.hasControlCharacters, !name.hasInvisibleCharacters else {
            throw .invalid("name", "It has no control or invisible characters.")
        }
    }

    /// What the audit log shows of it.
    package var audited: JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name), "scope": .string(scope.rawValue), "prefix": .string(prefix),
        ]
        if let expiresAt { members["expires_at"] = .string(UTCTime(expiresAt).description) }
        return .object(members)
    }
}

extension StoredAccessKey {
    /// What the audit log shows of it.
    package var audited: JSONValue {
        let rules = permissions.map { JSONValue.array($0.map { .string($0.text) }) }
        var members: [String: JSONValue] = ["name": .string(name), "allow": rules ?? .string("everything")]
        if let expiresAt { members["expires_at"] = .string(UTCTime(expiresAt).description) }
        return .object(members)
    }
}

extension AccessPermission {
    /// Reads the rules of one key: at least one, each of an action that there is.
    ///
    /// - Throws: `Failure` naming `allow`.
    package static func all(_ texts: [String]) throws(Failure) -> [AccessPermission] {
        guard (1...limit).contains(texts.count) else {
            throw .invalid(
                "allow",
                "It must have 1 to \(limit) rules.",
                hint: "Leave it out for a key that may do everything."
            )
        }
        var permissions: [AccessPermission] = []
        for text in texts {
            let permission = try AccessPermission(text)
            for action in permission.actions where !isAction(action) {
                throw .invalid(
                    "allow",
                    "Amazon SNS has no permission for \(action.text).",
                    hint: "For example publish, which is PublishBatch too, subscribe, get* or *."
                )
            }
            permissions.append(permission)
        }
        return permissions
    }

    private static func isAction(_ action: Action) -> Bool {
        SNSAction.allCases.contains { $0 != .publishBatch && action.matches($0.rawValue) }
    }
}
