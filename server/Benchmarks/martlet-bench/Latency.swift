import Foundation
import Logging
import MartletTransport
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// P6: from the request to the frame on the wire, with an idle server, and again while another app's provider is dead.
/// Measured from outside: from the moment before the request is written to the moment when a provider has read the push,
/// so that it is rather more than what it says.
struct Latency {
    let mock: MockServer
    static let samples = 300

    func rows() async throws -> [Row] {
        let arrivals = Arrivals()
        let provider = try await startProvider(arrivals)
        let server = try await ServerUnderTest(
            endpoints: 1_000,
            provider: mock.provider(url: "https://localhost:\(provider.port)")
        )
        try await server.start()
        _ = arrivals.takeFirst()
        let times = try await sample(server, arrivals)
        let (p50, p99) = (times.percentile(0.5), times.percentile(0.99))
        let hole = try await BlackHole.start()
        try await server.addApp(
            "com.example.dead",
            provider: mock.provider(url: "https://localhost:\(hole.port)"),
            waiting: Latency.deadDeliveries
        )
        let beside = try await sample(server, arrivals).percentile(0.99)
        try await server.stop()
        await hole.stop()
        await provider.shutdown()
        return [
            Row(
                "Isolation, p99 of app B while app A's provider is dead",
                ours: "\(beside.text(2)) ms",
                floor: "\(p99.text(2)) ms",
                ratio: beside / p99,
                goal: 1.5,
                note: "\(Latency.deadDeliveries) deliveries of app A wait; beside B's figure alone"
            ),
            Row(
                "P6 latency, request to frame, p50",
                ours: "\(p50.text(2)) ms",
                goal: "< 3 ms",
                isMet: p50 < 3,
                note: ""
            ),
            Row(
                "P6 latency, request to frame, p99",
                ours: "\(p99.text(2)) ms",
                goal: "< 15 ms",
                isMet: p99 < 15,
                note: ""
            ),
        ]
    }

    /// How many deliveries of the dead app wait: more than its slots hold.
    static let deadDeliveries = 50_000

    /// How long each of some pushes took, in milliseconds.
    private func sample(_ server: ServerUnderTest, _ arrivals: Arrivals) async throws -> [Double] {
        var times: [Double] = []
        for sample in 0..<Latency.samples {
            let start = ContinuousClock.now
            let id = try await server.send(to: #"{"users": ["user-\#(1 + sample % 700)"]}"#)
            _ = try await server.untilDone(id)
            guard let first = arrivals.takeFirst() else { throw BenchmarkError("no push arrived") }
            times.append((first - start) / .milliseconds(1))
        }
        return times
    }

    private func startProvider(_ arrivals: Arrivals) async throws -> HTTP2Server {
        let tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(mock.certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: mock.privateKey, format: .pem))
        )
        return try await HTTP2Server.start(
            HTTP2ServerConfiguration(tls: tls),
            group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "martlet.bench")
        ) { _ in Handler(arrivals: arrivals) }
    }

    private final class Handler: HTTP2ServerHandler {
        let arrivals: Arrivals

        init(arrivals: Arrivals) { self.arrivals = arrivals }

        func received(_ request: HTTP2ServerRequest, on stream: HTTP2ServerStream) {
            arrivals.add(.now)
            stream.respond(status: 200, headers: [])
        }

        func closed() {}
    }

    /// When pushes arrived.
    private final class Arrivals: Sendable {
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
}
