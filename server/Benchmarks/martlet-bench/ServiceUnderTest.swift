import Foundation
import MartletCore
import MartletTesting
import MartletWire

/// The real program on one core, sending through a simulated FCM or push service on the other.
final class ServiceUnderTest {
    let stage: DeliveryStage
    let server: ServerProcess

    private static let app = ServerUnderTest.app
    /// What a project may be sent a minute: the simulator is not to hold up what is measured.
    private static let perMinute = 100_000_000
    /// In which a send must have ended.
    private static let timeout: Duration = .seconds(600)

    /// An app that sends through FCM to so many devices, written into the database as the server would.
    static func fcm(_ endpoints: Int) async throws -> ServiceUnderTest {
        let made = try await ServiceUnderTest(.fcm)
        let project = #"{"project": "martlet-demo", "messagesPerMinute": \#(perMinute)}"#
        try await made.stage.simulator.call("POST", "/projects", project)
        try await made.seed(endpoints)
        try await made.warmUp("user-1")
        return made
    }

    /// An app that sends to so many browsers of Google's push service, and to some of Mozilla's.
    static func webPush(_ endpoints: Int, mozilla: Int = 0) async throws -> ServiceUnderTest {
        let made = try await ServiceUnderTest(.webpush)
        try await made.register(0..<endpoints, "google")
        try await made.register(endpoints..<endpoints + mozilla, "mozilla")
        try await made.warmUp("user-0")
        return made
    }

    private init(_ platform: Platform) async throws {
        // A rate that begins at a tenth of it.
        stage = try await DeliveryStage(
            app: Self.app,
            platform: platform,
            settings: ["MARTLET_FCM_RATE": "100000", "MARTLET_LOG_LEVEL": "error"]
        )
        try ProcessFigures(id: stage.simulator.process.id).pin(toCores: "1")
        server = try await stage.startServer()
        try await stage.connect(server)
        try figures.pin(toCores: "0")
    }

    var figures: ProcessFigures { ProcessFigures(id: server.process.id) }
    var simulatorFigures: ProcessFigures { ProcessFigures(id: stage.simulator.process.id) }

    func stop() async throws { _ = try await server.stop() }

    /// Sends one push, so that the connection and the token are there.
    private func warmUp(_ user: String) async throws {
        _ = try await untilDone(try await send(to: #"{"users": ["\#(user)"]}"#))
    }

    private func seed(_ count: Int) async throws {
        let result = try await ProgramProcess(
            [
                "-bail", stage.data + "/martlet.sqlite", ".timeout 30000",
                """
                BEGIN;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                INSERT INTO users (app_id, external_id) SELECT (SELECT id FROM apps), 'user-' || i FROM n;
                INSERT INTO endpoints (app_id, user_id, status, platform, environment, token, public_id, status_at,
                    created_at, registered_at, is_registered)
                SELECT app_id, id, 0, 2, 2, 'bench-device:APA91b' || lower(hex(randomblob(64))), randomblob(16), now,
                    now, now, 1
                FROM users, (SELECT unixepoch() * 1000 AS now) ORDER BY id;
                COMMIT;
                """,
            ],
            executable: "/usr/bin/sqlite3"
        ).result()
        guard result.status == 0 else { throw BenchmarkError(result.standardError) }
    }

    private func register(_ numbers: Range<Int>, _ service: String) async throws {
        let devices = ServiceDevices(simulator: stage.simulator, app: Self.app, service: service)
        for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: DeviceBatchRequest.limit) {
            let part = first..<min(first + DeviceBatchRequest.limit, numbers.upperBound)
            let request: JSONValue = ["devices": .array(try await devices.make(part))]
            try await server.call("POST", "/devices/batch", String(decoding: try request.json(), as: UTF8.self))
        }
    }

    /// Sends 92 characters to an audience, given as JSON; returns the notification's id.
    func send(to audience: String, class: NotificationClass? = nil) async throws -> String {
        let body = ServerUnderTest.body(to: audience, dedup: UUID().uuidString, class: `class`?.rawValue)
        let answer = try await server.call("POST", "/notifications", body)
        guard let id = answer?.objectValue?["id"]?.stringValue else { throw BenchmarkError("no id in the answer") }
        return id
    }

    /// Waits for a notification's end; returns how many were accepted.
    func untilDone(_ id: String) async throws -> Int {
        let deadline = ContinuousClock.now + Self.timeout
        while ContinuousClock.now < deadline {
            let notification = try await server.call("GET", "/notifications/\(id)")?.objectValue ?? [:]
            if notification["status"]?.stringValue == "done" {
                return Int(notification["counts"]?.objectValue?["accepted"]?.integerValue ?? 0)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BenchmarkError("notification \(id) did not end")
    }

    /// What a send to all cost.
    struct Run {
        /// CPU microseconds a push: the server's, and the simulator's.
        var ours: Double, simulator: Double
        var perSecond: Double
        var peakMegabytes: Double
    }

    func once(_ endpoints: Int) async throws -> Run {
        try figures.forgetPeak()
        let before = (ours: try figures.cpuSeconds(), simulator: try simulatorFigures.cpuSeconds())
        let start = ContinuousClock.now
        let accepted = try await untilDone(try await send(to: #"{"all": true}"#))
        let wall = (ContinuousClock.now - start) / .seconds(1)
        guard accepted == endpoints else { throw BenchmarkError("\(accepted) of \(endpoints) were accepted") }
        let part = 1_000_000 / Double(endpoints)
        return Run(
            ours: (try figures.cpuSeconds() - before.ours) * part,
            simulator: (try simulatorFigures.cpuSeconds() - before.simulator) * part,
            perSecond: Double(endpoints) / wall,
            peakMegabytes: try figures.peakMegabytes()
        )
    }

    /// The bytes of the last request's body.
    func lastBody() async throws -> Int {
        let count = try await stage.simulator.receivedCount()
        let page = try await stage.simulator.call("GET", "/received?after=\(count - 1)&limit=1")?.objectValue
        guard case .array(let all)? = page?["received"], let last = all.first?.objectValue else {
            throw BenchmarkError("nothing was received")
        }
        let sealed = last["details"]?.objectValue?["bodyBytes"]?.integerValue
        return Int(sealed ?? last["payloadBytes"]?.integerValue ?? 0)
    }
}
