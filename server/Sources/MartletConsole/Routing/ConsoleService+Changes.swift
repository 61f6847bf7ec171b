import MartletCore
import MartletStore
import MartletWire

extension ConsoleService {
    /// Writes down in the audit log what an operator did.
    func noteChange(
        _ action: AuditAction,
        of subject: AuditSubject,
        by call: ConsoleCall,
        app: RowID<App>? = nil,
        before: JSONValue? = nil,
        after: JSONValue? = nil
    ) async throws {
        let actor = try call.owner().actor
        try await store.record([AuditDraft(action, of: subject, by: actor, app: app, before: before, after: after)])
    }
}

extension Operator {
    /// Who is said to have changed what belongs to people.
    var changeActor: String { "operator \(name)" }
}

extension JSONValue {
    /// A text, or null where there is none.
    init(text: String?) { self = text.map(JSONValue.string) ?? .null }

    /// A choice, or null where there is none.
    init(flag: Bool?) { self = flag.map(JSONValue.bool) ?? .null }
}
