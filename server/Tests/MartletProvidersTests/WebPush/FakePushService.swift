import Logging
import MartletCore
import MartletSimulator
import MartletTransport
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A push service that keeps what it gets and answers as a test says; over HTTP/2, or over HTTP/1.1 alone.
final class FakePushService: Sendable {
    /// A request that it got.
    struct Request: Sendable {
        var path: String
        var fields: [String: String]
        var body: [UInt8]
    }

    /// What it answers to a request; `nil` is silence.
    typealias Answer = @Sendable (_ request: Request) -> (status: Int, headers: [HTTP2Header])?

    let authorityPEM: String
    private let state = Mutex<[Request]>([])
    private let connections = Mutex(0)
    private let answer: Answer
    /// The body of each answer.
    private let text: String

    var requests: [Request] { state.withLock { $0 } }
    var connectionCount: Int { connections.withLock { $0 } }

    /// Runs `body` with a service and its address.
    static func with(
        isHTTP2: Bool = true,
        streams: Int = 1_000,
        saying text: String = "",
        answering answer: @escaping Answer = { _ in (201, []) },
        _ body: (FakePushService, _ url: String) async throws -> Void
    ) async throws {
        let authority = try SimulatorAuthority()
        let pair = try authority.serverCertificate()
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(pair.certificatePEM.utf8)).map {
                .certificate($0)
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(pair.keyPEM.utf8), format: .pem))
        )
        let service = FakePushService(authorityPEM: authority.certificatePEM, text: text, answer: answer)
        if isHTTP2 {
            let server = try await HTTP2Server.start(
                HTTP2ServerConfiguration(tls: tls, maxConcurrentStreams: streams),
                group: MultiThreadedEventLoopGroup.singleton,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            ) { _ in
                service.connections.withLock { $0 += 1 }
                return Handler(service: service)
            }
            let result = await Result.of { try await body(service, "https://localhost:\(server.port)") }
            await server.shutdown()
            try result.get()
        } else {
            tls.applicationProtocols = ["http/1.1"]
            let listener = try await service.listen(try NIOSSLContext(configuration: tls))
            let port = listener.localAddress?.port ?? 0
            let result = await Result.of { try await body(service, "https://localhost:\(port)") }
            try await listener.close()
            try result.get()
        }
    }

    private init(authorityPEM: String, text: String, answer: @escaping Answer) {
        (self.authorityPEM, self.text, self.answer) = (authorityPEM, text, answer)
    }

    private func listen(_ context: NIOSSLContext) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    self.connections.withLock { $0 += 1 }
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(HTTP1Handler(service: self))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
    }

    private func take(_ request: Request) -> (status: Int, headers: [HTTP2Header])? {
        state.withLock { $0.append(request) }
        return answer(request)
    }

    private final class Handler: HTTP2ServerHandler {
        let service: FakePushService

        init(service: FakePushService) { self.service = service }

        func received(_ request: HTTP2ServerRequest, on stream: HTTP2ServerStream) {
            let fields = Dictionary(request.headers.map { ($0.name, $0.value) }) { $1 }
            let taken = Request(path: request.path, fields: fields, body: Array(request.body.readableBytesView))
            guard let answer = service.take(taken) else { return }
            stream.respond(status: answer.status, headers: answer.headers, body: ByteBuffer(string: service.text))
        }

        func closed() {}
    }

    private final class HTTP1Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        let service: FakePushService
        private var request = Request(path: "", fields: [:], body: [])

        init(service: FakePushService) { self.service = service }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                let fields = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
                request = Request(path: head.uri, fields: fields, body: [])
            case .body(let part): request.body += part.readableBytesView
            case .end:
                guard let answer = service.take(request) else { return }
                var head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: answer.status))
                for header in answer.headers { head.headers.add(name: header.name, value: header.value) }
                let body = ByteBuffer(string: service.text)
                head.headers.add(name: "content-length", value: "\(body.readableBytes)")
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}

extension Result where Success == Void, Failure == any Error {
    fileprivate static func of(_ body: () async throws -> Void) async -> Self {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
