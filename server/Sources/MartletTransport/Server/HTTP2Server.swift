public import Logging
public import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// An HTTP/2 server over TLS whose connections each have a handler of their own.
public final class HTTP2Server: Sendable {
    private struct State {
        var listener: (any Channel)?
        var port: Int
        var nextID = 1
        var connections: [Int: Connection] = [:]
    }

    /// A connection from its acceptance on, before and after its handshake.
    private struct Connection: Sendable {
        var channel: any Channel
        var abort: @Sendable () -> Void
    }

    private let configuration: HTTP2ServerConfiguration
    private let group: any EventLoopGroup
    private let logger: Logger
    private let context: NIOSSLContext
    private let makeHandler: @Sendable (HTTP2ServerConnection) -> any HTTP2ServerHandler
    private let state: Mutex<State>

    /// Binds and accepts; `makeHandler` is called on a connection's event loop after its TLS handshake.
    ///
    /// Throws what NIOSSL says of the certificate and what the system says of the port.
    public static func start(
        _ configuration: HTTP2ServerConfiguration,
        group: any EventLoopGroup,
        logger: Logger,
        makeHandler: @escaping @Sendable (HTTP2ServerConnection) -> any HTTP2ServerHandler
    ) async throws -> HTTP2Server {
        let server = try HTTP2Server(configuration, group: group, logger: logger, makeHandler: makeHandler)
        try await server.resumeAccepting()
        return server
    }

    private init(
        _ configuration: HTTP2ServerConfiguration,
        group: any EventLoopGroup,
        logger: Logger,
        makeHandler: @escaping @Sendable (HTTP2ServerConnection) -> any HTTP2ServerHandler
    ) throws {
        var tls = configuration.tls
        tls.applicationProtocols = configuration.http1 == nil ? ["h2"] : ["h2", "http/1.1"]
        switch configuration.clientCertificates {
        case .ignored: tls.certificateVerification = .none
        case .optional, .optionalUnverified: tls.certificateVerification = .optionalVerification
        }
        self.configuration = configuration
        self.group = group
        self.logger = logger
        self.context = try NIOSSLContext(configuration: tls)
        self.makeHandler = makeHandler
        self.state = Mutex(State(port: configuration.port))
    }

    /// The port that was bound; it stays the same when accepting is stopped and resumed.
    public var port: Int { self.state.withLock { $0.port } }

    /// How many connections are open.
    public var connectionCount: Int { self.state.withLock { $0.connections.count } }

    /// Closes the listening socket: new connections are refused, open ones stay.
    public func stopAccepting() async {
        let listener = self.state.withLock { state in
            defer { state.listener = nil }
            return state.listener
        }
        try? await listener?.close()
    }

    /// Binds the same port again; does nothing while accepting.
    public func resumeAccepting() async throws {
        let (isListening, port) = self.state.withLock { ($0.listener != nil, $0.port) }
        if isListening { return }
        let listener = try await ServerBootstrap(group: self.group)
            .serverChannelOption(.backlog, value: Int32(clamping: self.configuration.backlog))
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(
                .writeBufferWaterMark,
                value: .init(low: 64 * 1024, high: 2 * ServerSession.writeLimit)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.accept(channel) }
            }
            .bind(host: self.configuration.host, port: port)
            .get()
        await AcceptPause.add(to: listener, logger: self.logger)
        self.state.withLock { state in
            state.listener = listener
            state.port = listener.localAddress?.port ?? port
        }
    }

    /// Resets all open connections.
    public func closeConnections() {
        for connection in self.state.withLock({ Array($0.connections.values) }) { connection.abort() }
    }

    /// Stops accepting, resets all connections and waits until they are gone.
    public func shutdown() async {
        await self.stopAccepting()
        let connections = self.state.withLock { Array($0.connections.values) }
        for connection in connections { connection.abort() }
        for connection in connections { try? await connection.channel.closeFuture.get() }
    }

    private func accept(_ channel: any Channel) throws {
        let socket = SocketAbort()
        let bound = NIOLoopBound(socket, eventLoop: channel.eventLoop)
        let connection = Connection(channel: channel) {
            channel.eventLoop.execute { bound.value.abort(reset: true) }
        }
        let id = self.state.withLock { state in
            let id = state.nextID
            state.nextID += 1
            state.connections[id] = connection
            return id
        }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { _ = $0.connections.removeValue(forKey: id) }
        }
        let tls = self.tlsHandler()
        let session = ServerSession(
            id: id,
            configuration: self.configuration,
            tls: tls,
            socket: socket,
            logger: self.logger,
            makeHandler: self.makeHandler
        )
        try channel.pipeline.syncOperations.addHandlers([socket, tls, session])
    }

    private func tlsHandler() -> NIOSSLServerHandler {
        switch self.configuration.clientCertificates {
        case .ignored, .optional:
            NIOSSLServerHandler(context: self.context)
        case .optionalUnverified:
            NIOSSLServerHandler(
                context: self.context,
                customVerificationCallback: { _, promise in promise.succeed(.certificateVerified) }
            )
        }
    }
}
