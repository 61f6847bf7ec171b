import Foundation
public import MartletCore
import MartletWire

extension Store {
    /// Writes rows; what changes something in a transaction of its own writes them there.
    public func record(_ drafts: [AuditDraft]) async throws {
        guard !drafts.isEmpty else { return }
        try await write { transaction in for draft in drafts { try transaction.record(draft) } }
    }

    /// Changes, newest first; a page's key is an entry's.
    ///
    /// - Throws: `Failure` with ``ErrorCode/queryTimedOut`` when too many have to be looked at.
    public func auditEntries(_ filter: AuditFilter, _ page: PageRequest) async throws -> Page<AuditEntry> {
        try await readLong { transaction in
            Page(try transaction.auditEntries(filter, page), page) { $0.row.rawValue }
        }
    }
}

extension Transaction {
    /// Writes a change down, in the transaction that makes it.
    package func record(_ draft: AuditDraft) throws {
        try prepare(
            """
            INSERT INTO audit_log
                (at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, app_id, before, after)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        .bind(
            now,
            draft.actor.kind.code,
            draft.actor.id,
            draft.actor.name,
            draft.action.rawValue,
            draft.subject.kind,
            draft.subject.id,
            draft.app,
            try draft.before.map(AuditDraft.text),
            try draft.after.map(AuditDraft.text)
        )
        .run()
    }

    fileprivate func auditEntries(_ filter: AuditFilter, _ page: PageRequest) throws -> [AuditEntry] {
        let conditions = filter.conditions
        let statement = try prepare(SQL.auditEntries(conditions.map(\.column)))
        var position: Int32 = 1
        statement.set(position, page.after ?? .max)
        for condition in conditions {
            position += 1
            switch condition.value {
            case .number(let value): statement.set(position, value)
            case .text(let value): statement.set(position, value)
            }
        }
        statement.set(position + 1, page.count + 1)
        return try statement.all(AuditEntry.init)
    }

    func purgeAuditLog(before: Timestamp, limit: Int) throws -> Int {
        try prepare(SQL.purgeAuditLog).bind(before, limit).changes()
    }
}

extension SQL {
    /// Entries, newest first: before, a value for each column, limit.
    static func auditEntries(_ columns: [String]) -> String {
        let conditions = columns.map { " AND \($0) = ?" }.joined()
        let index = auditIndexes.first { columns.contains($0.column) }.map { " /*+ \($0.index) */" } ?? ""
        return """
            SELECT id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, app_id, before, after
            FROM audit_log\(index) WHERE id < ?\(conditions) ORDER BY id DESC LIMIT ?
            """
    }

    /// The indexes by a column that they begin with, beginning with the one of which fewest rows have the same.
    private static let auditIndexes = [
        (column: "subject_id", index: "audit_log_subject"), (column: "actor_id", index: "audit_log_actor"),
        (column: "action", index: "audit_log_action"), (column: "app_id", index: "audit_log_app"),
    ]

    /// Entries that are old: before, limit.
    static let purgeAuditLog = """
        DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE at < ? ORDER BY at, id LIMIT ?)
        """
}

extension AuditDraft {
    /// Equal values as equal texts.
    fileprivate static func text(_ value: JSONValue) throws -> String {
        String(decoding: try value.json(), as: UTF8.self)
    }
}

extension AuditFilter {
    fileprivate enum Value {
        case number(Int64)
        case text(String)
    }

    /// What is named, by column, in one order, so that there are few texts.
    fileprivate var conditions: [(column: String, value: Value)] {
        let named: [(column: String, value: Value?)] = [
            ("actor_kind", actor.map { .number($0.kind.code) }), ("actor_id", actor.map { .text($0.id) }),
            ("action", action.map { .text($0.rawValue) }), ("subject_kind", subject.map { .text($0.kind) }),
            ("subject_id", subject.map { .text($0.id) }), ("app_id", app.map { .number($0.rawValue) }),
        ]
        return named.compactMap { column, value in value.map { (column, $0) } }
    }
}

extension AuditEntry {
    fileprivate init(_ row: Row) throws {
        self.init(
            row: row.row("id"),
            at: row.time("at"),
            actor: AuditActor(try row.code("actor_kind"), id: row.text("actor_id"), name: row.text("actor_name")),
            action: AuditAction(rawValue: row.text("action")),
            subject: AuditSubject(row.text("subject_kind"), row.text("subject_id")),
            app: row.optionalRow("app_id"),
            before: row.isNull("before") ? nil : try row.json("before"),
            after: row.isNull("after") ? nil : try row.json("after")
        )
    }
}
