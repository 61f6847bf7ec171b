import Foundation
import MartletTesting

/// P12: the send of P2 with the rows in PostgreSQL, beside the same with SQLite in the same minute.
///
/// The database writes to the disk as a real one does, and its processes run on both cores; they count with the server.
struct PostgresPath {
    let provider: ServerUnderTest.Provider
    static let endpoints = 100_000

    func rows() async throws -> [Row] { [try await row("P12 PostgreSQL beside SQLite, \(Self.endpoints) endpoints")] }

    private func row(_ name: String) async throws -> Row {
        guard PostgresCluster.isInstalled else {
            let note = "not measured, PostgreSQL is not installed: apt-get install postgresql"
            return Row(name, ours: "", goal: "≤ 2.0", isMet: nil, note: note)
        }
        let cluster = try PostgresCluster(isDurable: true)
        let sqlite = try await ServerUnderTest(endpoints: Self.endpoints, provider: provider)
        let postgres = try await ServerUnderTest(endpoints: Self.endpoints, provider: provider, on: cluster)
        for server in [sqlite, postgres] { try await server.start() }
        var pairs: [(ours: DurablePath.Run, floor: DurablePath.Run)] = []
        for _ in 0..<DurablePath.pairs {
            let floor = try await DurablePath.once(sqlite, endpoints: Self.endpoints)
            pairs.append((try await DurablePath.once(postgres, endpoints: Self.endpoints), floor))
        }
        for server in [sqlite, postgres] { try await server.stop() }
        return Row(
            name,
            ours: "\(pairs.map(\.ours.microseconds).median.text(2)) µs",
            floor: "\(pairs.map(\.floor.microseconds).median.text(2)) µs",
            ratio: pairs.map { $0.ours.microseconds / $0.floor.microseconds }.median,
            goal: 2,
            note: """
                \(pairs.map(\.ours.databaseMicroseconds).median.text(2)) µs of it in the database, \
                \(pairs.map(\.ours.perSecond).median.text(0)) pushes/s
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
