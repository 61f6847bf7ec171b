import Crypto
import Foundation
import NIOCore
import NIOPosix

/// `nghttpd`, nghttp2's own server, on the other core: it checks nothing and answers every
/// request with 404, because it looks for a file: the only answer that it has at full speed. For the transport it is an
/// answer like any other.
final class MockServer {
    let port: Int
    /// Its certificate, which is its own authority.
    let certificate: String
    let privateKey: String
    let process = Process()
    private let folder: URL

    /// Starts it with a certificate made for the run, and returns when it accepts connections.
    ///
    /// - Parameter streams: how many streams it grants a connection.
    init(streams: Int = 1_000) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-bench-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        port = try MockServer.freePort()
        certificate = folder.path + "/cert.pem"
        privateKey = folder.path + "/key.pem"
        try Tool.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", privateKey,
                "-out", certificate,
            ]
        )
        let signingKey = P256.Signing.PrivateKey().pemRepresentation
        try Data(signingKey.utf8).write(to: folder.appendingPathComponent("AuthKey.p8"))
        process.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
        process.arguments = [
            "-c", "1", "nghttpd", "-m", "\(streams)", "\(port)", privateKey, certificate,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try await waitUntilReady()
    }

    /// A file with a payload of 184 bytes, as the figures of `docs/performance.md` were taken with.
    func payload() throws -> URL {
        let file = folder.appendingPathComponent("payload.json")
        try Data(MockServer.payload).write(to: file)
        return file
    }

    /// It, as `h2load` asks it.
    func peer() throws -> Floor.Peer { Floor.Peer(port: port, body: try payload()) }

    /// An alert of 184 bytes.
    static let payload: [UInt8] = {
        let head = #"{"aps":{"alert":{"title":"Line 4","body":""#
        let tail = #""},"sound":"default","badge":1},"alert_id":"a-42"}"#
        return Array((head + String(repeating: "x", count: 184 - head.utf8.count - tail.utf8.count) + tail).utf8)
    }()

    /// It, or another server with its certificate, as an app's provider.
    func provider(url: String? = nil) -> ServerUnderTest.Provider {
        ServerUnderTest.Provider(
            url: url ?? "https://localhost:\(port)",
            trust: certificate,
            signingKey: folder.appendingPathComponent("AuthKey.p8").path
        )
    }

    func stop() {
        // It keeps running after SIGTERM when it inherits a mask that blocks it, as children of this process do.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private func waitUntilReady() async throws {
        for _ in 0..<100 {
            let attempt = try? await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: port).get()
            if let attempt { return try await attempt.close() }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BenchmarkError("nghttpd did not start")
    }

    private static func freePort() throws -> Int {
        let channel = try ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).wait()
        defer { try? channel.close().wait() }
        guard let port = channel.localAddress?.port else { throw BenchmarkError("no free port") }
        return port
    }
}
