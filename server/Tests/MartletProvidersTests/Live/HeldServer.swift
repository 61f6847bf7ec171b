import Logging
import MartletSimulator
import MartletTransport
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server that answers when and as a test says, one stream at a time.
final class HeldServer: Sendable {
    /// A request that waits for its answer.
    struct Held: Sendable {
        let stream: HTTP2ServerStream
        /// What it was sent with.
        let authorization: String?
        /// The number of its connection, from 1.
        let connection: Int

        func respond(status: Int, headers: [HTTP2Header] = [], reason: String? = nil) {
            stream.respond(
                status: status,
                headers: headers,
                body: reason.map { ByteBuffer(string: #"{"reason":"\#($0)"}"#) }
            )
        }
    }

    /// Requests that wait for an answer, in the order in which they came.
    let streams: AsyncStream<Held>
    let authorityPEM: String
    private let server: HTTP2Server
    private let arrivals: AsyncStream<Held>.Continuation
    private let connections = Connections()

    private final class Connections: Sendable {
        private let count = Atomic(0)
        func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
    }

    /// - Parameter maxStreams: SETTINGS_MAX_CONCURRENT_STREAMS from the start.
    static func with(maxStreams: Int = 1, _ body: (HeldServer) async throws -> Void) async throws {
        let held = try await HeldServer(maxStreams: maxStreams)
        let result: Result<Void, any Error>
        do { result = .success(try await body(held)) } catch { result = .failure(error) }
        await held.server.shutdown()
        try result.get()
    }

    private init(maxStreams: Int) async throws {
        let authority = try SimulatorAuthority()
        let pair = try authority.serverCertificate()
        let (streams, arrivals) = AsyncStream<Held>.makeStream()
        self.streams = streams
        self.arrivals = arrivals
        authorityPEM = authority.certificatePEM
        let tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(pair.certificatePEM.utf8)).map {
                .certificate($0)
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(pair.keyPEM.utf8), format: .pem))
        )
        server = try await HTTP2Server.start(
            HTTP2ServerConfiguration(tls: tls, maxConcurrentStreams: maxStreams),
            group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { [connections] _ in
            Handler(arrivals: arrivals, connection: connections.next())
        }
    }

    /// Ends ``streams``.
    func finish() { arrivals.finish() }

    var url: String { "https://localhost:\(server.port)" }

    private final class Handler: HTTP2ServerHandler {
        let arrivals: AsyncStream<Held>.Continuation
        let connection: Int

        init(arrivals: AsyncStream<Held>.Continuation, connection: Int) {
            self.arrivals = arrivals
            self.connection = connection
        }

        func received(_ request: HTTP2ServerRequest, on stream: HTTP2ServerStream) {
            let authorization = request.headers.first { $0.name == "authorization" }?.value
            arrivals.yield(Held(stream: stream, authorization: authorization, connection: connection))
        }

        func closed() {}
    }
}
