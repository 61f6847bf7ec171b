import MartletCore
import MartletSQLite
import MartletTesting
import Testing

@testable import MartletPostgres
@testable import MartletStore

/// Every text that the conformance suite has a store prepare is prepared by PostgreSQL, which tells the types of its
/// parameters from the text alone, and explained: tables that grow with what is sent are read through an index.
@Suite struct StatementTests {
    /// Tables of which no statement of a request, a poll or a batch may read every row.
    static let large: Set = [
        "notifications", "messages", "progress", "accepted", "deliveries", "suppressions", "withdrawals", "claims",
        "endpoints",
        "users",
        "preferences", "preference_changes", "installations", "push_events", "event_keys", "idempotency",
        "subscriptions", "inbox_items", "inbox_entries", "inbox_sets", "inbox_state",
        "former_devices", "operator_sessions", "audit_log",
        "minute_counts", "past_minute_counts", "hour_counts",
    ]

    @Test("every statement is prepared and explained")
    func all() async throws {
        let texts = CheckedDatabase.Texts()
        for check in StoreConformance.all {
            let clock = ManualClock()
            let memory = try await SQLiteStore.inMemory(clock: clock)
            let store = Store(CheckedDatabase(base: memory.database, texts: texts), Store.Options())
            try await check.run(store, clock, withdraw: store.withdraw)
            await store.close()
        }
        // It is run by whoever commits, outside of what is looked at.
        #expect(StatementRules.violation(SQL.countMinute) == nil)
        texts.insert(SQL.countMinute)
        #expect(texts.all.count > 300)
        try await Databases.with { address in
            for sql in texts.all {
                let plan: String
                do { plan = try Self.explain(sql, in: address) } catch {
                    Issue.record("\(error)")
                    continue
                }
                let read = Self.scanned(plan).intersection(Self.large)
                #expect(read.isEmpty, "every row of \(read.sorted()) is read: \(sql)\n\(plan)")
            }
        }
    }

    /// The plan for parameters that are not known, where reading a whole table is the last resort.
    private static func explain(_ sql: String, in address: String) throws -> String {
        let text = PostgresDialect.text(sql)
        let numbers = text.matches(of: #/\$(\d+)/#).compactMap { Int($0.output.1) }
        let parameters = (0..<(numbers.max() ?? 0)).map { _ in "NULL" }.joined(separator: ", ")
        return try PostgresServer.run(
            """
            SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; PREPARE s AS \(text);
            EXPLAIN EXECUTE s\(parameters.isEmpty ? "" : "(\(parameters))")
            """,
            in: address
        )
    }

    /// Tables, by their own names where partitions of them are read.
    private static func scanned(_ plan: String) -> Set<String> {
        Set(plan.matches(of: #/Seq Scan on (\w+?)(_default|_\d{8})?\b/#).map { String($0.output.1) })
    }
}
