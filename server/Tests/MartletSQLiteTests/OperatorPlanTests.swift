import GRDB
import MartletTesting
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// What each request to the console asks for, and what is listed and swept, is found along an index.
@Suite struct OperatorPlanTests {
    private static func expect(_ name: String, _ sql: String, _ plan: String...) -> QueryPlanTests.Expectation {
        QueryPlanTests.Expectation(name: name, sql: sql, plan: plan)
    }

    static let operators = [
        expect(
            "an operator by name",
            SQL.operatorByName,
            "SEARCH o USING INDEX sqlite_autoindex_operators_2 (name_key=?)"
        ),
        expect(
            "an operator by id",
            SQL.operatorByID,
            "SEARCH o USING INDEX sqlite_autoindex_operators_1 (public_id=?)"
        ),
        expect(
            "an invitation that is redeemed",
            SQL.endInvitation,
            "SEARCH operator_invitations USING INDEX sqlite_autoindex_operator_invitations_1 (hash=?)"
        ),
        expect(
            "the session of a request",
            SQL.session,
            "SEARCH s USING INDEX sqlite_autoindex_operator_sessions_2 (hash=?)",
            "SEARCH o USING INTEGER PRIMARY KEY (rowid=?)"
        ),
        expect(
            "an operator's sessions",
            SQL.sessionsOfOperator,
            "SEARCH o USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH s USING INDEX operator_sessions_operator (operator_id=? AND id>?)"
        ),
        expect("the use of a key", SQL.noteKeyUse, "SEARCH api_keys USING INTEGER PRIMARY KEY (rowid=?)"),
        expect(
            "the use of an access key",
            SQL.noteAccessKeyUse,
            "SEARCH access_keys USING INTEGER PRIMARY KEY (rowid=?)"
        ),
        expect(
            "the use of a session",
            SQL.noteSessionUse,
            "SEARCH operator_sessions USING INTEGER PRIMARY KEY (rowid=?)"
        ),
        expect(
            "sessions beyond the limit",
            SQL.trimSessions,
            "SEARCH operator_sessions USING INTEGER PRIMARY KEY (rowid=?)",
            "LIST SUBQUERY 1",
            "SEARCH operator_sessions USING COVERING INDEX operator_sessions_operator (operator_id=?)"
        ),
        expect(
            "sessions that are over",
            SQL.purgeSessions,
            "SEARCH operator_sessions USING INTEGER PRIMARY KEY (rowid=?)",
            "LIST SUBQUERY 1",
            "SEARCH operator_sessions USING COVERING INDEX operator_sessions_age (expires_at<?)"
        ),
        expect(
            "invitations that are over",
            SQL.purgeInvitations,
            "SEARCH operator_invitations USING INTEGER PRIMARY KEY (rowid=?)",
            "LIST SUBQUERY 1",
            "SEARCH operator_invitations USING COVERING INDEX operator_invitations_age (expires_at<?)"
        ),
        expect(
            "browsers beyond the limit",
            SQL.trimBrowsers,
            "SEARCH operator_browsers USING PRIMARY KEY (operator_id=? AND hash=?)",
            "LIST SUBQUERY 1",
            "SEARCH operator_browsers USING PRIMARY KEY (operator_id=?)",
            "USE TEMP B-TREE FOR ORDER BY"
        ),
        expect(
            "reviews beyond the limit",
            SQL.trimReviews,
            "SEARCH send_reviews USING INTEGER PRIMARY KEY (rowid=?)",
            "LIST SUBQUERY 1",
            "SEARCH send_reviews USING COVERING INDEX send_reviews_operator (operator_id=?)"
        ),
        expect(
            "reviews that are old",
            SQL.purgeReviews,
            "SEARCH send_reviews USING INTEGER PRIMARY KEY (rowid=?)",
            "LIST SUBQUERY 1",
            "SEARCH send_reviews USING COVERING INDEX send_reviews_age (created_at<?)"
        ),
        expect(
            "an operator's equal send",
            SQL.submittedLike,
            "SEARCH idempotency USING PRIMARY KEY (key_id=? AND route=? AND value>? AND value<?)",
            "USE TEMP B-TREE FOR ORDER BY"
        ),
    ]

    static let auditLog = [
        expect("the newest changes", SQL.auditEntries([]), "SEARCH audit_log USING INTEGER PRIMARY KEY (rowid<?)"),
        expect(
            "changes by an actor",
            SQL.auditEntries(["actor_kind", "actor_id"]),
            "SEARCH audit_log USING INDEX audit_log_actor (actor_kind=? AND actor_id=? AND id<?)"
        ),
        expect(
            "changes of a kind",
            SQL.auditEntries(["action"]),
            "SEARCH audit_log USING INDEX audit_log_action (action=? AND id<?)"
        ),
        expect(
            "changes of a subject",
            SQL.auditEntries(["subject_kind", "subject_id"]),
            "SEARCH audit_log USING INDEX audit_log_subject (subject_kind=? AND subject_id=? AND id<?)"
        ),
        expect(
            "changes of an app",
            SQL.auditEntries(["app_id"]),
            "SEARCH audit_log USING INDEX audit_log_app (app_id=? AND id<?)"
        ),
        expect(
            "changes of a kind by an actor in an app",
            SQL.auditEntries(["actor_kind", "actor_id", "action", "app_id"]),
            "SEARCH audit_log USING INDEX audit_log_actor (actor_kind=? AND actor_id=? AND id<?)"
        ),
        expect(
            "changes of a kind in an app",
            SQL.auditEntries(["action", "app_id"]),
            "SEARCH audit_log USING INDEX audit_log_action (action=? AND id<?)"
        ),
        expect(
            "changes of a subject by all that there is to name",
            SQL.auditEntries(["actor_kind", "actor_id", "action", "subject_kind", "subject_id", "app_id"]),
            "SEARCH audit_log USING INDEX audit_log_subject (subject_kind=? AND subject_id=? AND id<?)"
        ),
        expect(
            "changes that are old",
            SQL.purgeAuditLog,
            "SEARCH audit_log USING INTEGER PRIMARY KEY (rowid=?)",
            "LIST SUBQUERY 1",
            "SEARCH audit_log USING COVERING INDEX audit_log_age (at<?)"
        ),
    ]

    @Test("the plan of", arguments: operators + auditLog)
    func plan(_ expectation: QueryPlanTests.Expectation) async throws {
        let store = try await SQLiteStore.inMemory(clock: ManualClock())
        let plan = try await store.sqlite.read { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + SQLiteDialect.text(expectation.sql))
            statement.setUncheckedArguments(StatementArguments())
            return try GRDB.Row.fetchAll(statement).map { $0["detail"] as String }
        }
        #expect(plan == expectation.plan)
        await store.close()
    }
}
