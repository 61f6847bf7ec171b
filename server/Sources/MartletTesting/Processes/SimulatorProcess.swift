import Foundation
public import MartletWire

/// `martlet simulate` on free ports.
public final class SimulatorProcess: Sendable {
    /// The process.
    public let process: ProgramProcess
    /// Where pushes go.
    public let apns: String
    /// The control interface.
    public let control: String
    /// The file with the certificate to trust.
    public let ca: String
    /// The network that it is in, if one of its own.
    public let network: NetworkNamespace?

    /// Starts it and waits until it listens.
    public init(
        folder: TemporaryFolder,
        arguments: [String] = [],
        environment: [String: String] = [:],
        in network: NetworkNamespace? = nil
    ) async throws {
        self.network = network
        ca = folder.file("simulator-ca.pem")
        let arguments = ["simulate", "--port", "0", "--control-port", "0", "--ca", ca] + arguments
        let command = network?.command(Program.path, arguments) ?? (Program.path, arguments)
        process = try ProgramProcess(command.1, executable: command.0, environment: environment, folder: folder.path)
        let words = try await process.line(containing: "A simulated APNs is listening on ").split(separator: " ")
        apns = words.first { $0.hasPrefix("https://") }.map { String($0.dropLast()) } ?? ""
        control = words.last.map(String.init) ?? ""
    }

    /// Calls the control interface, which `docs/simulator.md` describes; `nil` where the answer has no body.
    @discardableResult
    public func call(_ method: String, _ path: String, _ body: String? = nil) async throws -> JSONValue? {
        try await LocalCall.json(method, control + path, body, in: network)
    }

    /// Adds a rule, written as JSON.
    public func script(_ rule: String) async throws { try await call("POST", "/rules", rule) }

    /// How many pushes have arrived.
    public func receivedCount() async throws -> Int {
        Int(try await call("GET", "/received/count")?.objectValue?["total"]?.integerValue ?? 0)
    }

    /// The numbers of the connections that are open.
    public func connections() async throws -> [Int] {
        guard case .array(let all)? = try await call("GET", "/state")?.objectValue?["connections"] else { return [] }
        return all.compactMap { $0.objectValue?["id"]?.integerValue.map { Int($0) } }
    }

    /// Returns when at least so many pushes have arrived.
    public func untilReceived(_ count: Int) async throws {
        try await Eventually.is("\(count) pushes came") { try await receivedCount() >= count }
    }

    /// Returns when no connection is open: then everything that a killed server wrote has been counted.
    public func untilDisconnected() async throws {
        try await Eventually.is("nobody is connected", within: 30) { try await connections().isEmpty }
    }
}
