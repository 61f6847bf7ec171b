public import MartletWire

/// A change on its way into the log. What could be a secret is left out here, whatever the caller gives.
public struct AuditDraft: Sendable, Hashable {
    package let actor: AuditActor
    package let action: AuditAction
    package let subject: AuditSubject
    package let app: RowID<App>?
    package let before: JSONValue?
    package let after: JSONValue?

    /// A change.
    ///
    /// - Parameters:
    ///   - before: what was there; `nil` for what was made.
    ///   - after: what is there now; `nil` for what is gone.
    public init(
        _ action: AuditAction,
        of subject: AuditSubject,
        by actor: AuditActor,
        app: RowID<App>? = nil,
        before: JSONValue? = nil,
        after: JSONValue? = nil
    ) {
        self.actor = actor
        self.action = action
        self.subject = subject
        self.app = app
        self.before = before.map(AuditDraft.document)
        self.after = after.map(AuditDraft.document)
    }

    /// The most bytes of what is kept of either side. Ours: an app's or a topic's attributes fit, a list of users does not.
    static let documentLimit = 16_384
    /// The most characters of an id or a name.
    static let textLimit = 256

    /// A text that every database takes, of a bounded length.
    static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.lazy.filter { $0 != "\0" }.prefix(textLimit)))
    }

    private static func document(_ value: JSONValue) -> JSONValue {
        let shown = value.withoutSecrets()
        let size = (try? shown.json().count) ?? .max
        return size <= documentLimit ? shown : .object(["too_long": .bool(true)])
    }
}

extension JSONValue {
    /// The words in a member's name that make its value a secret.
    private static let secretWords = [
        "password", "secret", "token", "private", "sealed", "hash", "signature", "authorization", "cookie", "p8", "p12",
        "service_account", "custom_user_data",
    ]

    /// The value, with a note in place of what has the name of a secret. Whether there is one is still seen.
    func withoutSecrets() -> JSONValue {
        switch self {
        case .array(let values): .array(values.map { $0.withoutSecrets() })
        case .object(let members): .object(members.reduce(into: [:]) { $0[$1.key] = $1.value.shown(as: $1.key) })
        case .null, .bool, .integer, .number, .string: self
        }
    }

    private func shown(as name: String) -> JSONValue {
        switch self {
        case .null, .bool: return self
        default: break
        }
        let name = name.lowercased()
        let isSecret = JSONValue.secretWords.contains { name.contains($0) }
        return isSecret ? .string("not shown") : withoutSecrets()
    }
}
