import Foundation
import MartletTesting
import MartletTransport
import NIOCore
import NIOPosix
import Testing

/// The client against HTTP/2 servers that share no code with it but libnghttp2, and none at all.
@Suite(.timeLimit(.minutes(4)))
struct OtherServersTests {
    private func exchange(with port: Int, count: Int) async throws -> [Int: HTTP2Answer] {
        let connection = try await HTTP2ClientConnection.connect(
            .loopback(port: port),
            group: .singletonMultiThreadedEventLoopGroup,
            logger: .quiet
        )
        let answers = Answers()
        connection.send(.numbered(count, into: answers))
        let all = await answers.wait(for: count)
        await connection.close(within: .milliseconds(500))
        #expect(answers.repeated == 0)
        return all
    }

    @Test func nghttpdAnswersABurst() async throws {
        let certificates = try Certificates.shared.get()
        let root = certificates.folder.appending(path: "root-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try Data("zero".utf8).write(to: root.appending(path: "0"))
        let free = try await freePort()
        let server = try ProgramProcess(
            [
                "-oL", "nghttpd", "--address=127.0.0.1", "--htdocs=\(root.path)", "-v", "\(free)",
                certificates.serverKey, certificates.serverCertificate,
            ],
            executable: "stdbuf"
        )
        defer { server.send(signal: SIGKILL) }
        try await server.line(containing: "listen 127.0.0.1:\(free)")

        let all = try await self.exchange(with: free, count: 1000)

        guard case .response(let found)? = all[0] else { return #expect(Bool(false), "\(String(describing: all[0]))") }
        #expect(found.status == 200)
        #expect(found.body == Array("zero".utf8))
        #expect((1..<1000).allSatisfy { all[$0]?.status == 404 })
    }

    @Test func nodeAnswersABurst() async throws {
        let certificates = try Certificates.shared.get()
        let script = """
            const fs = require('fs')
            const server = require('http2').createSecureServer({
              key: fs.readFileSync(process.argv[1]), cert: fs.readFileSync(process.argv[2]),
              settings: { maxConcurrentStreams: 50 } })
            server.on('stream', (stream, headers) => {
              const chunks = []
              stream.on('data', chunk => chunks.push(chunk))
              stream.on('end', () => {
                stream.respond({ ':status': 200, number: headers.number, topic: headers['apns-topic'] })
                stream.end(Buffer.concat(chunks))
              })
            })
            server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))
            """
        let server = try ProgramProcess(
            ["-e", script, certificates.serverKey, certificates.serverCertificate],
            executable: "node"
        )
        defer { server.send(signal: SIGKILL) }
        let port = try #require(Int(try await server.line(containing: "port ").dropFirst(5)))

        let all = try await self.exchange(with: port, count: 500)

        for (number, answer) in all {
            guard case .response(let response) = answer else { return #expect(Bool(false), "\(answer)") }
            #expect(response.status == 200)
            #expect(response.value(of: "number") == "\(number)")
            #expect(response.value(of: "topic") == "org.example")
            #expect(response.body == Array(#"{"aps":{"alert":"hello"}}"#.utf8))
        }
    }

    /// A port for a server that cannot tell which one it took: free a moment ago, and none of those that the system gives
    /// to whoever asks for any (from 32768 on, /proc/sys/net/ipv4/ip_local_port_range).
    private func freePort() async throws -> Int {
        struct NoFreePort: Error {}
        for _ in 0..<100 {
            let port = Int.random(in: 20_000..<32_768)
            let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            guard let channel = try? await bootstrap.bind(host: "127.0.0.1", port: port).get() else { continue }
            try await channel.close()
            return port
        }
        throw NoFreePort()
    }
}
