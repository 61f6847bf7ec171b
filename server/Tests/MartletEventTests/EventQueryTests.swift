import MartletCore
import MartletSQLite
import MartletStore
import MartletTesting
import MartletWire
import Testing

@Suite("Queries in SQL")
struct EventQueryTests {
    private static func ask(_ sql: String) async throws -> [[JSONValue]] {
        let store = try await SQLiteStore.inMemory(clock: ManualClock(Timestamp(milliseconds: 1_800_000_000_000)))
        do {
            let table = try await store.query(EventQuery(sql: sql, app: nil, timeLimit: .seconds(60)))
            await store.close()
            return table.rows
        } catch {
            await store.close()
            throw error
        }
    }

    @Test(
        "td_time_add takes durations, zones and calendar times",
        arguments: [
            ("td_time_add(100000, '-1h')", 96_400), ("td_time_add(0, '7d', 'JST')", 604_800),
            ("td_time_add(0, '1d2h30m5s')", 95_405), ("td_time_add(0, '+1w', 'Asia/Tokyo')", 604_800),
            ("td_time_add(100, '-1m-5s')", 35), ("td_time_add('2026-03-01', '0s', 'JST')", 1_772_290_800),
            ("td_time_add('2026-03-01 12:00:00', '0s', 'UTC')", 1_772_366_400),
            ("td_time_add('2026-03-01 12:00:00', '0s', '+0900')", 1_772_334_000), ("now()", 1_800_000_000),
            ("TD_TIME_ADD(NOW(), '-7d', 'PST')", 1_799_395_200),
        ]
    )
    func times(expression: String, expected: Int64) async throws {
        #expect(try await Self.ask("SELECT \(expression)") == [[.integer(expected)]])
    }

    @Test(
        "what td_time_add cannot read is an error that says so",
        arguments: [
            "td_time_add(0, 'h')", "td_time_add(0, '')", "td_time_add(0, '1')", "td_time_add(0, '1y')",
            "td_time_add(0, '1d', 'Mars')", "td_time_add('soon', '1d')", "td_time_add(9223372036854775807, '1d')",
            "td_time_add(0, '999999999999999999w')", "td_time_add('2026-99-01', '1d')", "td_time_add(0, '--')",
        ]
    )
    func badTimes(expression: String) async throws {
        let failure = await #expect(throws: Failure.self) { try await Self.ask("SELECT \(expression)") }
        #expect(failure?.detail.message.hasPrefix("td_time_add: ") == true)
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
        #expect(try await Self.ask("SELECT \(expression)") == [[expected]])
    }

    @Test(
        "values of a group are gathered as JSON as SQLite's own functions do",
        arguments: [
            ("json_group_array(x)", "[1,2,null,\"a\\\"\\\\\\u000a\",1.5]"),
            ("json_group_array(x) FILTER (WHERE x IS NOT NULL)", "[1,2,\"a\\\"\\\\\\u000a\",1.5]"),
            ("json_group_array(json_array(n))", "[[1],[2],[3],[4],[5]]"),
            ("json_group_object('k' || n, n)", "{\"k1\":1,\"k2\":2,\"k3\":3,\"k4\":4,\"k5\":5}"),
            ("json_group_array(x) FILTER (WHERE n > 9)", "[]"), ("json_group_object(n, x) FILTER (WHERE n > 9)", "{}"),
            ("json_type(json_group_array(x))", "array"),
        ]
    )
    func groups(expression: String, expected: String) async throws {
        let rows =
            "(SELECT 1 x, 1 n UNION ALL SELECT 2, 2 UNION ALL SELECT NULL, 3 "
            + "UNION ALL SELECT 'a\"\\' || char(10), 4 UNION ALL SELECT 1.5, 5)"
        #expect(try await Self.ask("SELECT \(expression) FROM \(rows)") == [[.string(expected)]])
    }

    @Test(
        "a group's JSON ends at the length that every value has",
        arguments: ["json_group_array(hex(zeroblob(20000)))", "json_group_object(n, hex(zeroblob(20000)))"]
    )
    func longGroup(expression: String) async throws {
        let rows = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000)"
        let failure = await #expect(throws: Failure.self) { try await Self.ask("\(rows) SELECT \(expression) FROM c") }
        #expect(failure?.detail.field == "sql")
        // A group that went on would come to the query's time limit, with another message.
        #expect(failure?.detail.message.contains("too big") == true, "\(failure?.detail.message ?? "")")
    }

    @Test("what a query sorts ends at a length, in one temporary file or in several")
    func longSort() async throws {
        let rows = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 10000)"
        func sort(_ bytes: Int) async throws -> Int {
            let sql = "\(rows) SELECT n FROM c ORDER BY hex(zeroblob(\(bytes))) || ((n * 7919) % 10007)"
            return try await Self.ask(sql).count
        }
        #expect(try await sort(1_000) > 0)
        let failure = await #expect(throws: Failure.self) { _ = try await sort(40_000) }
        #expect(failure?.detail.message.contains("more than 256 MiB") == true, "\(failure?.detail.message ?? "")")
        // Two files of 160 MB each.
        let both = await #expect(throws: Failure.self) {
            let table = ", t AS MATERIALIZED (SELECT n, hex(zeroblob(8000)) AS x FROM c)"
            _ = try await Self.ask("\(rows)\(table) SELECT n FROM t ORDER BY x || ((n * 7919) % 10007)")
        }
        #expect(both?.detail.message.contains("more than 256 MiB") == true, "\(both?.detail.message ?? "")")
        // What they took is free again.
        #expect(try await sort(1_000) > 0)
    }
}
