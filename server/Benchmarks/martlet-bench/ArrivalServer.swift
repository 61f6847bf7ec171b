import Logging
import MartletTransport
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A provider in this process that accepts every push and knows when it came, or those of one device.
struct ArrivalServer {
    let arrivals: Arrivals
    private let server: HTTP2Server

    /// Starts it with the mock server's certificate.
    ///
    /// - Parameter path: whose pushes are noted; all where it is `nil`.
    static func start(_ mock: MockServer, path: String? = nil) async throws -> ArrivalServer {
        let tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(mock.certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: mock.privateKey, format: .pem))
        )
        let arrivals = Arrivals()
        let server = try await HTTP2Server.start(
            HTTP2ServerConfiguration(tls: tls),
            group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "martlet.bench")
        ) { _ in Handler(arrivals: arrivals, path: path) }
        return ArrivalServer(arrivals: arrivals, server: server)
    }

    var url: String { "https://localhost:\(server.port)" }

    func stop() async { await server.shutdown() }

    private final class Handler: HTTP2ServerHandler {
        let arrivals: Arrivals
        let path: String?

        init(arrivals: Arrivals, path: String?) { (self.arrivals, self.path) = (arrivals, path) }

        func received(_ request: HTTP2ServerRequest, on stream: HTTP2ServerStream) {
            if path.map({ $0 == request.path }) ?? true { arrivals.add(.now) }
            stream.respond(status: 200, headers: [])
        }

        func closed() {}
    }
}

/// When pushes arrived.
final class Arrivals: Sendable {
    private let times = Mutex<[ContinuousClock.Instant]>([])

    func add(_ time: ContinuousClock.Instant) { times.withLock { $0.append(time) } }

    /// The first since the last call.
    func takeFirst() -> ContinuousClock.Instant? {
        times.withLock { times in
            defer { times = [] }
            return times.first
        }
    }
}
