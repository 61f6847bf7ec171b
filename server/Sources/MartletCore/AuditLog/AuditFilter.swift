package import MartletWire

/// Which changes are asked for: those that meet all that is named.
public struct AuditFilter: Sendable, Hashable {
    /// Somebody, by their id outside.
    public struct Actor: Sendable, Hashable {
        package var kind: AuditActorKind
        package var id: String

        package init(_ kind: AuditActorKind, id: String) {
            self.kind = kind
            self.id = id
        }
    }

    package var actor: Actor?
    package var action: AuditAction?
    package var subject: AuditSubject?
    package var app: RowID<App>?

    package init(
        actor: Actor? = nil,
        action: AuditAction? = nil,
        subject: AuditSubject? = nil,
        app: RowID<App>? = nil
    ) {
        self.actor = actor
        self.action = action
        self.subject = subject
        self.app = app
    }
}
