import Logging
import MartletTransport
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

/// The ports that real browsers connect to: one without TLS, for Firefox's WebSocket and Chromium's check-in and
/// registration, and one with TLS, for Chromium's messages.
final class BrowserListener: Sendable {
    /// Bytes of a frame or a form at most.
    private static let bodyLimit = 64 * 1_024

    let port: Int
    let messagePort: Int
    private let channels: [any Channel]

    static func start(
        port: Int,
        messagePort: Int,
        with setup: ListenerSetup,
        service: WebPushService
    ) async throws -> BrowserListener {
        let plain = try await bootstrap(setup.group) { try configureHTTP($0, service: service) }
            .bind(host: setup.host, port: port).get()
        do {
            let context = try NIOSSLContext(configuration: setup.tls)
            let messages = try await bootstrap(setup.group) { channel in
                try channel.pipeline.syncOperations.addHandlers(
                    NIOSSLServerHandler(context: context),
                    MCSConnection(service: service)
                )
            }.bind(host: setup.host, port: messagePort).get()
            for listener in [plain, messages] { await AcceptPause.add(to: listener, logger: setup.logger) }
            return BrowserListener([plain, messages])
        } catch {
            try? await plain.close()
            throw error
        }
    }

    private init(_ channels: [any Channel]) {
        self.channels = channels
        port = channels[0].localAddress?.port ?? 0
        messagePort = channels[1].localAddress?.port ?? 0
    }

    func shutdown() async {
        for channel in channels { try? await channel.close() }
    }

    private static func bootstrap(
        _ group: any EventLoopGroup,
        _ configure: @escaping @Sendable (any Channel) throws -> Void
    ) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try configure(channel) }
            }
    }

    /// HTTP/1.1 that can become Firefox's WebSocket.
    private static func configureHTTP(_ channel: any Channel, service: WebPushService) throws {
        let forms = ChromiumFormHandler(service: service, bodyLimit: bodyLimit)
        let bound = NIOLoopBound(forms, eventLoop: channel.eventLoop)
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: bodyLimit,
            shouldUpgrade: { channel, head in
                // RFC 6455 section 4.2.2: only a subprotocol that the client named.
                let offered = head.headers["sec-websocket-protocol"].contains { $0.contains("push-notification") }
                let headers: HTTPHeaders = offered ? ["sec-websocket-protocol": "push-notification"] : [:]
                return channel.eventLoop.makeSucceededFuture(headers)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 0,
                            maxAccumulatedFrameCount: 64,
                            maxAccumulatedFrameSize: bodyLimit
                        ), FirefoxConnection(service: service),
                    ])
                }
            }
        )
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withServerUpgrade: (
                upgraders: [upgrader],
                completionHandler: { $0.pipeline.syncOperations.removeHandler(bound.value, promise: nil) }
            )
        )
        try channel.pipeline.syncOperations.addHandler(forms)
    }
}

/// Chromium's check-in and registration, by HTTP/1.1.
private final class ChromiumFormHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let service: WebPushService
    private let bodyLimit: Int
    private var path = ""
    private var body = ByteBuffer()
    private var isTooLarge = false

    init(service: WebPushService, bodyLimit: Int) {
        self.service = service
        self.bodyLimit = bodyLimit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            path = String(head.uri.prefix { $0 != "?" })
            body.clear()
            isTooLarge = false
        case .body(var part):
            isTooLarge = isTooLarge || body.readableBytes + part.readableBytes > bodyLimit
            if !isTooLarge { body.writeBuffer(&part) }
        case .end: answer(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(_ context: ChannelHandlerContext) {
        let (status, type, bytes) = answer()
        let headers: HTTPHeaders = ["content-type": type, "content-length": "\(bytes.count)"]
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func answer() -> (HTTPResponseStatus, String, [UInt8]) {
        if isTooLarge { return (.payloadTooLarge, "text/plain", []) }
        switch path {
        case "/checkin":
            let now = service.scripted.clock.now()
            return (.ok, "application/x-protobuf", ChromiumSession.checkIn(body.readableBytesView, now: now))
        case "/register":
            let form = GrantCheck.form(body.readableBytesView)
            return (.ok, "text/plain; charset=UTF-8", Array(ChromiumSession.register(form, at: service).utf8))
        default: return (.notFound, "text/plain", Array("There is /checkin and /register.\n".utf8))
        }
    }
}
