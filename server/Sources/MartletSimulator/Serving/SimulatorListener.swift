import Logging
import MartletTransport
import NIOCore
import NIOPosix
import NIOSSL

/// What a simulated service binds its ports with.
package struct ListenerSetup: Sendable {
    let host: String
    let tls: TLSConfiguration
    let group: any EventLoopGroup
    let logger: Logger
}

/// A port of a simulated service that can refuse connections and listen again.
actor SimulatorListener {
    private enum Mode {
        case listening
        case refusing
        case failingTLS(any Channel)
    }

    nonisolated let port: Int
    /// What it stands in for, where a service has two.
    nonisolated let environment: APNsEnvironment?
    private let host: String
    private let server: HTTP2Server
    private let group: any EventLoopGroup
    private let logger: Logger
    private var mode = Mode.listening
    /// Held while the port is closed.
    private var reservation: PortReservation?
    /// Grows with each command, so that an older one's timer does nothing.
    private var commands = 0

    /// Binds and listens.
    init(
        _ configuration: HTTP2ServerConfiguration,
        environment: APNsEnvironment?,
        with setup: ListenerSetup,
        makeHandler: @escaping @Sendable (HTTP2ServerConnection) -> any HTTP2ServerHandler
    ) async throws {
        server = try await HTTP2Server.start(
            configuration,
            group: setup.group,
            logger: setup.logger,
            makeHandler: makeHandler
        )
        self.environment = environment
        host = setup.host
        group = setup.group
        logger = setup.logger
        port = server.port
    }

    /// Whether new connections are taken.
    var isListening: Bool {
        if case .listening = mode { true } else { false }
    }

    /// Takes no new connections any more; open ones stay.
    ///
    /// - Parameter milliseconds: after which it listens again; `nil` until told.
    func stop(_ wanted: ListenerMode, milliseconds: Int? = nil) async {
        commands += 1
        let command = commands
        await leaveMode()
        mode = .refusing
        await server.stopAccepting()
        if reservation == nil { reservation = try? PortReservation(host: host, port: port) }
        if wanted == .failTLS, let channel = try? await retrying({ try await self.failTLS() }) {
            mode = .failingTLS(channel)
        }
        guard let milliseconds else { return }
        Task {
            try await Task.sleep(for: .milliseconds(milliseconds))
            try await resume(after: command)
        }
    }

    /// Takes connections again, on the same port.
    ///
    /// - Throws: what the system says of the port.
    func start() async throws {
        commands += 1
        await leaveMode()
        try await retrying { try await self.server.resumeAccepting() }
        reservation = nil
        mode = .listening
    }

    func shutdown() async {
        commands += 1
        await leaveMode()
        reservation = nil
        await server.shutdown()
    }

    private func resume(after command: Int) async throws {
        if command == commands { try await start() }
    }

    private func leaveMode() async {
        if case .failingTLS(let channel) = mode { try? await channel.close() }
    }

    /// Tries again for about two seconds: between closing the port and keeping it another socket can slip in.
    private func retrying<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        for _ in 0..<40 {
            do {
                return try await body()
            } catch is IOError {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        return try await body()
    }

    /// Binds the port for connections whose handshake fails.
    private func failTLS() async throws -> any Channel {
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(HandshakeRefusal())
                }
            }
            .bind(host: host, port: port)
            .get()
        await AcceptPause.add(to: channel, logger: logger)
        return channel
    }
}

/// Answers the first bytes of a TLS client with a fatal `handshake_failure` alert (RFC 8446 section 6) and closes.
private final class HandshakeRefusal: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Record type alert, version 1.2 as all versions write it, two bytes: fatal, handshake_failure.
    private static let alert: [UInt8] = [21, 3, 3, 0, 2, 2, 40]

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = context.channel
        channel.writeAndFlush(ByteBuffer(bytes: Self.alert)).whenComplete { _ in channel.close(promise: nil) }
    }
}
