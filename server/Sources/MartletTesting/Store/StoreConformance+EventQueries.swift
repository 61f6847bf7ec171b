import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What queries in SQL about events answer.
    static let eventQueries: [Check] = [
        Check("both queries about events of the guide run unchanged") { world in
            let (mine, _) = try await world.makeMinutes()
            let newest = try await world.query(SpecifiedQueries.newest, mine)
            try expect(newest.columns, is: ["time", "type", "campaign_id", "message_id", "platform"], "columns")
            try expect(newest.rows.count, is: 100, "the newest")
            let first: [JSONValue] = [.integer(world.now.seconds - 60), "open", "c", "m1", "ios"]
            try expect(newest.rows.first, is: first, "the first")
            let lastHour = try await world.query(SpecifiedQueries.lastHour, mine).rows
            try expect(lastHour.count, is: 20, "the last hour's")
            try expect(lastHour.first?.last, is: "mine-user", "whose it is")
            let hour = "SELECT count(*) FROM mobile.push_events WHERE time > td_time_add(now(), '-1h', 'JST')"
            try expect(try await world.query(hour, mine).rows, is: [[60]], "one app's")
            try expect(try await world.query(hour, nil).rows, is: [[120]], "all apps'")
        },
        Check("a bound on the time of events finds what it says, whichever way it is written") { world in
            let (mine, _) = try await world.makeMinutes()
            for (condition, count) in conditions(at: world.now.seconds) {
                let sql = "SELECT count(*) FROM mobile.push_events WHERE \(condition)"
                try expect(try await world.query(sql, mine).rows, is: [[.integer(count)]], condition)
            }
        },
        Check("a query about events has all columns, with what was kept") { world in
            let app = try await world.makeApp()
            let phone = try await world.phone(app, token: 1)
            var event = world.event(.linkOpen, message: "m", of: phone.id)
            (event.campaignID, event.value) = ("c", "https://example.com/é")
            event.fcmToken = "f:1"
            (event.deviceModel, event.osVersion, event.appVersion) = ("iPhone16,1", "", "3.2")
            event.clientTime = Timestamp(milliseconds: 5_000)
            try await world.record([event], app)
            try await world.phone(app, phone, token: 1, owner: .user("ann"))
            let table = try await world.query("SELECT * FROM mobile.push_events", app)
            let now = world.now
            let id = try unwrap(event.eventID, "id")
            let expected: [(String, JSONValue)] = [
                ("time", .integer(now.seconds)), ("type", "link_open"), ("campaign_id", "c"), ("td_campaign_id", "c"),
                ("message_id", "m"), ("platform", "ios"), ("user_id", "ann"), ("value", "https://example.com/é"),
                ("fcm_token", "f:1"), ("apns_token", .null), ("installation_id", .string(phone.id.description)),
                ("event_id", .string(id.description)), ("device_model", "iPhone16,1"), ("os_version", ""),
                ("app_version", "3.2"), ("app", .string(app.name)), ("time_ms", .integer(now.rawValue)),
                ("client_time_ms", 5_000), ("received_at", .integer(now.seconds)),
            ]
            try expect(table.columns, is: expected.map(\.0), "columns")
            try expect(table.rows, is: [expected.map(\.1)], "values")
        },
        Check("joins, subqueries, recursion and aggregates of events work in a query") { world in
            let (mine, _) = try await world.makeMinutes()
            let joined = """
                WITH opened AS (SELECT message_id FROM mobile.push_events WHERE type = 'open'),
                days(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM days WHERE n < 3)
                SELECT (SELECT count(*) FROM opened), (SELECT max(n) FROM days), count(DISTINCT a.platform)
                FROM mobile.push_events a JOIN mobile.push_events b ON a.message_id = b.message_id
                """
            try expect(try await world.query(joined, mine).rows, is: [[60, 3, 2]], "joins")
            let values = "SELECT 1.5, NULL, x'00ff', 9e999, 'é'; -- done"
            let expected: [JSONValue] = [.number(1.5), .null, "00ff", .null, "é"]
            try expect(try await world.query(values, mine).rows, is: [expected], "values")
        },
        Check("a query has each event once, also of one moment, and those of deleted apps not") { world in
            let (mine, other) = try await world.makeMinutes()
            try await world.record((0..<30).map { _ in world.event(.open, message: "same") }, mine)
            let sql = "SELECT app, count(*), count(DISTINCT rowid) FROM mobile.push_events GROUP BY app ORDER BY app"
            try expect(
                try await world.query(sql, nil).rows,
                is: [["mine", 150, 150], ["other", 120, 120]],
                "all apps'"
            )
            try expect(try await world.query(sql, other).rows, is: [["other", 120, 120]], "one app's")
            try await world.store.deleteApp(mine.row)
            try expect(try await world.query(sql, nil).rows, is: [["other", 120, 120]], "after a deletion")
            try expect(try await world.query(sql, mine).rows, is: [], "the deleted app's")
        },
        Check("a query sees the events of one moment, whatever is reported meanwhile") { world in
            let (mine, _) = try await world.makeMinutes()
            async let writing: Void = {
                for _ in 0..<20 { try await world.record([world.event(.open, message: "late")], mine) }
            }()
            let sql = "SELECT (SELECT count(*) FROM mobile.push_events) - (SELECT count(*) FROM mobile.push_events)"
            for _ in 0..<10 { try expect(try await world.query(sql, nil).rows, is: [[0]], "the second count") }
            try await writing
        },
    ]

    /// Conditions, each with how many of the minutes' events meet it.
    private static func conditions(at now: Int64) -> [(String, Int64)] {
        [
            ("time = \(now)", 1), ("time >= \(now - 60)", 2), ("time > \(now - 60)", 1), ("time < \(now - 7_080)", 1),
            ("time <= \(now - 7_080)", 2), ("time > \(now - 61).5", 2), ("time < \(now - 7_140).5", 1),
            ("time > 'x'", 0), ("time < 'x'", 120), ("time IS NULL", 0), ("time > NULL", 0), ("time > 1e300", 0),
            ("time < -1e300", 0), ("time BETWEEN \(now - 120) AND \(now - 60)", 2), ("\(now - 60) <= time", 2),
            ("time IN (\(now), 5)", 1), ("time > -9223372036854775808", 120), ("time < 9223372036854775807", 120),
            ("time > \(now) AND time < 5", 0), ("(\(now) - time) % 120 = 0", 60), ("time_ms = \(now)000", 1),
            ("received_at = \(now)", 120), ("client_time_ms IS NOT NULL", 0),
        ]
    }
}

extension World {
    /// Two apps with events over two hours, one a minute: deliveries and opens in turn.
    func makeMinutes() async throws -> (mine: App, other: App) {
        let apps = (try await makeApp("mine"), try await makeApp("other"))
        for app in [apps.0, apps.1] {
            let events = (0..<120).map { minute in
                var event = EventDraft(
                    type: minute.isMultiple(of: 2) ? .delivery : .open,
                    platform: minute.isMultiple(of: 10) ? .android : .ios,
                    clientTime: now - .seconds(60 * minute)
                )
                event.messageID = "m\(minute)"
                event.campaignID = "c"
                event.user = "\(app.name)-user"
                event.eventID = PublicID(high: 1, low: UInt64(minute))
                return event
            }
            try await record(events, app)
        }
        return apps
    }

    /// Asks about the events of an app, or of all: whatever time that takes, which on a busy machine may be more than a
    /// query has.
    func query(_ sql: String, _ app: App?) async throws -> EventTable {
        try await store.query(EventQuery(sql: sql, app: app?.row, timeLimit: .seconds(60)))
    }
}
