import MartletCore
import MartletStore
import MartletWire

/// Who changed what, read by administrators of the whole server.
extension MartletAPI {
    func listAuditLog(_ call: Call) async throws -> List<AuditItem> {
        try checkIsUnbound(call, "the audit log is of")
        let page = try call.page()
        var filter = AuditFilter()
        if let text = call.query("actor") { filter.actor = try await actor(named: text) }
        filter.action = call.query("action").map { AuditAction(rawValue: $0) }
        filter.subject = try call.query("subject").map(AuditSubject.init(named:))
        filter.app = try await optionalApp(call.query("app"), for: call.caller)?.row
        let entries = try await store.auditEntries(filter, page)
        let ids = try await appIDs(of: entries.items.compactMap(\.app))
        return call.list(entries) { AuditItem($0, app: $0.app.flatMap { ids[$0] }) }
    }

    /// The operator or key that a text names: `system`, an operator's name, an id.
    ///
    /// - Throws: `Failure` naming `actor` for what is no id and no operator's name.
    private func actor(named text: String) async throws -> AuditFilter.Actor {
        if text == AuditActor.system.name { return AuditFilter.Actor(.system, id: AuditActor.system.id) }
        let id = PublicID(text)
        if let known = try await store.operator(id.map(OperatorSelector.id) ?? .name(text)) {
            return AuditFilter.Actor(.operator, id: known.id.description)
        }
        if let id { return AuditFilter.Actor(.key, id: id.description) }
        guard AccessKey.isID(text) else {
            throw Failure.invalid(
                "actor",
                "There is no operator of this name.",
                hint: "Name an operator by name or id, a key by its id, or 'system'."
            )
        }
        return AuditFilter.Actor(.key, id: text)
    }
}

extension AuditSubject {
    /// What a text such as `category:news` names.
    ///
    /// - Throws: `Failure` naming `subject`.
    fileprivate init(named text: String) throws(Failure) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else {
            throw .invalid(
                "subject",
                "A subject is a kind and an id with a colon between them.",
                hint: "For example app:01890a5d-ac96-774b-bcce-b302099a8057 or category:news."
            )
        }
        self.init(String(parts[0]), String(parts[1]))
    }
}

extension AuditItem {
    fileprivate init(_ entry: AuditEntry, app: PublicID?) {
        self.init(
            at: UTCTime(entry.at),
            actor: Actor(kind: entry.actor.kind, id: entry.actor.id, name: entry.actor.name),
            action: entry.action.rawValue,
            subject: Subject(kind: entry.subject.kind, id: entry.subject.id),
            appID: app,
            before: entry.before,
            after: entry.after
        )
    }
}
