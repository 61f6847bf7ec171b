package import MartletWire

extension APIKey {
    /// What every API key starts with, so that keys and user tokens can be told apart.
    package static let mark = "mk_"
    /// The most characters of a key's name. Ours: it stands in lists.
    package static let nameLimit = 100

    /// Checks the name of a key of either kind.
    package static func validate(name: String) throws(Failure) {
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
