import Foundation
public import MartletWire

/// A person who uses the console.
public struct Operator: Sendable, Hashable {
    /// The key inside the store.
    public var row: RowID<Operator>
    /// The id outside.
    public var id: PublicID
    /// What they sign in with.
    public var name: String
    package var role: OperatorRole
    package var password: PasswordHash
    package var createdAt: Timestamp
    /// Since when they cannot sign in. Operators are not deleted: the audit log names them.
    public var disabledAt: Timestamp?

    package init(
        row: RowID<Operator>,
        id: PublicID,
        name: String,
        role: OperatorRole,
        password: PasswordHash,
        createdAt: Timestamp,
        disabledAt: Timestamp?
    ) {
        self.row = row
        self.id = id
        self.name = name
        self.role = role
        self.password = password
        self.createdAt = createdAt
        self.disabledAt = disabledAt
    }

    /// Whether they may do everything, and may sign in.
    package var isActiveAdmin: Bool { role == .admin && disabledAt == nil }

    /// Who did something, for the audit log.
    public var actor: AuditActor { AuditActor(.operator, id: id.description, name: name) }

    /// What the audit log shows of them.
    package var audited: JSONValue {
        .object(["name": .string(name), "role": .string(role.rawValue), "disabled": .bool(disabledAt != nil)])
    }
}

extension Operator {
    /// The most characters of a name. Ours: it stands in lists and in the audit log.
    package static let nameLimit = 64

    /// Checks a name: something to read in one line.
    public static func validate(name: String, field: String = "name") throws(Failure) {
        guard (1...nameLimit).contains(name.unicodeScalars.count), !name.hasControlCharacters,
            !name.hasInvisibleCharacters, name.first?.isWhitespace == false, name.last?.isWhitespace == false
        else {
            throw .invalid(
                field,
                "An operator's name has 1 to \(nameLimit) characters, none of them a control or invisible character, "
                    + "and no space at its ends."
            )
        }
    }

    /// The form by which a name is found, so that *Ann* and *ann* are one operator.
    package static func key(of name: String) -> String {
        String(name.unicodeScalars.prefix(nameLimit)).precomposedStringWithCompatibilityMapping.lowercased()
    }
}

/// What changes about an operator; `nil` leaves it.
public struct OperatorChange: Sendable, Hashable {
    package var role: OperatorRole?
    /// A new password, which ends their sessions.
    public var password: PasswordHash?
    /// Whether they cannot sign in; it ends their sessions.
    public var isDisabled: Bool?
    /// The one session that a new password does not end: that of who changes it.
    public var keptSession: RowID<OperatorSession>?

    public init() {}

    /// The operator afterwards.
    package func applied(to known: Operator, at now: Timestamp) -> Operator {
        var changed = known
        if let role { changed.role = role }
        if let password { changed.password = password }
        if let isDisabled { changed.disabledAt = isDisabled ? known.disabledAt ?? now : nil }
        return changed
    }
}
