import HTTPTypes
import MartletWire
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import MartletCore
@testable import MartletHTTP

/// Providers' addresses that somebody named who is not the operator.
@Suite("Private addresses of credentials")
struct PrivateProviderTests {
    /// A port that counts who connects, and hangs up.
    private final class CountingPort: Sendable {
        private let connections: Counter
        private let channel: any Channel

        private final class Counter: Sendable {
            let count = Atomic(0)
        }

        init() async throws {
            let counter = Counter()
            connections = counter
            channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .childChannelInitializer { child in
                    counter.count.add(1, ordering: .relaxed)
                    return child.close()
                }
                .bind(host: "127.0.0.1", port: 0)
                .get()
        }

        var port: Int { channel.localAddress?.port ?? 0 }
        var count: Int { connections.count.load(ordering: .relaxed) }
        func close() async throws { try await channel.close() }
    }

    /// What doctor says of an address, with the same word for every port.
    private static func doctor(_ host: String, _ port: Int, key: String, on server: Harness) async throws -> String {
        try await server.storeCredential(url: "https://\(host):\(port)", key: key)
        let answer = try await server.call(.get, "/api/v1/doctor?app=com.example.app", key: key)
        #expect(answer.status == 200, "\(answer.text)")
        return answer.text.replacing("\(port)", with: "PORT")
    }

    @Test("a key of one app has no private port connected to, and doctor says the same of open and closed ones")
    func hidesPorts() async throws {
        let open = try await CountingPort()
        let other = try await CountingPort()
        let closed = other.port
        try await other.close()
        try await Harness.run(hasCredential: false) { server in
            let bound = try await Harness.key(.admin, app: server.app.row, in: server.store)
            for host in ["127.0.0.1", "localhost"] {
                let listening = try await Self.doctor(host, open.port, key: bound, on: server)
                let silent = try await Self.doctor(host, closed, key: bound, on: server)
                #expect(listening == silent)
                #expect(silent.contains("loopback"), "\(silent)")
            }
            #expect(open.count == 0)
            _ = try await Self.doctor("127.0.0.1", open.port, key: server.admin, on: server)
            #expect(open.count > 0, "the operator may name any address")
        }
        try await open.close()
    }
}
