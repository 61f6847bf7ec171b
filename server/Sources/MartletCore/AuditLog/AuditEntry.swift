public import MartletWire

/// A change that somebody made. The log is only added to, and read newest first.
public struct AuditEntry: Sendable, Hashable {
    /// The key inside the store; it grows with time.
    public var row: RowID<AuditEntry>
    package var at: Timestamp
    package var actor: AuditActor
    package var action: AuditAction
    package var subject: AuditSubject
    /// The app that it was about, which may be gone.
    public var app: RowID<App>?
    /// What was there, without secrets.
    public var before: JSONValue?
    /// What is there now, without secrets.
    public var after: JSONValue?

    package init(
        row: RowID<AuditEntry>,
        at: Timestamp,
        actor: AuditActor,
        action: AuditAction,
        subject: AuditSubject,
        app: RowID<App>?,
        before: JSONValue?,
        after: JSONValue?
    ) {
        self.row = row
        self.at = at
        self.actor = actor
        self.action = action
        self.subject = subject
        self.app = app
        self.before = before
        self.after = after
    }
}

/// Who changes something.
public struct AuditActor: Sendable, Hashable {
    package var kind: AuditActorKind
    /// Their id outside; empty of the system.
    public var id: String
    /// Their name at that time.
    public var name: String

    public init(_ kind: AuditActorKind, id: String, name: String) {
        self.kind = kind
        self.id = AuditDraft.shown(id)
        self.name = AuditDraft.shown(name)
    }

    /// The holder of a key.
    public init(_ key: APIKey) {
        self.init(.key, id: key.id.description, name: key.name.isEmpty ? key.prefix : key.name)
    }

    /// The holder of an access key.
    package init(_ key: StoredAccessKey) {
        self.init(.key, id: key.id, name: key.name.isEmpty ? key.id : key.name)
    }

    /// The server itself.
    public static let system = AuditActor(.system, id: "", name: "system")
}

/// What was done, as `noun.verb`.
public struct AuditAction: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
    /// The noun, a dot, and the verb.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral text: String) { rawValue = text }

    package static let inviteOperator: AuditAction = "operator.invite"
    package static let resetPassword: AuditAction = "operator.reset_password"
    package static let createOperator: AuditAction = "operator.create"
    package static let updateOperator: AuditAction = "operator.update"
    package static let wrongPassword: AuditAction = "operator.wrong_password"
    package static let startSession: AuditAction = "session.start"
    package static let endSession: AuditAction = "session.end"
    package static let sendNotification: AuditAction = "notification.send"
    package static let testNotification: AuditAction = "notification.test"
    package static let cancelNotification: AuditAction = "notification.cancel"
    package static let recallNotification: AuditAction = "notification.recall"
}

/// What was changed.
public struct AuditSubject: Sendable, Hashable {
    /// The noun, such as `app`, `key`, `operator`.
    public var kind: String
    /// Its id outside, or its name where it has none.
    public var id: String

    public init(_ kind: String, _ id: String) {
        self.kind = AuditDraft.shown(kind)
        self.id = AuditDraft.shown(id)
    }

    package init(_ changed: Operator) { self.init("operator", changed.id.description) }

    /// A notification, by its id outside.
    package static func notification(_ id: PublicID) -> AuditSubject { AuditSubject("notification", id.description) }
}
