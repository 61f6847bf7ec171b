import Logging
import NIOCore
import NIOPosix
import NIOSSL

/// Opens connections of one configuration; the TLS context is made once and shared by them.
final class HTTP2ClientConnector: Sendable {
    private let configuration: HTTP2ClientConfiguration
    private let logger: Logger
    private let resolver: (any Resolver & Sendable)?
    private let context: TLSContextSource

    /// A connector; without a `resolver` names are looked up as the system does it.
    init(
        _ configuration: HTTP2ClientConfiguration,
        logger: Logger,
        resolver: (any Resolver & Sendable)? = nil,
        makeContext: @escaping @Sendable (TLSConfiguration) throws -> NIOSSLContext = {
            try NIOSSLContext(configuration: $0)
        }
    ) {
        var tls = configuration.tls
        tls.applicationProtocols = ["h2"]
        self.configuration = configuration
        self.logger = logger
        self.resolver = resolver
        self.context = TLSContextSource { [tls] in try makeContext(tls) }
    }

    /// Looks the host up, connects, shakes hands and waits for SETTINGS; fails with ``HTTP2ConnectError``.
    func connect(on eventLoop: any EventLoop, shared: ClientShared) -> EventLoopFuture<HTTP2ClientConnection> {
        self.context.context(on: eventLoop)
            .flatMapErrorThrowing { throw self.error(.tls, $0) }
            .flatMap { self.open(on: eventLoop, context: $0, shared: shared) }
    }

    private func open(
        on eventLoop: any EventLoop,
        context: NIOSSLContext,
        shared: ClientShared
    ) -> EventLoopFuture<HTTP2ClientConnection> {
        let tls: NIOLoopBound<NIOSSLClientHandler>
        do {
            // Before a socket is opened, because it checks the name.
            let handler = try NIOSSLClientHandler(context: context, serverHostname: self.configuration.serverHostname)
            tls = NIOLoopBound(handler, eventLoop: eventLoop)
        } catch {
            return eventLoop.makeFailedFuture(self.error(.tls, error))
        }
        return ClientBootstrap(group: eventLoop)
            .resolver(self.resolver)
            .connectTimeout(self.configuration.connectTimeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.writeBufferWaterMark, value: .init(low: 64 * 1024, high: ClientSession.fullSocket))
            // This runs for each of the host's addresses, of which one is chosen.
            .channelInitializer { [refusal = self.configuration.refusal] channel in
                guard let refusal else { return channel.eventLoop.makeSucceededVoidFuture() }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AddressGate(refusal))
                }
            }
            .connect(host: self.configuration.host, port: self.configuration.port)
            .flatMapErrorThrowing { throw self.connectError($0) }
            // Not in the initializer above, for the reason that stands there.
            .flatMap { self.start(tls.value, on: $0, shared: shared) }
    }

    private func start(
        _ tls: NIOSSLClientHandler,
        on channel: any Channel,
        shared: ClientShared
    ) -> EventLoopFuture<HTTP2ClientConnection> {
        let ready = channel.eventLoop.makePromise(of: HTTP2ClientConnection.self)
        let socket = SocketAbort()
        let session = ClientSession(
            configuration: self.configuration,
            socket: socket,
            shared: shared,
            ready: ready,
            logger: self.logger
        )
        do {
            try channel.pipeline.syncOperations.addHandlers([socket, tls, session])
        } catch {
            ready.fail(self.error(.connect, error))
            channel.close(promise: nil)
        }
        return ready.futureResult
    }

    /// What an error of any layer means for an attempt to connect.
    func connectError(_ error: any Error) -> HTTP2ConnectError {
        if let error = error as? HTTP2ConnectError { return error }
        if let error = error as? NIOConnectionError, error.connectionErrors.isEmpty,
            error.dnsAError ?? error.dnsAAAAError != nil
        {
            return self.error(.resolve, error)
        }
        if let error = error as? NIOConnectionError, let refused = AddressGate.Refused(all: error.connectionErrors) {
            return self.error(.forbidden, refused)
        }
        return self.error(.connect, error)
    }

    private func error(_ phase: HTTP2ConnectError.Phase, _ error: any Error) -> HTTP2ConnectError {
        HTTP2ConnectError(
            phase: phase,
            host: self.configuration.host,
            port: self.configuration.port,
            reason: ConnectionErrorText.text(of: error)
        )
    }
}
