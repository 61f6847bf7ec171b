import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS

/// A server that misbehaves below HTTP/2: it writes given bytes when the handshake is done and at the first request.
struct RawTLSServer {
    /// An empty SETTINGS frame.
    static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]

    private let channel: any Channel

    var port: Int { self.channel.localAddress?.port ?? 0 }

    /// With `protocols` empty the server offers nothing in ALPN; without TLS it is silent.
    static func start(
        protocols: [String] = ["h2"],
        isTLS: Bool = true,
        atHandshake: [UInt8] = [],
        atHeaders: [UInt8] = []
    ) async throws -> RawTLSServer {
        var tls = try Certificates.shared.get().server()
        tls.applicationProtocols = protocols
        let context = try NIOSSLContext(configuration: tls)
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard isTLS else { return }
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOSSLServerHandler(context: context), Handler(atHandshake: atHandshake, atHeaders: atHeaders),
                    ])
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return RawTLSServer(channel: channel)
    }

    func stop() async throws {
        try await self.channel.close()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let atHandshake: [UInt8]
        private var atHeaders: [UInt8]
        private var received = ByteBuffer()
        private var isPrefaceOver = false

        init(atHandshake: [UInt8], atHeaders: [UInt8]) {
            self.atHandshake = atHandshake
            self.atHeaders = atHeaders
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .handshakeCompleted? = event as? TLSUserEvent { self.write(self.atHandshake, context) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.received.writeImmutableBuffer(self.unwrapInboundIn(data))
            // The client's preface has 24 bytes (RFC 9113, section 3.4), a frame's header 9 (section 4.1).
            if !self.isPrefaceOver { self.isPrefaceOver = self.received.readSlice(length: 24) != nil }
            while self.isPrefaceOver, let header = self.received.getBytes(at: self.received.readerIndex, length: 9) {
                let length = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
                guard self.received.readSlice(length: 9 + length) != nil else { return }
                // HEADERS (section 6.2).
                if header[3] == 1 {
                    self.write(self.atHeaders, context)
                    self.atHeaders = []
                }
            }
        }

        private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
            if bytes.isEmpty { return }
            context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        }
    }
}
