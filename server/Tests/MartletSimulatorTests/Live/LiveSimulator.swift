import Crypto
import Foundation
import Testing

@testable import MartletSimulator

/// A running simulator with an account, a folder for files, and curl to talk to it.
struct LiveSimulator: Sendable {
    let simulator: APNsSimulator
    let account: Account
    let folder: URL
    /// `bearer …`, made by Python.
    let authorization: String

    static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    var authorityFile: String { folder.appending(path: "ca.pem").path }
    var keyFile: String { folder.appending(path: "key.p8").path }

    /// An answer as curl saw it.
    struct Answer: Sendable {
        /// curl's own exit code; 0 when there was an answer.
        var exitCode: Int32
        var status: Int
        var version: String
        var headers: [String: String]
        var body: String

        var reason: String? { members?["reason"]?.text }
        var members: JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: Data(body.utf8)) }
        /// `200`, or status and reason.
        var short: String { reason.map { "\(status) \($0)" } ?? "\(status)" }
    }

    /// Sends a push with curl; `changes` replaces headers, `nil` leaves one out.
    ///
    /// `unanswered` is sent a push over the same connection afterwards, for whose answer curl waits two seconds: a limit
    /// of curl's that the connection and the pushes before do not have.
    func push(
        to device: String = Account.device,
        body: String = #"{"aps":{"alert":"Line 4 is late"}}"#,
        changes: [String: String?] = [:],
        path: String? = nil,
        port: Int? = nil,
        options: [String] = [],
        unanswered: String? = nil
    ) async throws -> Answer {
        var headers: [String: String?] = [
            "authorization": authorization, "apns-topic": Account.topic, "apns-push-type": "alert",
        ]
        for (name, value) in changes { headers[name] = value }
        let bodyFile = folder.appending(path: "body-\(UUID().uuidString)")
        try Data(body.utf8).write(to: bodyFile)
        var request = ["--http2", "--cacert", authorityFile, "--data-binary", "@\(bodyFile.path)"]
        for (name, value) in headers { if let value { request += ["-H", "\(name): \(value)"] } }
        let address = "https://127.0.0.1:\(port ?? simulator.port)\(path ?? "/3/device/\(device)")"
        let last = unanswered.map { ["--next", "--max-time", "2"] + request + [$0] } ?? []
        return try await curl(request + options + [address] + last)
    }

    /// Sends a request to the control API.
    func control(_ method: String, _ path: String, _ body: String? = nil) async throws -> Answer {
        var arguments = ["-X", method]
        if let body { arguments += ["--data-binary", body, "-H", "content-type: application/json"] }
        return try await curl(arguments + ["http://127.0.0.1:\(simulator.controlPort)\(path)"])
    }

    func curl(_ arguments: [String]) async throws -> Answer {
        let id = UUID().uuidString
        let headerFile = folder.appending(path: "headers-\(id)")
        let bodyFile = folder.appending(path: "answer-\(id)")
        let format = "%{http_code} %{http_version}"
        let result = try await run(
            ["curl", "--silent", "--max-time", "20", "-D", headerFile.path, "-o", bodyFile.path, "-w", format]
                + arguments
        )
        let words = result.output.split(separator: " ")
        var headers: [String: String] = [:]
        for line in (try? String(contentsOf: headerFile, encoding: .utf8))?.split(whereSeparator: \.isNewline) ?? [] {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return Answer(
            exitCode: result.status,
            status: words.first.flatMap { Int($0) } ?? 0,
            version: words.dropFirst().first.map(String.init) ?? "",
            headers: headers,
            body: (try? String(contentsOf: bodyFile, encoding: .utf8)) ?? ""
        )
    }

    /// Sends the same push several times at once on one connection with nghttp, which prints each frame.
    func burst(_ count: Int) async throws -> String {
        let bodyFile = folder.appending(path: "burst-\(UUID().uuidString)")
        try Data(#"{"aps":{"alert":"x"}}"#.utf8).write(to: bodyFile)
        let result = try await run([
            "nghttp", "--verbose", "--no-dep", "--timeout=20", "--multiply=\(count)", "--data=\(bodyFile.path)",
            "-H", "authorization: \(authorization)", "-H", "apns-topic: \(Account.topic)",
            "-H", "apns-push-type: alert",
            "https://127.0.0.1:\(simulator.port)/3/device/\(Account.device)",
        ])
        return result.output
    }
}

/// Runs `body` with a simulator that knows one key and one app, and ends it.
func withSimulator(
    _ configure: (inout APNsSimulatorConfiguration, Account) throws -> Void = { _, _ in },
    _ body: (LiveSimulator) async throws -> Void
) async throws {
    let account = Account()
    let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let keyFile = folder.appending(path: "key.p8").path
    try Data(account.privateKey.pemRepresentation.utf8).write(to: URL(filePath: keyFile))
    var configuration = APNsSimulatorConfiguration()
    configuration.authorityPath = folder.appending(path: "ca.pem").path
    configuration.keys = [try account.key()]
    configuration.apps = [try account.app()]
    try configure(&configuration, account)
    let token = try await pythonToken(
        keyFile: keyFile,
        kid: account.keyID,
        iss: account.teamID,
        issuedAt: LiveSimulator.now
    )
    let simulator = try await APNsSimulator.start(configuration)
    let live = LiveSimulator(
        simulator: simulator,
        account: account,
        folder: folder,
        authorization: "bearer \(token)"
    )
    do {
        try await body(live)
    } catch {
        await simulator.shutdown()
        throw error
    }
    await simulator.shutdown()
}
