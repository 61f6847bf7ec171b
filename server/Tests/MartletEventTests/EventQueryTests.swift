import MartletCore
import MartletSQL
import MartletSQLite
import MartletTesting
import MartletWire
import Testing

@Suite("Queries in SQL")
struct EventQueryTests {
    /// Two apps with events over two hours, one a minute.
    static func run(_ test: (SQLStore, App, App) async throws -> Void) async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_800_000_000_000))
        let store = try await SQLiteStore.inMemory(clock: clock)
        let mine = try await store.createApp(name: "mine", identity: Identity())
        let other = try await store.createApp(name: "other", identity: Identity())
        for app in [mine, other] {
            let events = (0..<120).map { minute in
                var event = EventDraft(
                    type: minute.isMultiple(of: 2) ? .delivery : .open,
                    platform: minute.isMultiple(of: 10) ? .android : .ios,
                    clientTime: clock.now() - .seconds(60 * minute)
                )
                event.messageID = "m\(minute)"
                event.campaignID = "c"
                event.user = "\(app.name)-user"
                event.eventID = PublicID(high: 1, low: UInt64(minute))
                return event
            }
            _ = try await store.record(EventBatch(app: app.row, events: events, retention: .seconds(86_400)))
        }
        try await test(store, mine, other)
        await store.close()
    }

    static func ask(_ store: SQLStore, _ sql: String, _ app: App?) async throws -> EventTable {
        try await store.query(EventQuery(sql: sql, app: app?.row))
    }

    @Test("both queries of the guide run unchanged")
    func guide() async throws {
        try await Self.run { store, mine, _ in
            let first = try await Self.ask(store, SpecifiedQueries.newest, mine)
            #expect(first.columns == ["time", "type", "campaign_id", "message_id", "platform"])
            #expect(first.rows.count == 100)
            #expect(first.rows.first == [1_799_999_940, "open", "c", "m1", "ios"])
            let second = try await Self.ask(store, SpecifiedQueries.lastHour, mine)
            #expect(second.rows.count == 20)
            #expect(second.rows.first?.last == "mine-user")
            let hour = "SELECT count(*) FROM mobile.push_events WHERE time > td_time_add(now(), '-1h', 'JST')"
            let answer1 = try await Self.ask(store, hour, mine).rows
            #expect(answer1 == [[60]])
            let answer2 = try await Self.ask(store, hour, nil).rows
            #expect(answer2 == [[120]])
        }
    }

    @Test(
        "a bound on the time finds what it says, whichever way it is written",
        arguments: [
            ("time = 1800000000", 1), ("time >= 1799999940", 2), ("time > 1799999940", 1), ("time < 1799992920", 1),
            ("time <= 1799992920", 2), ("time > 1799999939.5", 2), ("time < 1799992860.5", 1), ("time > 'x'", 0),
            ("time < 'x'", 120), ("time IS NULL", 0), ("time > NULL", 0), ("time > 1e300", 0), ("time < -1e300", 0),
            ("time BETWEEN 1799999880 AND 1799999940", 2), ("1799999940 <= time", 2), ("time IN (1800000000, 5)", 1),
            ("time > -9223372036854775808", 120), ("time < 9223372036854775807", 120), ("time % 120 = 0", 60),
            ("time_ms = 1800000000000", 1), ("received_at = 1800000000", 120), ("client_time_ms IS NOT NULL", 0),
        ]
    )
    func bounds(condition: String, count: Int64) async throws {
        try await Self.run { store, mine, _ in
            let sql = "SELECT count(*) FROM mobile.push_events WHERE \(condition)"
            let answer3 = try await Self.ask(store, sql, mine).rows
            #expect(answer3 == [[.integer(count)]])
        }
    }

    @Test("every column is there, and * gives all of them")
    func columns() async throws {
        try await Self.run { store, mine, _ in
            let table = try await Self.ask(store, "SELECT * FROM mobile.push_events ORDER BY time LIMIT 1", mine)
            #expect(
                table.columns == [
                    "time", "type", "campaign_id", "td_campaign_id", "message_id", "platform", "user_id", "value",
                    "fcm_token", "apns_token", "installation_id", "event_id", "device_model", "os_version",
                    "app_version", "app", "time_ms", "client_time_ms", "received_at",
                ]
            )
            #expect(table.rows.first?.prefix(7) == [1_799_992_860, "open", "c", "c", "m119", "ios", "mine-user"])
            #expect(table.rows.first?[11] == "00000000-0000-0001-0000-000000000077")
            #expect(table.rows.first?[15] == "mine")
        }
    }

    @Test("joins, subqueries, recursion and aggregates work")
    func language() async throws {
        try await Self.run { store, mine, _ in
            let joined = """
                WITH opened AS (SELECT message_id FROM mobile.push_events WHERE type = 'open'),
                days(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM days WHERE n < 3)
                SELECT (SELECT count(*) FROM opened), (SELECT max(n) FROM days), count(DISTINCT a.platform)
                FROM mobile.push_events a JOIN mobile.push_events b ON a.message_id = b.message_id
                """
            let answer4 = try await Self.ask(store, joined, mine).rows
            #expect(answer4 == [[60, 3, 2]])
            let values = "SELECT 1.5, NULL, x'00ff', 9e999, 'é'; -- done"
            let answer5 = try await Self.ask(store, values, mine).rows
            #expect(answer5 == [[.number(1.5), .null, "00ff", .null, "é"]])
        }
    }

    @Test("rows and bytes beyond the limit are cut, and it is said")
    func limits() async throws {
        try await Self.run { store, mine, _ in
            let all = "SELECT message_id FROM mobile.push_events"
            let rows = try await store.query(EventQuery(sql: all, app: mine.row, rowLimit: 119))
            #expect(rows.rows.count == 119 && rows.isTruncated)
            let exact = try await store.query(EventQuery(sql: all, app: mine.row, rowLimit: 120))
            #expect(exact.rows.count == 120 && !exact.isTruncated)
            let wide = "SELECT hex(zeroblob(49999)) FROM mobile.push_events"
            let bytes = try await store.query(EventQuery(sql: wide, app: mine.row, byteLimit: 250_000))
            #expect(bytes.rows.count == 2 && bytes.isTruncated)
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
        try await Self.run { store, _, _ in
            let table = try await Self.ask(store, "SELECT \(expression)", nil)
            #expect(table.rows == [[.integer(expected)]])
        }
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
        try await Self.run { store, _, _ in
            let failure = await #expect(throws: Failure.self) { try await Self.ask(store, "SELECT \(expression)", nil) }
            #expect(failure?.detail.message.hasPrefix("td_time_add: ") == true)
        }
    }
}
