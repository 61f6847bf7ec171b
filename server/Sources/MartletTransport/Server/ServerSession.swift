internal import CNghttp2
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// One connection's HTTP/2 on the server side: bytes to requests, answers to bytes.
///
/// All answers given while a read is worked on leave in one write at its end.
final class ServerSession: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Bytes gathered for one write: a few TLS records (16 KiB each), bounded so that a slow reader is noticed early.
    static let writeLimit = 256 * 1024

    let configuration: HTTP2ServerConfiguration
    let id: Int
    let logger: Logger
    let tls: NIOSSLServerHandler
    let socket: SocketAbort
    let session: NGHTTP2Session
    let streams = SlotTable(make: ServerStreamState.init)
    var fields = HeaderFields()
    var recent = RecentFields()
    var connection: HTTP2ServerConnection?
    var handler: (any HTTP2ServerHandler)?
    /// SETTINGS_MAX_CONCURRENT_STREAMS as last sent.
    var maxConcurrentStreams: Int

    private let makeHandler: @Sendable (HTTP2ServerConnection) -> any HTTP2ServerHandler
    private var context: ChannelHandlerContext?
    private var outbound = ByteBuffer()
    private var handshakeTimer: Scheduled<Void>?
    private var isReading = false
    private var isFlushScheduled = false
    private var closesAfterFlush = false
    private var isClosed = false

    init(
        id: Int,
        configuration: HTTP2ServerConfiguration,
        tls: NIOSSLServerHandler,
        socket: SocketAbort,
        logger: Logger,
        makeHandler: @escaping @Sendable (HTTP2ServerConnection) -> any HTTP2ServerHandler
    ) {
        self.id = id
        self.configuration = configuration
        self.maxConcurrentStreams = configuration.maxConcurrentStreams
        self.tls = tls
        self.socket = socket
        self.logger = logger
        self.makeHandler = makeHandler
        self.session = NGHTTP2Session(.server, callbacks: Self.setCallbacks)
        self.session.bind(to: self)
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let socket = NIOLoopBound(self.socket, eventLoop: context.eventLoop)
        self.handshakeTimer = context.eventLoop.scheduleTask(in: self.configuration.handshakeTimeout) {
            socket.value.abort(reset: false)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.ended()
        self.context = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        self.handshakeTimer?.cancel()
        if let http1 = self.configuration.http1, negotiated != "h2" { return self.leave(to: http1, context: context) }
        // A client that names no protocol may know already that this is HTTP/2; its preface shows it.
        guard negotiated == nil || negotiated == "h2" else {
            self.logger.debug("client did not offer h2", metadata: ["connection": "\(self.id)"])
            return context.close(promise: nil)
        }
        // First of all frames (RFC 9113, section 3.4): the handler may submit others.
        self.session.submitSettings(
            maxConcurrentStreams: self.maxConcurrentStreams,
            [
                (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, self.configuration.initialWindowSize),
                (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, self.configuration.maxHeaderBytes),
            ]
        )
        self.session.setConnectionWindow(self.configuration.connectionWindowSize)
        let connection = HTTP2ServerConnection(
            session: self,
            id: self.id,
            peerCertificate: self.tls.peerCertificate,
            channel: context.channel
        )
        self.connection = connection
        self.handler = self.makeHandler(connection)
        self.flush()
    }

    /// Gives the channel to who speaks HTTP/1.1.
    private func leave(
        to http1: @Sendable (HTTP1ServerConnection) throws -> Void,
        context: ChannelHandlerContext
    ) {
        let socket = NIOLoopBound(self.socket, eventLoop: context.eventLoop)
        let connection = HTTP1ServerConnection(channel: context.channel) { socket.value.abort(reset: true) }
        do {
            try http1(connection)
        } catch {
            self.logger.debug("closing", metadata: ["connection": "\(self.id)", "reason": "\(error)"])
            return context.close(promise: nil)
        }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard self.connection != nil, !self.isClosed else { return }
        self.isReading = true
        do {
            try self.session.receive(self.unwrapInboundIn(data))
        } catch {
            self.logger.debug("closing", metadata: ["connection": "\(self.id)", "reason": "\(error)"])
            self.closesAfterFlush = true
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        self.isReading = false
        self.flush()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { self.scheduleFlush() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.ended()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.logger.debug("closing", metadata: ["connection": "\(self.id)", "reason": "\(error)"])
        self.socket.abort(reset: false)
    }

    private func ended() {
        guard !self.isClosed else { return }
        self.isClosed = true
        self.handshakeTimer?.cancel()
        let handler = self.handler
        self.handler = nil
        self.connection = nil
        handler?.closed()
    }

    // MARK: Writing

    /// Flushes at the end of the read being worked on, or in the loop's next turn: many answers, one write.
    func scheduleFlush() {
        guard !self.isReading, !self.isFlushScheduled, let context = self.context else { return }
        self.isFlushScheduled = true
        let session = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            session.value.isFlushScheduled = false
            session.value.flush()
        }
    }

    private func flush() {
        guard self.connection != nil, !self.isClosed, let context = self.context else { return }
        do {
            var more = true
            while more, context.channel.isWritable {
                self.outbound.clear()
                more = try self.session.gather(into: &self.outbound, limit: Self.writeLimit)
                if self.outbound.readableBytes == 0 { break }
                context.writeAndFlush(self.wrapOutboundOut(self.outbound), promise: nil)
            }
            if !more, self.closesAfterFlush || self.session.isFinished { context.close(promise: nil) }
        } catch {
            self.logger.debug("closing", metadata: ["connection": "\(self.id)", "reason": "\(error)"])
            context.close(promise: nil)
        }
    }

    // MARK: Commands of the connection

    func setReading(_ isOn: Bool) {
        self.socket.isPaused = !isOn
        try? self.context?.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }

    func closeAfterFlush() {
        self.closesAfterFlush = true
        self.scheduleFlush()
    }

    func abort() {
        guard let context = self.context, !self.isClosed else { return }
        // Later, because a callback of the library may be running; nothing is written in between.
        self.connection = nil
        let socket = NIOLoopBound(self.socket, eventLoop: context.eventLoop)
        context.eventLoop.execute { socket.value.abort(reset: true) }
    }
}
