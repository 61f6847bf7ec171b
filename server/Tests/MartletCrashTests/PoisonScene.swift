import Foundation
import MartletSimulator
import MartletTesting
import MartletWire

/// A server and a simulated APNs as processes of their own, with three users that have a device each.
final class PoisonScene: Sendable {
    /// A user, and their device.
    enum Device: String, CaseIterable {
        /// Whose push the server dies of.
        case poison = "aa"
        /// Whose push is under way at the first crashes, without being at fault.
        case innocent = "bb"
        /// Whose pushes have nothing to do with it.
        case bystander = "cc"

        var token: String { String(repeating: rawValue, count: 32) }
    }

    static let app = "com.example.poison"

    private let stage: DeliveryStage
    var simulator: SimulatorProcess { stage.simulator }

    /// Starts the simulator.
    init() async throws {
        // An answer that is withheld is waited for until the kill, however slow the machine is.
        stage = try await DeliveryStage(app: Self.app, settings: ["MARTLET_APNS_REQUEST_TIMEOUT": "110"])
    }

    /// Starts the server for the first time, and makes the app and its devices.
    func prepareServer() async throws -> ServerProcess {
        let server = try await startServer()
        try await stage.connect(server)
        for device in Device.allCases {
            let body = """
                {"app": "\(Self.app)", "user_id": "\(device)", "token": "\(device.token)", "platform": "ios",
                "environment": "production"}
                """
            try await server.call("POST", "/devices", body)
        }
        return server
    }

    /// Starts the server on the data that is there.
    func startServer() async throws -> ServerProcess { try await stage.startServer() }

    /// Kills the server; returns when the simulator knows of all that it wrote.
    func kill(_ server: ServerProcess) async throws {
        server.process.send(signal: SIGKILL)
        _ = try await server.process.result(within: 30)
        try await simulator.untilDisconnected()
    }

    /// Has pushes to a device come without an answer, so many times or until told otherwise.
    func withholdAnswers(to device: Device, times: Int? = nil) async throws {
        let bound = times.map { #", "times": \#($0)"# } ?? ""
        try await simulator.script(#"{"when": {"token": "\#(device.token)"}\#(bound), "then": {"do": "hang"}}"#)
    }

    /// Sends to a device's user; returns the notification's id.
    func send(to device: Device, through server: ServerProcess) async throws -> PublicID {
        let body = #"{"app": "\#(Self.app)", "audience": {"users": ["\#(device)"]}, "title": "Delay"}"#
        let answer = try await server.call("POST", "/notifications", body)
        guard let id = (answer?.objectValue?["id"]?.stringValue).flatMap({ PublicID($0) }) else {
            throw ProgramProcess.Failure(description: "no id in \(String(describing: answer))")
        }
        return id
    }

    /// Sends to a device's user and returns when it is delivered.
    func deliver(to device: Device, through server: ServerProcess) async throws {
        try await untilAccepted(try await send(to: device, through: server), at: server)
    }

    /// Returns when a notification is over and its only delivery is recorded as accepted.
    func untilAccepted(_ id: PublicID, at server: ServerProcess) async throws {
        try await Eventually.is("\(id) is delivered", within: 60) {
            let found = try await server.call("GET", "/notifications/\(id)")?.objectValue
            return found?["status"] == "done" && found?["counts"]?.objectValue?["accepted"]?.integerValue == 1
        }
    }

    /// A device's pushes as they arrived, oldest first.
    func pushes(to device: Device) async throws -> [ReceivedPush] {
        let url = simulator.control + "/received?token=\(device.token)&limit=1000"
        return try JSONDecoder().decode(ReceivedPage.self, from: try await LocalCall.send("GET", url).body).received
    }

    /// Returns when so many pushes to a device have arrived.
    func untilArrived(_ count: Int, to device: Device) async throws {
        try await Eventually.is("push \(count) to \(device) came", within: 60) {
            try await pushes(to: device).count >= count
        }
    }

    /// What an operator sees of the work that is quarantined.
    func quarantined(at server: ServerProcess) async throws -> [QuarantineItem] {
        let listed = try await server.run("quarantine", "list", "--json")
        guard listed.status == 0 else { throw ProgramProcess.Failure(description: listed.standardError) }
        return try JSONDecoder().decode(List<QuarantineItem>.self, from: Data(listed.standardOutput.utf8)).data
    }
}
