import Crypto
import Foundation
import Logging
import MartletCore
import MartletSimulator
import MartletTesting
import MartletWire
import NIOCore
import NIOPosix
import Testing

@testable import MartletProviders

/// What other HTTP/2 servers see of a push: Node's, and nghttp2's with its log of every header field.
@Suite("Pushes as other servers see them", .timeLimit(.minutes(2)))
struct OtherServersTests {
    /// The certificate that a server needs, as files, and what the provider trusts.
    private struct Site {
        let folder: URL
        let trust: String
        var key: String { folder.appending(path: "server.key").path }
        var certificate: String { folder.appending(path: "server.pem").path }

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "other-servers-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let authority = try SimulatorAuthority()
            let pair = try authority.serverCertificate()
            trust = authority.certificatePEM
            try Data(pair.certificatePEM.utf8).write(to: folder.appending(path: "server.pem"))
            try Data(pair.keyPEM.utf8).write(to: folder.appending(path: "server.key"))
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    private static let token = String(repeating: "a1b2c3d4", count: 8)
    private static let id = "00000000-0000-7000-8000-000000000000"

    /// Every header field that a push can have, and text beyond ASCII in its payload.
    private func message() throws -> Message {
        try Rendering.message(
            Rendering.submission(
                Content(title: "Línea 4 → 12 min", data: ["line": "4"]),
                pushType: "alert",
                priority: .normal,
                dedup: Dedup(key: "alert-7"),
                expiry: .at(Timestamp(milliseconds: 4_000_000_000_000))
            )
        )
    }

    private func send(
        _ message: Message,
        to port: Int,
        of site: Site,
        tokens: [String] = [token]
    ) async throws -> [Int: Outcome] {
        let provider = APNsProvider(
            group: MultiThreadedEventLoopGroup.singleton,
            clock: SystemClock(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let credential = try Stored.credential(
            .signingKey(pem: P256.Signing.PrivateKey().pemRepresentation, keyID: "ABCD123456", teamID: "TEAM123456"),
            checkedBy: provider,
            url: "https://127.0.0.1:\(port)",
            trust: site.trust
        )
        let push = Push(credential: credential, message: message, targets: Stored.targets(tokens))
        let outcomes = await Outcomes.of(push, by: provider)
        await provider.shutdown()
        return outcomes
    }

    /// The fields that are the same in every run; `authorization` and `:authority` are not.
    private static let fields = [
        ":method": "POST", ":scheme": "https", ":path": "/3/device/\(token)", "apns-topic": "com.example.app",
        "apns-push-type": "alert", "apns-priority": "5", "apns-expiration": "4000000000",
        "apns-collapse-id": "alert-7", "apns-id": id,
    ]
    /// Those that are not to fill the header tables.
    private static let literal: Set<String> = [
        ":path", "authorization", "apns-expiration", "apns-collapse-id", "apns-id",
    ]

    @Test("Node's http2 gets the path, every header field and the payload, byte for byte")
    func node() async throws {
        let site = try Site()
        defer { site.remove() }
        let script = """
            const fs = require('fs'), http2 = require('http2')
            const server = http2.createSecureServer({
              key: fs.readFileSync(process.argv[1]), cert: fs.readFileSync(process.argv[2]) })
            server.on('stream', (stream, headers) => {
              const chunks = []
              stream.on('data', chunk => chunks.push(chunk))
              stream.on('end', () => {
                console.log(JSON.stringify({ headers, literal: headers[http2.sensitiveHeaders],
                  body: Buffer.concat(chunks).toString('base64') }))
                stream.respond({ ':status': 200, 'apns-id': headers['apns-id'] })
                stream.end()
              })
            })
            server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))
            """
        let server = try ProgramProcess(["-e", script, site.key, site.certificate], executable: "node")
        defer { server.send(signal: SIGKILL) }
        let port = try #require(Int(try await server.line(containing: "port ").dropFirst(5)))
        let message = try message()

        #expect(try await send(message, to: port, of: site) == [0: .accepted])

        let line = try await server.line(containing: "{")
        let seen = try JSONDecoder().decode(Seen.self, from: Data(line.utf8))
        #expect(seen.body == Data(message.payload.bytes))
        var headers = seen.headers
        #expect(headers.removeValue(forKey: "authorization")?.wholeMatch(of: Self.bearer) != nil)
        #expect(headers.removeValue(forKey: ":authority") == "127.0.0.1:\(port)")
        #expect(headers.removeValue(forKey: "content-length") == "\(message.payload.bytes.count)")
        #expect(headers == Self.fields)
        #expect(Set(seen.literal) == Self.literal)
    }

    @Test("behind a server of Node's that closes gracefully after every hundredth request, 2,000 of 2,000 are accepted")
    func nodeThatCloses() async throws {
        let site = try Site()
        defer { site.remove() }
        let script = """
            const fs = require('fs'), http2 = require('http2')
            const server = http2.createSecureServer({
              key: fs.readFileSync(process.argv[1]), cert: fs.readFileSync(process.argv[2]),
              settings: { maxConcurrentStreams: 1000 } })
            let sessions = 0
            server.on('session', session => {
              sessions += 1
              let count = 0
              session.on('stream', stream => {
                count += 1
                // It is above the last one that the close names.
                if (count > 100) return stream.close(http2.constants.NGHTTP2_REFUSED_STREAM)
                if (count == 100) session.close()
                stream.resume()
                stream.on('error', () => {})
                stream.on('end', () => { stream.respond({ ':status': 200 }); stream.end() })
              })
            })
            server.on('request', () => {})
            server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))
            """
        let server = try ProgramProcess(["-e", script, site.key, site.certificate], executable: "node")
        defer { server.send(signal: SIGKILL) }
        let port = try #require(Int(try await server.line(containing: "port ").dropFirst(5)))

        let outcomes = try await send(try message(), to: port, of: site, tokens: (0..<2_000).map(Stored.token))

        #expect(outcomes.values.count { $0 == .accepted } == 2_000, "\(Set(outcomes.values))")
    }

    private struct Seen: Decodable {
        var headers: [String: String]
        var literal: [String]
        var body: Data
    }

    private static var bearer: Regex<Substring> { /bearer [A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}/ }

    @Test("nghttpd's log has the path, every header field and the payload's length")
    func nghttpd() async throws {
        let site = try Site()
        defer { site.remove() }
        // A file at the push's path, so that the answer is 200.
        let root = site.folder.appending(path: "root/3/device")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try Data().write(to: root.appending(path: Self.token))
        let port = try await freePort()
        let server = try ProgramProcess(
            [
                "-oL", "nghttpd", "--address=127.0.0.1", "-v",
                "--htdocs=\(site.folder.appending(path: "root").path)", "\(port)", site.key, site.certificate,
            ],
            executable: "stdbuf"
        )
        defer { server.send(signal: SIGKILL) }
        try await server.line(containing: "listen 127.0.0.1:\(port)")
        let message = try message()

        #expect(try await send(message, to: port, of: site) == [0: .accepted])

        try await server.line(containing: "recv DATA frame")
        // Without its colours.
        let lines = server.standardOutput.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(separator: "\n")
        let log = lines.prefix(through: try #require(lines.firstIndex { $0.contains("recv DATA frame") }))
        var headers: [String: String] = [:]
        var literal: Set<String> = []
        for line in log {
            guard let match = line.firstMatch(of: /recv \(stream_id=\d+(, sensitive)?\) (:?[a-z-]+): (.*)/) else {
                continue
            }
            let name = String(match.2)
            #expect(headers.updateValue(String(match.3), forKey: name) == nil, "\(name) came twice")
            if match.1 != nil { literal.insert(name) }
        }
        #expect(headers.removeValue(forKey: "authorization")?.wholeMatch(of: Self.bearer) != nil)
        #expect(headers.removeValue(forKey: ":authority") == "127.0.0.1:\(port)")
        #expect(headers.removeValue(forKey: "content-length") == "\(message.payload.bytes.count)")
        #expect(headers == Self.fields)
        #expect(literal == Self.literal)
        #expect(log.last?.contains("length=\(message.payload.bytes.count), flags=0x01") == true)
        #expect(!log.contains { $0.contains("PRIORITY") })
    }

    /// A port for a server that cannot tell which one it took: free a moment ago, and none of those that the system gives
    /// to whoever asks for any (from 32768 on, /proc/sys/net/ipv4/ip_local_port_range).
    private func freePort() async throws -> Int {
        struct NoFreePort: Error {}
        for _ in 0..<100 {
            let port = Int.random(in: 20_000..<32_768)
            let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            guard let channel = try? await bootstrap.bind(host: "127.0.0.1", port: port).get() else { continue }
            try await channel.close()
            return port
        }
        throw NoFreePort()
    }
}
