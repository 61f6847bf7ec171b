import MartletCore
import MartletTesting
import Testing

@testable import MartletPostgres
@testable import MartletStore

/// What every poll and lease asks is found through an index however much waits: with the plan for parameters that are not
/// known, which a prepared statement has from its sixth run on.
@Suite struct PlanTests {
    @Test("hot statements read no table from its beginning where 20,000 batches wait in one queue")
    func plans() async throws {
        try await Databases.with { address in
            await (try PostgresStore.open(address, clock: ManualClock())).close()
            try PostgresServer.run(Self.rows, in: address)
            let statements = [
                SQL.nextQueue, SQL.nextWaiting, SQL.beginWaiting, SQL.isFree, SQL.isolated, SQL.isUrgent,
                SQL.nextFanOutApp,
                SQL.openFanOuts, SQL.isFanOutIsolated, SQL.acceptedOfBatch,
            ]
            for sql in statements {
                let plan = try Self.explain(sql, in: address)
                #expect(!plan.contains("Seq Scan"), "\(sql)\n\(plan)")
            }
        }
    }

    /// One queue's, all ready and of one class, as after a send to everybody.
    private static let rows = """
        SET session_replication_role = replica;
        INSERT INTO batches (id, notification_id, app_id, platform, environment, is_environment_known, state, class,
            attempts, accepted_at, expires_at, lease_until, lease_count, waiting_count, first_endpoint, last_endpoint,
            mark, members)
        SELECT n, n, 1, 1, 2, 1, 1, 1, 0, n, 9000000000000, 0, 0, 1, n, n, 0, '' FROM generate_series(1, 20000) n;
        INSERT INTO accepted (notification_id, first_endpoint, last_endpoint, batch_id, attempts, settled_at, members)
        SELECT 1, n, n, n, 1, n, '' FROM generate_series(1, 20000) n;
        INSERT INTO fan_outs (notification_id, app_id, state, class) SELECT n, 1, 1, 1 FROM generate_series(1, 20000) n;
        ANALYZE;
        """

    private static func explain(_ sql: String, in address: String) throws -> String {
        let text = PostgresDialect.text(sql)
        let count = text.matches(of: #/\$(\d+)/#).compactMap { Int($0.output.1) }.max() ?? 0
        let values = Array(repeating: "NULL", count: count).joined(separator: ", ")
        let prepare = "SET plan_cache_mode = force_generic_plan; PREPARE s AS \(text);"
        return try PostgresServer.run("\(prepare) EXPLAIN EXECUTE s(\(values))", in: address)
    }
}
