import Foundation

/// `martlet serve` on a free port, with a data directory of its own.
public final class ServerProcess: Sendable {
    /// The process.
    public let process: ProgramProcess
    /// Its address, such as `http://127.0.0.1:40123`.
    public let address: String
    /// Its data directory.
    public let data: String
    /// The network that it is in, if one of its own.
    public let network: NetworkNamespace?

    /// Starts it and waits until it listens.
    public init(
        data: String,
        arguments: [String] = [],
        environment: [String: String] = [:],
        in network: NetworkNamespace? = nil
    ) async throws {
        self.data = data
        self.network = network
        let arguments = ["serve", "--data", data, "--port", "0"] + arguments
        let command = network?.command(Program.path, arguments) ?? (Program.path, arguments)
        process = try ProgramProcess(command.1, executable: command.0, environment: environment)
        let line = try await process.line(containing: "Martlet is listening on ")
        address = String(line.split(separator: " ").last ?? "")
    }

    /// With this environment a command talks to it as its administrator.
    public var environment: [String: String] { ["MARTLET_SERVER": address, "MARTLET_DATA": data] }

    /// Runs a command against it, as its administrator.
    public func run(_ arguments: String..., input: String? = nil, environment more: [String: String] = [:]) async throws
        -> ProgramProcess.Result
    {
        let environment = environment.merging(more) { $1 }
        return try await ProgramProcess(arguments, input: input, environment: environment).result()
    }

    /// Ends it as an operator does.
    public func stop() async throws -> ProgramProcess.Result {
        process.send(signal: SIGTERM)
        return try await process.result(within: 30)
    }
}
