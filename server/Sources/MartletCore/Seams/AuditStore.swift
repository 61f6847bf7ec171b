/// Who changed what.
public protocol AuditStore: Sendable {
    /// Writes changes down, in their order, with the present moment. Changes of operators and their sessions write down
    /// themselves what they do, in their own transaction.
    func record(_ drafts: [AuditDraft]) async throws

    /// Changes, newest first; a page's key is an entry's.
    ///
    /// - Throws: `Failure` with ``ErrorCode/queryTimedOut`` when too many have to be looked at.
    func auditEntries(_ filter: AuditFilter, _ page: PageRequest) async throws -> Page<AuditEntry>
}

/// Which changes are asked for: those that meet all that is named.
public struct AuditFilter: Sendable, Hashable {
    public var actorKind: AuditActor.Kind?
    /// One actor of that kind, by their id outside.
    public var actorID: String?
    public var action: AuditAction?
    /// The noun.
    public var subjectKind: String?
    /// One subject of that noun, by its id outside.
    public var subjectID: String?
    public var app: RowID<App>?

    /// All changes.
    public init() {}
}
