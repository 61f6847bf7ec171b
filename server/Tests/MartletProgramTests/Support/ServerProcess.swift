import Foundation

/// `martlet serve` on a free port, with a data directory of its own.
final class ServerProcess: Sendable {
    let process: ProgramProcess
    /// Its address, such as `http://127.0.0.1:40123`.
    let address: String
    /// Its data directory.
    let data: String

    /// Starts it and waits until it listens.
    init(data: String, arguments: [String] = [], environment: [String: String] = [:]) async throws {
        self.data = data
        process = try ProgramProcess(
            ["serve", "--data", data, "--port", "0"] + arguments,
            environment: environment
        )
        let line = try await process.line(containing: "Martlet is listening on ")
        address = String(line.split(separator: " ").last ?? "")
    }

    /// With this environment a command talks to it as its administrator.
    var environment: [String: String] { ["MARTLET_SERVER": address, "MARTLET_DATA": data] }

    /// Runs a command against it, as its administrator.
    func run(_ arguments: String..., input: String? = nil, environment more: [String: String] = [:]) async throws
        -> ProgramProcess.Result
    {
        let environment = environment.merging(more) { $1 }
        return try await ProgramProcess(arguments, input: input, environment: environment).result()
    }

    /// Ends it as an operator does.
    func stop() async throws -> ProgramProcess.Result {
        process.send(signal: SIGTERM)
        return try await process.result(within: 30)
    }
}

/// `martlet simulate` on free ports.
final class SimulatorProcess: Sendable {
    let process: ProgramProcess
    /// Where pushes go.
    let apns: String
    /// The control interface.
    let control: String
    /// The file with the certificate to trust.
    let ca: String

    /// Starts it and waits until it listens.
    init(folder: TemporaryFolder, arguments: [String] = []) async throws {
        ca = folder.file("simulator-ca.pem")
        process = try ProgramProcess(
            ["simulate", "--port", "0", "--control-port", "0", "--ca", ca] + arguments,
            folder: folder.path
        )
        let words = try await process.line(containing: "A simulated APNs is listening on ").split(separator: " ")
        apns = words.first { $0.hasPrefix("https://") }.map { String($0.dropLast()) } ?? ""
        control = words.last.map(String.init) ?? ""
    }
}
