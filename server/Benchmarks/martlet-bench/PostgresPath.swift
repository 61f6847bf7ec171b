import Foundation
import MartletTesting

/// P12: what P2 sends, with the rows in PostgreSQL beside SQLite in the same minute: with a claim for each person, without, and
/// to devices that were never sent to; and devices that are registered in batches.
///
/// The database writes to the disk as a real one does, and its processes run on both cores; they count with the server.
struct PostgresPath {
    let provider: ServerUnderTest.Provider
    static let endpoints = 100_000

    private struct Cost {
        var microseconds: Double
        var ofDatabase: Double
        var perSecond: Double
    }

    func rows() async throws -> [Row] {
        guard PostgresCluster.isInstalled else {
            let note = "not measured, PostgreSQL is not installed: apt-get install postgresql"
            return [Row("P12 PostgreSQL beside SQLite", ours: "", goal: "≤ 2.0", isMet: nil, note: note)]
        }
        let cluster = try PostgresCluster(isDurable: true)
        let sqlite = try await ServerUnderTest(endpoints: Self.endpoints, provider: provider)
        let postgres = try await ServerUnderTest(endpoints: Self.endpoints, provider: provider, on: cluster)
        for server in [sqlite, postgres] { try await server.start() }
        let send = { (server: ServerUnderTest, hasDedup: Bool) in
            let run = try await DurablePath.once(server, endpoints: Self.endpoints, hasDedup: hasDedup)
            return Cost(
                microseconds: run.microseconds,
                ofDatabase: run.databaseMicroseconds,
                perSecond: run.perSecond
            )
        }
        let rows = [
            try await row("a claim each", goal: 2, postgres, sqlite, pairs: DurablePath.pairs) {
                try await send($0, true)
            },
            try await row("without claims", goal: 1.7, postgres, sqlite, pairs: DurablePath.pairs) {
                try await send($0, false)
            },
            try await row("new devices", goal: 2, postgres, sqlite, pairs: DurablePath.pairs) { server in
                try await server.stop()
                try server.write("UPDATE endpoints SET environment = NULL")
                try await server.start()
                return try await send(server, false)
            },
            try await row("registration in batches", goal: 2, postgres, sqlite, pairs: 1) { server in
                let before = (server: try server.figures.cpuSeconds(), database: try server.databaseSeconds())
                let seconds = try await DeviceRegistration(server: server).registerAll()
                let ofDatabase = try server.databaseSeconds() - before.database
                let all = try server.figures.cpuSeconds() - before.server + ofDatabase
                let count = Double(DeviceRegistration.devices)
                return Cost(
                    microseconds: all * 1_000_000 / count,
                    ofDatabase: ofDatabase * 1_000_000 / count,
                    perSecond: count / seconds
                )
            },
        ]
        for server in [sqlite, postgres] { try await server.stop() }
        return rows
    }

    private func row(
        _ name: String,
        goal: Double,
        _ postgres: ServerUnderTest,
        _ sqlite: ServerUnderTest,
        pairs count: Int,
        _ measure: (ServerUnderTest) async throws -> Cost
    ) async throws -> Row {
        var pairs: [(ours: Cost, floor: Cost)] = []
        for _ in 0..<count {
            let floor = try await measure(sqlite)
            pairs.append((try await measure(postgres), floor))
        }
        return Row(
            "P12 PostgreSQL beside SQLite, \(name)",
            ours: "\(pairs.map(\.ours.microseconds).median.text(2)) µs",
            floor: "\(pairs.map(\.floor.microseconds).median.text(2)) µs",
            ratio: pairs.map { $0.ours.microseconds / $0.floor.microseconds }.median,
            goal: goal,
            note: """
                \(pairs.map(\.ours.ofDatabase).median.text(2)) µs of it in the database, \
                \(pairs.map(\.ours.perSecond).median.text(0)) a second
                """
        )
    }
}

/// Users and endpoints as the server would have made them, only faster.
enum PostgresSeed {
    /// How long a step may take, in seconds: a million rows and their indexes take minutes on a slow disk.
    private static let limit = 1_800.0

    /// Writes the same as ``ServerUnderTest`` has in SQLite, into a database with one app.
    static func write(_ count: Int, in database: String) throws {
        let users = max(1, count * 7 / 10)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        try PostgresServer.run(
            """
            INSERT INTO users (app_id, external_id)
            SELECT (SELECT id FROM apps), 'user-' || i FROM generate_series(1, \(users)) i ORDER BY i
            """,
            in: database,
            within: limit
        )
        try PostgresServer.run(
            """
            INSERT INTO endpoints (app_id, user_id, status, platform, environment, token, public_id, status_at, created_at,
                registered_at, is_registered)
            SELECT (SELECT id FROM apps), 1 + (i - 1) % \(users), 0, 1, 2, encode(sha256(i::text::bytea), 'hex'),
                uuid_send(gen_random_uuid()), \(now), \(now), \(now), 1
            FROM generate_series(1, \(count)) i ORDER BY i
            """,
            in: database,
            within: limit
        )
        // Otherwise the server's own would run while it is measured.
        try PostgresServer.run("VACUUM ANALYZE", in: database, within: limit)
    }
}
