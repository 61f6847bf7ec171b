import Crypto
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
        let (old, new) = (before?.withoutSecrets(), after?.withoutSecrets())
        // Both sides in one form, so that what stayed the same is the same in both.
        let isLong = [old, new].contains { $0.map { $0.size > AuditDraft.documentLimit } ?? false }
        self.before = isLong ? old?.shortened : old
        self.after = isLong ? new?.shortened : new
    }

    /// The most bytes of what is kept of either side. Ours: an app's or a topic's attributes fit, a list of users does not.
    package static let documentLimit = 16_384
    /// The most characters of an id or a name.
    package static let textLimit = 256

    /// A text that every database takes, of a bounded length.
    package static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.lazy.filter { $0 != "\0" }.prefix(textLimit)))
    }

    /// The most bytes of a value that is kept whole in a document that is too long.
    fileprivate static let valueLimit = 256
}

extension JSONValue {
    /// How long it is as JSON.
    fileprivate var size: Int { (try? json().count) ?? .max }

    /// A document within ``AuditDraft/documentLimit`` that still says which of its values differ from another's.
    fileprivate var shortened: JSONValue {
        for value in [withoutLongValues, withoutLongMembers] where value.size <= AuditDraft.documentLimit {
            return value
        }
        return ["too_long": true]
    }

    /// Notes in place of long texts and lists, at any depth.
    private var withoutLongValues: JSONValue {
        guard case .object(let members) = self else { return size <= AuditDraft.valueLimit ? self : note }
        return .object(members.mapValues(\.withoutLongValues))
    }

    /// Notes in place of the document's members that are long.
    private var withoutLongMembers: JSONValue {
        guard case .object(let members) = self else { return note }
        return .object(members.mapValues { $0.size <= AuditDraft.valueLimit ? $0 : $0.note })
    }

    /// How long a value is, and what tells it from another.
    private var note: JSONValue {
        guard let json = try? json() else { return ["too_long": true] }
        return .string(
            "too long: \(json.count) bytes, SHA-256 \(Secret.base64URL(Array(SHA256.hash(data: json).prefix(6))))"
        )
    }

    /// How the name of a member ends whose value is a secret.
    private static let secretEndings = [
        "password", "passwords", "secret", "secrets", "token", "tokens", "private_key", "privatekey", "access_key",
        "sealed",
        "hash", "signature", "authorization", "cookie", "p8", "p12", "service_account", "custom_user_data",
    ]

    /// The value, with a note in place of what has the name of a secret. Whether there is one is still seen.
    package func withoutSecrets() -> JSONValue {
        switch self {
        case .array(let values): .array(values.map { $0.withoutSecrets() })
        case .object(let members): .object(members.reduce(into: [:]) { $0[$1.key] = $1.value.shown(as: $1.key) })
        case .null, .bool, .integer, .number, .decimal, .string: self
        }
    }

    private func shown(as name: String) -> JSONValue {
        switch self {
        case .null, .bool: return self
        default: break
        }
        // People give a topic's tags their names, whatever those say.
        if name == "tags" { return self }
        let name = name.lowercased()
        let isSecret = JSONValue.secretEndings.contains { name.hasSuffix($0) }
        return isSecret ? .string("not shown") : withoutSecrets()
    }
}
