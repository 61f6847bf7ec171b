import Foundation
import Logging
import MartletTransport
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// P1: what our client spends on a push, beside the floor of the same minute.
struct TransportBenchmark {
    let server: MockServer
    let requests: Int

    /// How many pairs of runs are made: the median of the pairs' ratios counts, because the machine is shared.
    static let pairs = 5

    /// So many requests the connection's queue takes whole.
    static let part = 50_000

    func run(streams: Int) async throws -> Row {
        // As the floor is: on one core, with the mock on the other.
        let process = ProcessFigures(id: getpid())
        try process.pin(toCores: "0")
        defer { try? process.pin(toCores: "0-1") }
        let peer = try server.peer()
        _ = try Floor.measure(peer, streams: streams, requests: requests / 10)
        let connection = try await connect(streams: streams)
        try await send(requests / 10, over: connection)
        var pairs: [(ours: Figure, floor: Figure)] = []
        for _ in 0..<TransportBenchmark.pairs {
            let floor = try Floor.measure(peer, streams: streams, requests: requests)
            let before = CPUTime.ofSelf
            let start = ContinuousClock.now
            try await send(requests, over: connection)
            let wall = ContinuousClock.now - start
            pairs.append((Figure(cpu: CPUTime.ofSelf - before, wall: wall, requests: requests), floor))
        }
        await connection.close()
        return Row(
            "P1 transport, \(streams) streams",
            ours: "\(pairs.map(\.ours.microseconds).median.text(2)) µs",
            floor: "\(pairs.map(\.floor.microseconds).median.text(2)) µs",
            ratio: pairs.map { $0.ours.microseconds / $0.floor.microseconds }.median,
            goal: 1,
            note: "\(pairs.map(\.ours.perSecond).median.text(0)) pushes/s"
        )
    }

    private func connect(streams: Int) async throws -> HTTP2ClientConnection {
        var tls = TLSConfiguration.makeClientConfiguration()
        // The certificate is made for the run and signs itself; what is measured is not its verification.
        tls.certificateVerification = .none
        let configuration = HTTP2ClientConfiguration(
            host: "127.0.0.1",
            port: server.port,
            serverHostname: nil,
            tls: tls,
            maxConcurrentStreams: streams,
            keptFields: ["date", "retry-after"]
        )
        return try await HTTP2ClientConnection.connect(
            configuration,
            group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "martlet.bench")
        )
    }

    /// Sends in parts that the connection's queue takes whole.
    private func send(_ count: Int, over connection: HTTP2ClientConnection) async throws {
        for start in stride(from: 0, to: count, by: Self.part) {
            try await sendPart(min(Self.part, count - start), over: connection)
        }
    }

    /// Sends bursts of a thousand, as the pipeline does, and waits for every answer.
    private func sendPart(_ count: Int, over connection: HTTP2ClientConnection) async throws {
        let template = HTTP2RequestTemplate(
            authority: "localhost",
            headers: [
                HTTP2Header("apns-topic", "com.example.bench"), HTTP2Header("apns-push-type", "alert"),
                HTTP2Header("apns-priority", "10"),
            ],
            body: MockServer.payload
        )
        let tally = Tally(expected: count)
        await withCheckedContinuation { done in
            tally.whenDone(done)
            for start in stride(from: 0, to: count, by: 1000) {
                let size = min(1000, count - start)
                var builder = HTTP2Burst.Builder(
                    template: template,
                    fields: [HTTP2BurstField("apns-id")],
                    capacity: size
                )
                for index in start..<(start + size) { Self.append(index, to: &builder) }
                connection.send(builder.build { _, answer in tally.count(answer) })
            }
        }
        if let failure = tally.failure { throw BenchmarkError("a request failed: \(failure)") }
    }

    /// Adds a request for a token and an id that no other request of its part has.
    private static func append(_ index: Int, to builder: inout HTTP2Burst.Builder) {
        builder.write(targets[index].path)
        builder.endValue()
        builder.write(targets[index].id)
        builder.endValue()
    }

    /// Tokens and ids as a store would hand them over; to make them is no part of what is measured.
    private static let targets: [(path: [UInt8], id: [UInt8])] = (0..<part).map { index in
        let digits = String(index, radix: 16)
        let number = String(repeating: "0", count: 12 - digits.count) + digits
        let token = String(repeating: "a", count: 52) + number
        return (Array("/3/device/\(token)".utf8), Array("0192f0c0-0000-7000-8000-\(number)".utf8))
    }
}

/// Counts answers until all are in.
final class Tally: Sendable {
    private struct State {
        var left: Int
        var failure: HTTP2Failure?
        var done: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(expected: Int) { state = Mutex(State(left: expected)) }

    /// Why the first request that has no answer has none.
    var failure: HTTP2Failure? { state.withLock(\.failure) }

    func whenDone(_ done: CheckedContinuation<Void, Never>) { state.withLock { $0.done = done } }

    func count(_ answer: HTTP2Answer) {
        let done = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .failed(let failure) = answer { state.failure = state.failure ?? failure }
            state.left -= 1
            return state.left == 0 ? state.done : nil
        }
        done?.resume()
    }
}
