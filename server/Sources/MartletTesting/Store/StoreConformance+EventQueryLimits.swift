import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What queries in SQL about events cannot do, and how much.
    static let eventQueryLimits: [Check] = [
        Check("a query about events writes nothing, sets nothing, and reads no other table") { world in
            let (mine, _) = try await world.makeMinutes()
            for sql in refusedQueries {
                let failure = try await world.refusal(of: EventQuery(sql: sql, app: mine.row))
                try expect(failure?.code, is: .invalidValue, sql)
                try expect(failure?.detail.field, is: "sql", sql)
            }
            let left = try await world.query("SELECT count(*) FROM mobile.push_events", nil)
            try expect(left.rows, is: [[240]], "what is left")
        },
        Check("a query sees no other app's events, whatever it asks") { world in
            let (mine, _) = try await world.makeMinutes()
            for sql in foreignQueries {
                let rows = try await world.query(sql, mine).rows
                try expect(rows == [[0]] || rows == [[120]], "\(sql): \(rows)")
            }
            let apps = try await world.query("SELECT DISTINCT app FROM mobile.push_events", mine)
            try expect(apps.rows, is: [["mine"]], "apps")
        },
        Check("events beyond a query's rows and bytes are cut, and it is said") { world in
            let (mine, _) = try await world.makeMinutes()
            let all = "SELECT message_id FROM mobile.push_events"
            let rows = try await world.store.query(EventQuery(sql: all, app: mine.row, rowLimit: 119))
            try expect(rows.rows.count == 119 && rows.isTruncated, "one more row")
            let exact = try await world.store.query(EventQuery(sql: all, app: mine.row, rowLimit: 120))
            try expect(exact.rows.count == 120 && !exact.isTruncated, "as many rows")
            let wide = "SELECT hex(zeroblob(49999)) FROM mobile.push_events"
            let bytes = try await world.store.query(EventQuery(sql: wide, app: mine.row, byteLimit: 250_000))
            try expect(bytes.rows.count == 2 && bytes.isTruncated, "more bytes")
        },
        Check("a query about events that never ends is ended, and the store goes on") { world in
            let (mine, _) = try await world.makeMinutes()
            for sql in endlessQueries {
                let query = EventQuery(sql: sql, app: mine.row, timeLimit: .milliseconds(50))
                try expect(try await world.refusal(of: query)?.code, is: .queryTimedOut, sql)
                try expect(try await world.query("SELECT 1", mine).rows, is: [[1]], "the next query")
                let events = try await world.store.events(EventFilter(), PageRequest())
                try expect(events.items.count, is: 100, "a list")
            }
        },
        Check("an answer about events that comes late is none, also where no clock was looked at before") { world in
            let query = EventQuery(sql: "SELECT 1", app: nil, timeLimit: .zero)
            try expect(try await world.refusal(of: query)?.code, is: .queryTimedOut, "a late answer")
        },
        Check("a query about events has no function that writes a text of any width") { world in
            let (mine, _) = try await world.makeMinutes()
            for function in ["printf('%.*c', 900000000, 'x')", "format('%900000000d', 1)", "load_extension('x')"] {
                let sql = "SELECT \(function) FROM mobile.push_events"
                let failure = try await world.refusal(of: EventQuery(sql: sql, app: mine.row))
                try expect(failure?.detail.message.hasPrefix("A query has no function ") == true, function)
            }
        },
        Check("a query about events that grows beyond its bounds is refused") { world in
            let (mine, _) = try await world.makeMinutes()
            for (begin, part, count, end) in oversizedQueries {
                let sql = begin + String(repeating: part, count: count) + end
                let failure = try await world.refusal(of: EventQuery(sql: sql, app: mine.row))
                try expect(failure?.code, is: .invalidValue, begin + part)
            }
        },
        Check("more queries about events than the store can bear are refused, and then taken again") { world in
            let (mine, _) = try await world.makeMinutes()
            let query = EventQuery(sql: endlessQueries[0], app: mine.row, timeLimit: .milliseconds(200))
            let codes = try await withThrowingTaskGroup(of: ErrorCode?.self) { group in
                for _ in 0..<8 { group.addTask { try await world.refusal(of: query)?.code } }
                return try await group.reduce(into: [ErrorCode?]()) { $0.append($1) }
            }
            try expect(codes.contains(.queryTimedOut), "none ran: \(codes)")
            try expect(codes.allSatisfy { $0 == .queryTimedOut || $0 == .overloaded }, "\(codes)")
            try expect(try await world.query("SELECT 1", mine).rows, is: [[1]], "the next query")
        },
    ]

    private static let refusedQueries = [
        "ATTACH '/etc/passwd' AS x", "ATTACH ':memory:' AS x", "DETACH mobile", "PRAGMA query_only = OFF",
        "PRAGMA table_list", "SELECT * FROM pragma_table_list", "SELECT * FROM pragma_database_list",
        "DELETE FROM mobile.push_events", "UPDATE mobile.push_events SET type = 'open'",
        "INSERT INTO mobile.push_events (type) VALUES ('open')", "DROP TABLE mobile.push_events",
        "CREATE TABLE t (a)", "CREATE TEMP TABLE t (a)", "CREATE VIEW v AS SELECT 1", "VACUUM INTO '/tmp/stolen'",
        "CREATE VIRTUAL TABLE mobile.x USING martlet_events", "CREATE TEMP VIEW push_events AS SELECT 1",
        "BEGIN", "COMMIT", "SAVEPOINT a", "ANALYZE", "REINDEX", "EXPLAIN SELECT 1", "EXPLAIN QUERY PLAN SELECT 1",
        "SELECT load_extension('/tmp/x.so')", "SELECT * FROM sqlite_master", "SELECT * FROM mobile.sqlite_master",
        "SELECT sql FROM sqlite_schema", "SELECT * FROM sqlite_temp_master", "SELECT * FROM api_keys",
        "SELECT * FROM main.api_keys", "SELECT * FROM mobile.api_keys",
        "SELECT hash FROM main.push_events, api_keys", "SELECT count(*) FROM sqlite_master",
        "SELECT count(*) FROM pragma_database_list", "SELECT count(*) FROM json_each('[1]')",
        "WITH push_events AS (SELECT * FROM api_keys) SELECT * FROM push_events",
        "WITH push_events AS (SELECT * FROM sqlite_master) SELECT * FROM push_events",
        "SELECT (SELECT sealed FROM credentials LIMIT 1) FROM mobile.push_events", "SELECT * FROM martlet_events",
        "SELECT * FROM json_each('[1]')", "SELECT app_id FROM mobile.push_events", "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE mobile.push_events", "", ";", "-- nothing", "/*", "SELECT ?1", "SELEC 1",
        "SELECT * FROM mobile.push_events('x')", "SELECT readfile('/etc/passwd')", "SELECT 1\u{0}; DROP TABLE x",
        "SELECT fts3_tokenizer('simple')", "VALUES (1) UNION SELECT name FROM sqlite_master",
    ]

    private static let foreignQueries = [
        "SELECT count(*) FROM mobile.push_events WHERE app = 'other'",
        "SELECT count(*) FROM mobile.push_events WHERE user_id LIKE 'other%' OR 1",
        "SELECT count(*) FROM mobile.push_events a JOIN mobile.push_events b WHERE b.app = 'other'",
        "SELECT sum(CASE WHEN app = 'other' THEN abs(-9223372036854775808) ELSE 0 END) FROM mobile.push_events",
        "SELECT count(*) FROM (SELECT app FROM mobile.push_events UNION SELECT 'x') WHERE app = 'other'",
    ]

    private static let endlessQueries = [
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n) SELECT max(i) FROM n",
        """
        SELECT count(*) FROM mobile.push_events a, mobile.push_events b, mobile.push_events c, mobile.push_events d,
        mobile.push_events e
        """,
    ]

    private static let oversizedQueries = [
        ("SELECT zeroblob(1000000000)", "", 0, ""), ("SELECT randomblob(1000000000)", "", 0, ""),
        ("SELECT ", "-(", 1_000, "1" + String(repeating: ")", count: 1_000)), ("SELECT 1", ", 1", 1_000, ""),
        ("SELECT 1", " UNION ALL SELECT 1", 600, ""), ("SELECT '", "x", 100_000, "'"),
        ("SELECT group_concat(hex(zeroblob(49999))) FROM mobile.push_events", "", 0, ""),
        ("SELECT replace(hex(zeroblob(40000)), '0', hex(zeroblob(40000)))", "", 0, ""),
        ("SELECT 1", " + length(message_id)", 4_000, " FROM mobile.push_events"),
        ("SELECT type LIKE '", "x", 101, "' FROM mobile.push_events"),
    ]
}

extension World {
    /// Why a query is refused; `nil` where it is answered.
    fileprivate func refusal(of query: EventQuery) async throws -> Failure? {
        do { _ = try await store.query(query) } catch let failure as Failure { return failure }
        return nil
    }
}
