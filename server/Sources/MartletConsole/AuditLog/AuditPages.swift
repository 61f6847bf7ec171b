import MartletCore
import MartletStore
import MartletWire

/// Who changed what.
extension ConsoleService {
    var auditRoutes: [ConsoleRoute] {
        [.get("/audit", .readAuditLog) { call in .page(try await auditPage(call)) }]
    }

    /// The most operators of the list to choose from. Ours: nobody has as many.
    private static var chosenOperators: Int { 200 }

    private func auditPage(_ call: ConsoleCall) async throws -> Page {
        let query = AuditQuery(call.query)
        let choice = try await appChoice(call.query["app"])
        let app = choice.chosen
        let entries = try await store.auditEntries(query.filter(app: app?.row), call.listPage("audit"))
        let apps = try await apps(of: entries.items.compactMap(\.app))
        let operators = try await store.operators(.all, PageRequest(count: Self.chosenOperators)).items
        return Page(
            template: "audit",
            part: .audit,
            title: call.texts["audit.title"],
            values: [
                "entries": entries.items.map { Self.values($0, app: $0.app.flatMap { apps[$0] }, call) },
                "has_entries": !entries.items.isEmpty, "is_filtered": query.isFiltered || app != nil,
                "pager": call.pager("audit", next: entries.next),
                "app_options": choice.values,
                "actors": Self.actors(operators, chosen: query.actor, call),
                "actions": AuditWords(call.texts).choices(of: AuditWords.actions, chosen: query.action),
                "kinds": AuditWords(call.texts).choices(of: AuditWords.kinds, chosen: query.subjectKind),
                "asked_id": query.subjectID ?? "",
            ]
        )
    }

    /// Who can be asked for: the operators, the server itself, and whoever is asked for.
    private static func actors(_ operators: [Operator], chosen: String?, _ call: ConsoleCall) -> [PageValues] {
        var actors = operators.map { (word: AuditQuery.word(of: $0.actor), name: $0.name) }
        actors.append((AuditQuery.word(of: .system), call.texts["audit.system"]))
        if let chosen, !actors.contains(where: { $0.word == chosen }) { actors.append((chosen, chosen)) }
        return actors.map { ["actor_word": $0.word, "actor_name": $0.name, "actor_selected": $0.word == chosen] }
    }

    private static func values(_ entry: AuditEntry, app: App?, _ call: ConsoleCall) -> PageValues {
        let difference = AuditDifference(before: entry.before, after: entry.after)
        let words = AuditWords(call.texts)
        return [
            "entry_time": PageValues.time(entry.at),
            "entry_actor": entry.actor.kind == .system ? call.texts["audit.system"] : entry.actor.name,
            "entry_kind": entry.actor.kind == .key ? call.texts["audit.kind_key"] : "",
            "entry_actor_link": "/console/audit?" + Link.query(["actor": AuditQuery.word(of: entry.actor)]),
            "entry_action": entry.action.rawValue, "entry_act": words.words(of: entry.action.rawValue),
            "entry_action_link": "/console/audit?" + Link.query(["action": entry.action.rawValue]),
            "entry_subject": words.words(of: entry.subject.kind), "entry_subject_name": AuditWords.name(of: entry),
            "entry_subject_id": "\(entry.subject.kind) \(entry.subject.id)",
            "entry_subject_link": "/console/audit?"
                + Link.query(["subject": entry.subject.kind, "id": entry.subject.id]),
            "entry_app": app.map { ["app_name": $0.name, "app_link": "/console/apps/\($0.id)"] as PageValues }.asList,
            "entry_app_gone": entry.app != nil && app == nil, "has_no_app": entry.app == nil,
            "has_changes": !difference.changes.isEmpty,
            "changes": difference.changes.map(Self.values),
        ]
    }

    private static func values(_ change: AuditDifference.Change) -> PageValues {
        [
            "change_path": change.path, "change_has_path": !change.path.isEmpty,
            "change_before": change.before.asList, "change_after": change.after.asList,
            "change_both": change.before != nil && change.after != nil,
        ]
    }
}

/// What is asked of the audit log, as it stands in the page's address. A pure value.
struct AuditQuery: Sendable, Hashable {
    /// Who, as kind and id with a colon between them.
    var actor: String?
    var action: String?
    var subjectKind: String?
    var subjectID: String?

    init(_ query: FormValues) {
        (actor, action) = (query["actor"], query["action"])
        (subjectKind, subjectID) = (query["subject"], query["id"])
    }

    var isFiltered: Bool { actor != nil || action != nil || subjectKind != nil || subjectID != nil }

    /// A kind and an id in one word.
    static func word(of actor: AuditActor) -> String { "\(actor.kind.rawValue):\(actor.id)" }

    /// What the store is asked for; a subject is asked for by its kind and its id.
    func filter(app: RowID<App>?) -> AuditFilter {
        var filter = AuditFilter(app: app)
        if let parts = actor?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false),
            let kind = AuditActorKind(rawValue: String(parts[0]))
        {
            filter.actor = AuditFilter.Actor(kind, id: parts.count > 1 ? String(parts[1]) : "")
        }
        filter.action = action.map { AuditAction(rawValue: $0) }
        if let subjectKind, let subjectID { filter.subject = AuditSubject(subjectKind, subjectID) }
        return filter
    }
}
