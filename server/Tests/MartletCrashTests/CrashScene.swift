import Foundation
import MartletCore
import MartletPostgres
import MartletSQLite
import MartletSimulator
import MartletStore
import MartletTesting
import MartletWire

/// A server and a simulated APNs as processes of their own, with thousands of devices in the database.
final class CrashScene: Sendable {
    /// Whether it is the long form, as `scripts/soak` asks for it.
    static let isLong = ProcessInfo.processInfo.environment["MARTLET_SOAK_MINUTES"] != nil
    static let app = "com.example.crash"

    /// How many devices there are, each of which is sent to once.
    let deliveries: Int
    private let stage: DeliveryStage
    /// The PostgreSQL database that the rows are in; without one SQLite has them.
    private let database: String?
    var simulator: SimulatorProcess { stage.simulator }

    /// Starts the simulator, and makes a database with an app, its credential and its devices.
    ///
    /// - Parameters:
    ///   - deliveries: how many devices there are; what is usual is some batches of a thousand.
    ///   - devicesOfUser: how many devices each user has; the second one is in the sandbox and so in another queue, hence
    ///     in another batch.
    ///   - database: the address of an empty PostgreSQL database, if not SQLite is to have the rows.
    init(
        deliveries: Int = CrashScene.isLong ? 20_000 : 6_000,
        devicesOfUser: Int,
        database: String? = nil
    ) async throws {
        self.deliveries = deliveries
        self.database = database
        stage = try await DeliveryStage(app: Self.app, settings: database.map { ["MARTLET_DATABASE": $0] } ?? [:])
        let server = try await startServer()
        try await stage.connect(server)
        _ = try await server.stop()
        try await register(devicesOfUser: devicesOfUser)
    }

    /// Starts the server on the data that is there.
    func startServer() async throws -> ServerProcess { try await stage.startServer() }

    private func register(devicesOfUser: Int) async throws {
        let store = try await openStore(.server)
        guard let app = try await store.app(.name(Self.app)) else { throw Failure.notFound("app") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<deliveries {
                if number >= 256 { try await group.next() }
                group.addTask {
                    let registration = Registration(
                        app: app.row,
                        platform: .apns,
                        token: Self.token(number),
                        environment: number % devicesOfUser == 0 ? .production : .sandbox,
                        owner: .user("user-\(number / devicesOfUser)")
                    )
                    _ = try await store.register(registration)
                }
            }
            try await group.waitForAll()
        }
        await store.close()
    }

    private static func token(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    /// Opens the server's database beside it, or in its place.
    func openStore(_ role: SQLiteStore.Role) async throws -> Store {
        if let database { return try await PostgresStore.open(database, clock: SystemClock()) }
        return try await SQLiteStore.open(at: stage.data + "/martlet.sqlite", clock: SystemClock(), role: role)
    }

    /// Sends to everybody, once to each.
    func send(through server: ServerProcess) async throws -> PublicID {
        try await stage.send(through: server, #", "dedup": {"key": "alert-1", "cooldown_seconds": null}"#)
    }

    /// Everything that arrived, oldest first.
    func received() async throws -> [ReceivedPush] {
        var all: [ReceivedPush] = []
        var position = 0
        while true {
            let url = simulator.control + "/received?after=\(position)&limit=1000"
            let page = try JSONDecoder().decode(ReceivedPage.self, from: try await LocalCall.send("GET", url).body)
            guard !page.received.isEmpty else { return all }
            all += page.received
            position = page.next
        }
    }
}
