import Foundation
import MartletCore
import MartletSQL
import MartletSQLite
import MartletTesting
import MartletWire
import Testing

@Suite("What a query in SQL cannot do")
struct EventQuerySafetyTests {
    @Test(
        "it writes nothing, attaches nothing, sets nothing, and reads no other table",
        arguments: [
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
    )
    func refused(sql: String) async throws {
        try await EventQueryTests.run { store, mine, _ in
            let failure = await #expect(throws: Failure.self) { try await EventQueryTests.ask(store, sql, mine) }
            #expect(failure?.code == .invalidValue)
            #expect(failure?.detail.field == "sql")
            let left = try await EventQueryTests.ask(store, "SELECT count(*) FROM mobile.push_events", nil)
            #expect(left.rows == [[240]])
        }
    }

    @Test(
        "it sees no other app's events, whatever it asks",
        arguments: [
            "SELECT count(*) FROM mobile.push_events WHERE app = 'other'",
            "SELECT count(*) FROM mobile.push_events WHERE user_id LIKE 'other%' OR 1",
            "SELECT count(*) FROM mobile.push_events a JOIN mobile.push_events b WHERE b.app = 'other'",
            "SELECT sum(CASE WHEN app = 'other' THEN abs(-9223372036854775808) ELSE 0 END) FROM mobile.push_events",
            "SELECT count(*) FROM (SELECT app FROM mobile.push_events UNION SELECT 'x') WHERE app = 'other'",
        ]
    )
    func foreign(sql: String) async throws {
        try await EventQueryTests.run { store, mine, _ in
            let rows = try await EventQueryTests.ask(store, sql, mine).rows
            #expect(rows == [[0]] || rows == [[120]], "\(rows)")
            let apps = try await EventQueryTests.ask(store, "SELECT DISTINCT app FROM mobile.push_events", mine)
            #expect(apps.rows == [["mine"]])
        }
    }

    @Test(
        "what never ends is ended, and the store goes on",
        arguments: [
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n) SELECT max(i) FROM n",
            """
            SELECT count(*) FROM mobile.push_events a, mobile.push_events b, mobile.push_events c, mobile.push_events d,
            mobile.push_events e
            """,
        ]
    )
    func endless(sql: String) async throws {
        try await EventQueryTests.run { store, mine, _ in
            let query = EventQuery(sql: sql, app: mine.row, timeLimit: .milliseconds(50))
            let failure = await #expect(throws: Failure.self) { try await store.query(query) }
            #expect(failure?.code == .queryTimedOut)
            let after = try await EventQueryTests.ask(store, "SELECT 1", mine)
            #expect(after.rows == [[1]])
            let events = try await store.events(EventFilter(), PageRequest())
            #expect(events.items.count == 100)
        }
    }

    @Test(
        "what writes a text of any width is no function of a query",
        arguments: ["printf('%.*c', 900000000, 'x')", "format('%900000000d', 1)", "load_extension('x')"]
    )
    func functions(expression: String) async throws {
        try await EventQueryTests.run { store, mine, _ in
            let sql = "SELECT \(expression) FROM mobile.push_events"
            let failure = await #expect(throws: Failure.self) { try await EventQueryTests.ask(store, sql, mine) }
            #expect(failure?.detail.message.hasPrefix("A query has no function ") == true)
        }
    }

    @Test("an answer that comes late is none, also where the clock was not looked at before its end")
    func late() async throws {
        try await EventQueryTests.run { store, mine, _ in
            let query = EventQuery(sql: "SELECT 1", app: mine.row, timeLimit: .zero)
            let failure = await #expect(throws: Failure.self) { try await store.query(query) }
            #expect(failure?.code == .queryTimedOut)
        }
    }

    @Test(
        "searching, replacing and trimming give what SQLite's own give",
        arguments: [
            ("instr('spring', 'ring')", 3), ("instr('spring', 'x')", 0), ("instr('日本語', '語')", 3),
            ("instr('a', '')", 1), ("instr(x'00ff01', x'01')", 3), ("instr('12', 2)", 2), ("instr(NULL, 'a')", .null),
            ("instr('a', NULL)", .null), ("replace('a-b-c', '-', '+')", "a+b+c"), ("replace('aaa', 'aa', 'b')", "ba"),
            ("replace('abc', '', 'x')", "abc"), ("replace('abc', 'c', '')", "ab"), ("replace('日本', '本', '語')", "日語"),
            ("replace(NULL, 'a', 'b')", .null), ("replace('a', 'a', NULL)", .null), ("replace('', 'a', 'b')", ""),
            ("trim('xxaxbxx', 'x')", "axb"), ("ltrim('xyxa', 'yx')", "a"), ("rtrim('aあい', 'いあ')", "a"),
            ("trim('xx', 'x')", ""), ("trim('a', '')", "a"), ("trim(NULL, 'x')", .null), ("trim(' a ')", "a"),
        ] as [(String, JSONValue)]
    )
    func texts(expression: String, expected: JSONValue) async throws {
        try await EventQueryTests.run { store, mine, _ in
            let answer = try await EventQueryTests.ask(store, "SELECT \(expression)", mine)
            #expect(answer.rows == [[expected]])
        }
    }

    @Test(
        "what grows beyond its bounds is refused",
        arguments: [
            ("SELECT zeroblob(1000000000)", "", 0, ""), ("SELECT randomblob(1000000000)", "", 0, ""),
            ("SELECT ", "-(", 1_000, "1" + String(repeating: ")", count: 1_000)), ("SELECT 1", ", 1", 1_000, ""),
            ("SELECT 1", " UNION ALL SELECT 1", 600, ""), ("SELECT '", "x", 100_000, "'"),
            ("SELECT group_concat(hex(zeroblob(49999))) FROM mobile.push_events", "", 0, ""),
            ("SELECT replace(hex(zeroblob(40000)), '0', hex(zeroblob(40000)))", "", 0, ""),
            ("SELECT 1", " + length(message_id)", 4_000, " FROM mobile.push_events"),
            ("SELECT type LIKE '", "x", 101, "' FROM mobile.push_events"),
        ]
    )
    func oversized(begin: String, part: String, count: Int, end: String) async throws {
        try await EventQueryTests.run { store, mine, _ in
            let sql = begin + String(repeating: part, count: count) + end
            let failure = await #expect(throws: Failure.self) { try await EventQueryTests.ask(store, sql, mine) }
            #expect(failure?.code == .invalidValue)
        }
    }

    @Test("more queries at a time than the readers can bear are refused, and then taken again")
    func crowd() async throws {
        try await EventQueryTests.run { store, mine, _ in
            let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
            let query = EventQuery(sql: endless, app: mine.row, timeLimit: .milliseconds(200))
            let codes = await withTaskGroup(of: ErrorCode?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        do { _ = try await store.query(query) } catch { return (error as? Failure)?.code }
                        return nil
                    }
                }
                return await group.reduce(into: [ErrorCode?]()) { $0.append($1) }
            }
            #expect(codes.contains(.queryTimedOut))
            #expect(codes.allSatisfy { $0 == .queryTimedOut || $0 == .overloaded })
            let after = try await EventQueryTests.ask(store, "SELECT 1", mine)
            #expect(after.rows == [[1]])
        }
    }
}
