import Foundation
public import MartletCore
public import MartletWire

/// `martlet simulate` on free ports, with the service that a test is about.
public final class SimulatorProcess: Sendable {
    /// The process.
    public let process: ProgramProcess
    /// Whose service the test is about.
    public let platform: Platform
    /// Where APNs' pushes go.
    public let apns: String
    /// Where the platform's pushes go.
    public let address: String
    /// The control interface.
    public let control: String
    /// The file with the certificate to trust.
    public let ca: String
    /// The network that it is in, if one of its own.
    public let network: NetworkNamespace?

    /// Starts it and waits until it listens.
    public init(
        folder: TemporaryFolder,
        platform: Platform = .apns,
        arguments: [String] = [],
        environment: [String: String] = [:],
        in network: NetworkNamespace? = nil
    ) async throws {
        self.network = network
        self.platform = platform
        ca = folder.file("simulator-ca.pem")
        let arguments =
            ["simulate", "--port", "0", "--control-port", "0", "--ca", ca] + Self.arguments(for: platform) + arguments
        let command = network?.command(Program.path, arguments) ?? (Program.path, arguments)
        process = try ProgramProcess(command.1, executable: command.0, environment: environment, folder: folder.path)
        let words = try await process.line(containing: "A simulated APNs is listening on ").split(separator: " ")
        apns = Self.address(among: words)
        control = words.last.map(String.init) ?? ""
        address =
            switch platform {
            case .apns: apns
            case .fcm: try await Self.address(in: process, "A simulated FCM is listening on ")
            case .webpush: try await Self.address(in: process, "Simulated push services of browsers are listening on ")
            }
    }

    private static func arguments(for platform: Platform) -> [String] {
        switch platform {
        case .apns: []
        case .fcm: ["--fcm", "--fcm-port", "0"]
        case .webpush: ["--webpush", "--webpush-port", "0", "--browser-port", "0", "--chromium-port", "0"]
        }
    }

    private static func address(among words: [Substring]) -> String {
        words.first { $0.hasPrefix("https://") }.map { String($0.dropLast()) } ?? ""
    }

    private static func address(in process: ProgramProcess, _ line: String) async throws -> String {
        address(among: try await process.line(containing: line).split(separator: " "))
    }

    /// Where the control interface has what concerns the platform's service.
    public var service: String { control + (platform == .apns ? "" : "/\(platform.rawValue)") }

    /// Calls the control interface of the platform's service, which `docs/simulator.md` describes; `nil` where the answer has no body.
    @discardableResult
    public func call(_ method: String, _ path: String, _ body: String? = nil) async throws -> JSONValue? {
        try await LocalCall.json(method, service + path, body, in: network)
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

    /// The ports that browsers connect to, where it stands in for their push services: Firefox's, and Chromium's for its
    /// messages.
    public func browserPorts() async throws -> (firefox: Int, chromium: Int) {
        func port(_ line: String, behind scheme: String) throws -> Int {
            guard let begin = line.range(of: scheme)?.lowerBound,
                let address = line[begin...].split(separator: " ").first,
                let port = URL(string: String(address))?.port
            else { throw ProgramProcess.Failure(description: "no port in: \(line)") }
            return port
        }
        return (
            try port(try await process.line(containing: "Firefox connects to "), behind: "ws://"),
            try port(try await process.line(containing: "--gcm-mcs-endpoint="), behind: "https://")
        )
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
