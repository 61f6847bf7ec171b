import NIOCore
import NIOPosix
import NIOSSL

@testable import MartletSimulator

/// A client's TLS connection that sends what it is told, frame by frame. It acknowledges SETTINGS by itself.
struct RawConnection: Sendable {
    private let channel: any Channel
    private let frames: AsyncStream<Frame>

    /// Connects and sends the preface; `protocols` is what ALPN offers.
    static func open(
        _ simulator: APNsSimulator,
        protocols: [String] = ["h2"],
        settings: [(UInt16, UInt32)] = []
    ) async throws -> RawConnection {
        var tls = TLSConfiguration.makeClientConfiguration()
        let authority = Array(simulator.authorityPEM.utf8)
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(authority))
        tls.applicationProtocols = protocols
        let context = try NIOSSLContext(configuration: tls)
        let (frames, found) = AsyncStream<Frame>.makeStream()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOSSLClientHandler(context: context, serverHostname: "localhost"),
                        FrameReader(opening: .settings(settings), found),
                    ])
                }
            }
            .connect(host: "127.0.0.1", port: simulator.port).get()
        return RawConnection(channel: channel, frames: frames)
    }

    /// Sends frames in one write.
    func send(_ frames: Frame...) async throws {
        var buffer = ByteBuffer()
        for frame in frames { frame.write(to: &buffer) }
        try await channel.writeAndFlush(buffer)
    }

    /// The next frame that satisfies `isWanted`, those before it dropped; `nil` when the server has closed.
    func next(where isWanted: (Frame) -> Bool) async -> Frame? {
        for await frame in frames where isWanted(frame) { return frame }
        return nil
    }

    /// The frames that come until all that was sent has been worked on and answered: until a second PING is answered, for
    /// the answer to the first can overtake other frames.
    func untilPong() async throws -> [Frame] {
        var before: [Frame] = []
        for _ in 0..<2 {
            try await send(.ping)
            guard
                let pong = await next(where: { frame in
                    if frame.kind != .ping { before.append(frame) }
                    return frame.kind == .ping
                }), pong.flags == Frame.end
            else { throw Closed() }
        }
        return before
    }

    /// The server closed where it should not have.
    struct Closed: Error {}

    func close() async {
        try? await channel.close()
    }
}

/// Sends the preface, and makes frames of bytes.
private final class FrameReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let opening: Frame
    private let found: AsyncStream<Frame>.Continuation
    private var received = ByteBuffer()

    init(opening: Frame, _ found: AsyncStream<Frame>.Continuation) {
        self.opening = opening
        self.found = found
    }

    func channelActive(context: ChannelHandlerContext) {
        // RFC 9113, section 3.4: before all frames, also before the acknowledgement of the server's SETTINGS.
        var preface = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        opening.write(to: &preface)
        context.writeAndFlush(wrapOutboundOut(preface), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.writeImmutableBuffer(unwrapInboundIn(data))
        while let frame = Frame(from: &received) {
            if frame.kind == .settings, frame.flags & Frame.end == 0 {
                var answer = ByteBuffer()
                Frame(kind: .settings, flags: Frame.end).write(to: &answer)
                context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
            }
            found.yield(frame)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        found.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

extension LiveSimulator {
    /// Runs `body` with a connection whose SETTINGS have been exchanged.
    func withConnection(
        protocols: [String] = ["h2"],
        settings: [(UInt16, UInt32)] = [],
        _ body: (RawConnection) async throws -> Void
    ) async throws {
        let connection = try await RawConnection.open(simulator, protocols: protocols, settings: settings)
        do {
            _ = try await connection.untilPong()
            try await body(connection)
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }

    /// The fields of a good push.
    var pushFields: [(String, String)] {
        [
            (":method", "POST"), (":scheme", "https"), (":authority", "localhost"),
            (":path", "/3/device/\(Account.device)"), ("authorization", authorization),
            ("apns-topic", Account.topic), ("apns-push-type", "alert"),
        ]
    }
}
