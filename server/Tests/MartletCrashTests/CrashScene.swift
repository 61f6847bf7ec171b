import AsyncHTTPClient
import Foundation
import MartletCore
import MartletSQLite
import MartletSimulator
import MartletWire
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// A server and a simulated APNs as processes of their own, with 20,000 devices in the database.
final class CrashScene: Sendable {
    static let deliveries = 20_000
    static let app = "com.example.crash"

    let folder: TemporaryFolder
    let simulator: SimulatorProcess
    private let data: String

    /// Starts the simulator, and makes a database with an app, its credential and its devices.
    ///
    /// - Parameter devicesOfUser: how many devices each user has; the second one is in the sandbox and so in another
    ///   lane, hence in another batch.
    init(devicesOfUser: Int) async throws {
        folder = try TemporaryFolder()
        data = folder.file("data")
        simulator = try await SimulatorProcess(
            folder: folder,
            arguments: [
                "--topic", Self.app, "--new-key", "key.p8", "--key-id", "KEY4567890", "--team-id", "TEAM567890",
            ]
        )
        let server = try await startServer()
        try await must(server.run("apps", "create", Self.app))
        try await must(
            server.run(
                "apps",
                "credentials",
                "set",
                Self.app,
                "--p8",
                folder.file("key.p8"),
                "--key-id",
                "KEY4567890",
                "--team-id",
                "TEAM567890",
                "--apns-url",
                simulator.apns,
                "--apns-trust",
                simulator.ca
            )
        )
        _ = try await server.stop()
        try await register(devicesOfUser: devicesOfUser)
    }

    /// Starts the server on the data that is there.
    func startServer() async throws -> ServerProcess { try await ServerProcess(data: data) }

    private func must(_ result: ProgramProcess.Result) throws {
        guard result.status == 0 else { throw ProgramProcess.Failure(description: result.standardError) }
    }

    private func register(devicesOfUser: Int) async throws {
        let store = try await openStore(.server)
        guard let app = try await store.app(.name(Self.app)) else { throw Failure.notFound("app") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.deliveries {
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
    func openStore(_ role: SQLiteStore.Role) async throws -> any Store {
        try await SQLiteStore.open(
            at: data + "/martlet.sqlite",
            clock: SystemClock(),
            options: SQLiteStore.Options(role: role)
        )
    }

    /// Sends to everybody.
    func send(through server: ServerProcess, dedup: Bool) async throws -> PublicID {
        let rule = dedup ? #", "dedup": {"key": "alert-1", "cooldown_seconds": null}"# : ""
        let body = #"{"app": "\#(Self.app)", "audience": {"all": true}, "title": "Delay"\#(rule)}"#
        var request = HTTPClientRequest(url: server.address + "/api/v1/notifications")
        request.method = .POST
        let key = try String(contentsOfFile: data + "/admin.key", encoding: .utf8)
        request.headers.add(
            name: "Authorization",
            value: "Bearer " + key.trimmingCharacters(in: .whitespacesAndNewlines)
        )
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: body))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
        let answer = try JSONValue(json: Data(text.utf8)).objectValue?["data"]?.objectValue
        guard let id = (answer?["id"]?.stringValue).flatMap({ PublicID($0) }) else {
            throw ProgramProcess.Failure(description: "no id in \(text)")
        }
        return id
    }

    /// How many pushes have arrived at the simulator.
    func receivedCount() async throws -> Int {
        let value = try JSONValue(json: try await get("/received/count")).objectValue
        return Int(value?["total"]?.integerValue ?? 0)
    }

    /// Everything that arrived after a push, oldest first.
    func received(after seq: Int = 0) async throws -> [ReceivedPush] {
        var all: [ReceivedPush] = []
        var position = seq
        while true {
            let page = try JSONDecoder().decode(
                ReceivedPage.self,
                from: try await get("/received?after=\(position)&limit=1000")
            )
            guard !page.received.isEmpty else { return all }
            all += page.received
            position = page.next
        }
    }

    /// Returns when at least so many pushes have arrived; looks at most for two minutes.
    func untilReceived(_ count: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while try await receivedCount() < count {
            guard ContinuousClock.now < deadline else {
                throw ProgramProcess.Failure(description: "no \(count) pushes came")
            }
        }
    }

    /// Returns when no connection is open at the simulator: then everything that a killed server wrote has been counted.
    func untilDisconnected() async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let state = try JSONValue(json: try await get("/state")).objectValue
            if case .array(let connections)? = state?["connections"], connections.isEmpty { return }
            guard ContinuousClock.now < deadline else { throw ProgramProcess.Failure(description: "still connected") }
        }
    }

    private func get(_ path: String) async throws -> Data {
        let request = HTTPClientRequest(url: simulator.control + path)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        return Data(buffer: try await response.body.collect(upTo: 64 << 20))
    }
}
