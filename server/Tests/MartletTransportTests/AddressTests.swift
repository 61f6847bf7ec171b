import Logging
import MartletTesting
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

@testable import MartletTransport

/// Hosts with several addresses, of which some do not answer, and the trust that all attempts share.
@Suite(.timeLimit(.minutes(4)))
struct AddressTests {
    /// Knows the same addresses for every name.
    private struct FixedResolver: Resolver, Sendable {
        let loop: any EventLoop
        let addresses: [SocketAddress]

        func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            self.loop.makeSucceededFuture(self.addresses.filter { $0.protocol == .inet })
        }

        func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            self.loop.makeSucceededFuture(self.addresses.filter { $0.protocol == .inet6 })
        }

        func cancelQueries() {}
    }

    /// A listener without room for another connection, so that nobody answers one who knocks.
    private struct FullListener {
        private let listener: any Channel
        private let guest: any Channel

        var address: SocketAddress { get throws { try #require(self.listener.localAddress) } }

        static func start() async throws -> FullListener {
            let group = MultiThreadedEventLoopGroup.singleton
            let listener = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 0)
                .serverChannelOption(.autoRead, value: false)
                .bind(host: "127.0.0.1", port: 0).get()
            // Linux takes one connection more than the backlog says, and drops the SYN of every other.
            let guest = try await ClientBootstrap(group: group).connect(to: try #require(listener.localAddress)).get()
            return FullListener(listener: listener, guest: guest)
        }

        func stop() async throws {
            try await self.guest.close()
            try await self.listener.close()
        }
    }

    private func connect(
        _ addresses: [SocketAddress],
        _ change: (inout HTTP2ClientConfiguration) throws -> Void = { _ in }
    ) async throws -> HTTP2ClientConnection {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let connector = HTTP2ClientConnector(
            try .loopback(port: 443) {
                $0.host = "push.invalid"
                try change(&$0)
            },
            logger: .quiet,
            resolver: FixedResolver(loop: loop, addresses: addresses)
        )
        return try await connector.connect(on: loop, shared: .alone).get()
    }

    private func error(
        _ addresses: [SocketAddress],
        _ change: (inout HTTP2ClientConfiguration) throws -> Void = { _ in }
    ) async throws -> HTTP2ConnectError? {
        await #expect(throws: HTTP2ConnectError.self) { try await self.connect(addresses, change) }
    }

    /// Sends a request, closes, and waits until the server has no connection left.
    private func use(_ connection: HTTP2ClientConnection, of server: ScriptedServer) async throws {
        #expect(await connection.send(.plain, path: "/").status == 200)
        #expect(server.log.connectionCount == 1)
        await connection.close()
        try await Eventually.is("the server has no connection") { server.server.connectionCount == 0 }
    }

    @Test(arguments: ["127.0.0.2", "::1"])
    func anAddressThatRefusesIsFollowedByTheNext(first: String) async throws {
        try await ScriptedServer.with { server in
            let port = server.server.port
            let connection = try await self.connect([
                try SocketAddress(ipAddress: first, port: port), try SocketAddress(ipAddress: "127.0.0.1", port: port),
            ])

            try await self.use(connection, of: server)
        }
    }

    @Test func anAddressThatDoesNotAnswerIsFollowedByTheNext() async throws {
        let silent = try await FullListener.start()
        try await ScriptedServer.with { server in
            let connection = try await self.connect([
                try silent.address, try SocketAddress(ipAddress: "127.0.0.1", port: server.server.port),
            ])

            try await self.use(connection, of: server)
        }
        try await silent.stop()
    }

    @Test func addressesThatAllRefuseAreAConnectErrorThatNamesThem() async throws {
        let refusing = try RefusingPort()

        let error = try #require(
            try await self.error([
                try SocketAddress(ipAddress: "127.0.0.2", port: refusing.port),
                try SocketAddress(ipAddress: "127.0.0.3", port: refusing.port),
            ])
        )

        #expect(error.phase == .connect)
        #expect(error.reason.contains("127.0.0.2") && error.reason.contains("127.0.0.3"), "\(error)")
    }

    @Test func anAddressThatDoesNotAnswerIsAConnectErrorInTime() async throws {
        let silent = try await FullListener.start()

        let error = try await self.error([try silent.address]) { $0.connectTimeout = .milliseconds(100) }

        #expect(error?.phase == .connect)
        #expect(error?.reason == "no connection within 100 ms")
        try await silent.stop()
    }

    @Test func trustIsReadOnceForAllAttemptsAndNotOnAnEventLoop() async throws {
        let loops = Mutex<[Bool]>([])
        try await ScriptedServer.with { server in
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let connector = HTTP2ClientConnector(try server.configuration(), logger: .quiet) { configuration in
                loops.withLock { $0.append(MultiThreadedEventLoopGroup.currentEventLoop != nil) }
                return try NIOSSLContext(configuration: configuration)
            }

            let attempts = try await loop.submit {
                (0..<5).map { _ in connector.connect(on: loop, shared: .alone) }
            }.get()
            for attempt in attempts {
                let connection = try await attempt.get()
                #expect(await connection.send(.plain, path: "/").status == 200)
                await connection.close()
            }

            #expect(loops.withLock { $0 } == [false])
        }
    }

    @Test func trustThatCannotBeReadIsATLSErrorAndReadAgain() async throws {
        let isBroken = Mutex(true)
        try await ScriptedServer.with { server in
            let connector = HTTP2ClientConnector(try server.configuration(), logger: .quiet) { configuration in
                if isBroken.withLock({ $0 }) { throw NIOSSLError.failedToLoadCertificate }
                return try NIOSSLContext(configuration: configuration)
            }
            let loop = MultiThreadedEventLoopGroup.singleton.next()

            let error = await #expect(throws: HTTP2ConnectError.self) {
                try await connector.connect(on: loop, shared: .alone).get()
            }
            #expect(error?.phase == .tls)

            isBroken.withLock { $0 = false }
            let connection = try await connector.connect(on: loop, shared: .alone).get()
            #expect(await connection.send(.plain, path: "/").status == 200)
            await connection.close()
        }
    }
}

extension ClientShared {
    /// Of a connection that belongs to no pool.
    fileprivate static var alone: ClientShared { ClientShared(onStateChange: { _ in }, giveBack: nil) }
}
