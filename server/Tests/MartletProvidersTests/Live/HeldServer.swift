import Logging
import MartletSimulator
import MartletTransport
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server that answers when and as a test says, one stream at a time.
final class HeldServer: Sendable {
    /// Streams that wait for an answer, in the order in which they came.
    let streams: AsyncStream<HTTP2ServerStream>
    let authorityPEM: String
    private let server: HTTP2Server

    static func with(_ body: (HeldServer) async throws -> Void) async throws {
        let held = try await HeldServer()
        let result: Result<Void, any Error>
        do { result = .success(try await body(held)) } catch { result = .failure(error) }
        await held.server.shutdown()
        try result.get()
    }

    private init() async throws {
        let authority = try SimulatorAuthority()
        let pair = try authority.serverCertificate()
        let (streams, arrivals) = AsyncStream<HTTP2ServerStream>.makeStream()
        self.streams = streams
        authorityPEM = authority.certificatePEM
        let tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(pair.certificatePEM.utf8)).map {
                .certificate($0)
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(pair.keyPEM.utf8), format: .pem))
        )
        server = try await HTTP2Server.start(
            HTTP2ServerConfiguration(tls: tls, maxConcurrentStreams: 1),
            group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { _ in Handler(arrivals: arrivals) }
    }

    var url: String { "https://localhost:\(server.port)" }

    private final class Handler: HTTP2ServerHandler {
        let arrivals: AsyncStream<HTTP2ServerStream>.Continuation

        init(arrivals: AsyncStream<HTTP2ServerStream>.Continuation) { self.arrivals = arrivals }

        func received(_ request: HTTP2ServerRequest, on stream: HTTP2ServerStream) { arrivals.yield(stream) }
        func closed() {}
    }
}
