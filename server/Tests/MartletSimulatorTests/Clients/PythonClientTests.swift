import Foundation
import MartletTesting
import Testing

@testable import MartletSimulator

/// Other people's clients as they come from PyPI, each a process of its own.
@Suite("Clients from PyPI", .enabled(if: !PythonClient.installed.isEmpty, "python3 has none of them"))
struct PythonClientTests {
    @Test(
        "push with a provider token and with a certificate, and are told of an unregistered token",
        arguments: PythonClient.installed
    )
    func pushes(client: PythonClient) async throws {
        try await withSimulator { live in
            live.simulator.register(
                try SimulatorDevice(token: Account.otherDevice, state: .unregistered(since: 1_700_000_000_000))
            )
            let pair = try live.simulator.authority.pushCertificate(
                topics: [Account.topic, "\(Account.topic).voip"]
            )
            let certificate = live.folder.appending(path: "push.pem")
            try Data("\(pair.certificatePEM)\n\(pair.keyPEM)\n".utf8).write(to: certificate)
            let result = try await run(
                [
                    "env", "SSL_CERT_FILE=\(live.authorityFile)", "timeout", "20", "python3", "-B", client.program,
                    "\(live.simulator.port)", live.keyFile, live.account.keyID, live.account.teamID, Account.topic,
                    certificate.path, Account.device, Account.otherDevice,
                ]
            )
            #expect(result.output == client.output, "\(result.errors)")
            #expect(live.simulator.received().map(\.status) == [200, 410, 200, 410])
        }
    }
}

enum PythonClient: String, CaseIterable, Sendable {
    case aioapns, httpx, kalyke

    /// Those that python3 has, each with what its program imports beside it.
    static let installed = allCases.filter { Python.has($0.imports) }

    private var imports: String { self == .httpx ? "h2, httpx, jwt" : rawValue }

    var program: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "python/push_\(rawValue).py").path
    }

    /// What its program writes: kalyke tells a refusal by an error, the others by its status.
    var output: String {
        let refused = self == .kalyke ? "error" : "410"
        return ["token", "certificate"].map { "\($0) 200 accepted\n\($0) \(refused) Unregistered\n" }.joined()
    }
}
