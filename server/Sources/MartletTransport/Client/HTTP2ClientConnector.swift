import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Opens connections of one configuration; the TLS context is made once and shared by them.
final class HTTP2ClientConnector: Sendable {
    let configuration: HTTP2ClientConfiguration
    private let logger: Logger
    private let context = Mutex<NIOSSLContext?>(nil)

    init(_ configuration: HTTP2ClientConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Looks the host up, connects, shakes hands and waits for SETTINGS; fails with ``HTTP2ConnectError``.
    func connect(on eventLoop: any EventLoop, shared: ClientShared) -> EventLoopFuture<HTTP2ClientConnection> {
        let ready = eventLoop.makePromise(of: HTTP2ClientConnection.self)
        let configuration = self.configuration
        let logger = self.logger
        let context: NIOSSLContext
        do {
            context = try self.tlsContext()
            // Checks the name before a socket is opened.
            _ = try NIOSSLClientHandler(context: context, serverHostname: configuration.serverHostname)
        } catch {
            ready.fail(self.error(.tls, error))
            return ready.futureResult
        }
        ClientBootstrap(group: eventLoop)
            .connectTimeout(configuration.connectTimeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.writeBufferWaterMark, value: .init(low: 64 * 1024, high: 2 * ClientSession.writeLimit))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let socket = SocketAbort()
                    let tls = try NIOSSLClientHandler(context: context, serverHostname: configuration.serverHostname)
                    let session = ClientSession(
                        configuration: configuration,
                        socket: socket,
                        shared: shared,
                        ready: ready,
                        logger: logger
                    )
                    try channel.pipeline.syncOperations.addHandlers([socket, tls, session])
                }
            }
            .connect(host: configuration.host, port: configuration.port)
            .whenFailure { ready.fail(self.connectError($0)) }
        return ready.futureResult
    }

    /// What an error of any layer means for an attempt to connect.
    func connectError(_ error: any Error) -> HTTP2ConnectError {
        if let error = error as? HTTP2ConnectError { return error }
        if let error = error as? NIOConnectionError, error.connectionErrors.isEmpty,
            let reason = error.dnsAError ?? error.dnsAAAAError
        {
            return self.error(.resolve, reason)
        }
        if case .connectTimeout(let amount)? = error as? ChannelError {
            return HTTP2ConnectError(
                phase: .connect,
                host: self.configuration.host,
                port: self.configuration.port,
                reason: "no connection within \(amount.nanoseconds / 1_000_000) ms"
            )
        }
        return self.error(.connect, error)
    }

    private func error(_ phase: HTTP2ConnectError.Phase, _ error: any Error) -> HTTP2ConnectError {
        HTTP2ConnectError(
            phase: phase,
            host: self.configuration.host,
            port: self.configuration.port,
            reason: "\(error)"
        )
    }

    /// Reading the trust roots takes milliseconds, so it is done once.
    private func tlsContext() throws -> NIOSSLContext {
        try self.context.withLock { context in
            if let context { return context }
            var tls = self.configuration.tls
            tls.applicationProtocols = ["h2"]
            let made = try NIOSSLContext(configuration: tls)
            context = made
            return made
        }
    }
}
