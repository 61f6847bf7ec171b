import MartletTransport
import NIOCore
import Synchronization
import Testing

/// The peer's MAX_CONCURRENT_STREAMS, our own bound and the warm-up.
@Suite(.timeLimit(.minutes(4)))
struct StreamLimitTests {
    /// Counts streams that are open at a time; the last of those that may be open answers them all.
    private final class Width: Sendable {
        private let open = Mutex<[HTTP2ServerStream]>([])
        let widest = Mutex(0)

        func add(_ stream: HTTP2ServerStream, answerAt count: Int) {
            let full = self.open.withLock { open in
                open.append(stream)
                self.widest.withLock { [width = open.count] in $0 = max($0, width) }
                guard open.count == count else { return [HTTP2ServerStream]() }
                defer { open = [] }
                return open
            }
            for stream in full { stream.respond(status: 200, headers: []) }
        }
    }

    @Test(arguments: [(7, 1000), (1000, 7), (1, 1000)])
    func noMoreStreamsAreOpenThanBothSidesAllow(peer: Int, own: Int) async throws {
        let width = Width()
        let count = min(peer, own)
        try await ScriptedServer.with(
            maxConcurrentStreams: peer,
            script: { width.add($0.stream, answerAt: count) }
        ) { server in
            let connection = try await server.connect { $0.maxConcurrentStreams = own }
            let answers = Answers()
            connection.send(.numbered(count * 20, into: answers))

            #expect(await answers.wait(for: count * 20).values.allSatisfy { $0.status == 200 })
            #expect(width.widest.withLock { $0 } == count)
            #expect(connection.status.streamLimit == count)
            await connection.close()
        }
    }

    @Test func whatIsUrgentGoesBeforeWhatWaitsForAStream() async throws {
        try await ScriptedServer.with(
            maxConcurrentStreams: 1,
            script: { if $0.number > 0 { $0.ok() } }
        ) { server in
            let connection = try await server.connect()
            let answers = Answers()
            connection.send(.numbered(20, into: answers))
            for await first in server.log.exchanges {
                connection.send(.numbered(2, isUrgent: true, into: answers, from: 100))
                first.ok()
                break
            }

            #expect(await answers.wait(for: 22).values.allSatisfy { $0.status == 200 })
            // One may have begun before the urgent ones were handed over.
            #expect(Set(server.log.paths.prefix(4)).isSuperset(of: ["/100", "/101"]))
            #expect(server.log.paths.filter { $0.count < 4 } == (0..<20).map { "/\($0)" })
            await connection.close()
        }
    }

    @Test func theLimitMayGoToZeroAndBack() async throws {
        let width = Width()
        try await ScriptedServer.with(script: { exchange in
            if exchange.number == 0 {
                exchange.stream.connection.setMaxConcurrentStreams(0)
                exchange.ok()
            } else {
                width.add(exchange.stream, answerAt: 4)
            }
        }) { server in
            let connection = try await server.connect()
            #expect(await connection.send(.plain, path: "/first").status == 200)
            let answers = Answers()
            connection.send(.numbered(40, into: answers))
            #expect(connection.status.queued == 40)
            #expect(connection.status.streamLimit == 0)

            server.log.connections.withLock { $0.first }?.setMaxConcurrentStreams(4)

            #expect(await answers.wait(for: 40).values.allSatisfy { $0.status == 200 })
            #expect(width.widest.withLock { $0 } == 4)
            await connection.close()
        }
    }

    @Test func aLimitSetWhileTheConnectionOpensIsTheOneThatHolds() async throws {
        try await ScriptedServer.with(opening: { $0.setMaxConcurrentStreams(3) }) { server in
            let connection = try await server.connect()
            #expect(await connection.send(.plain, path: "/").status == 200)

            #expect(connection.status.streamLimit == 3)
            await connection.close()
        }
    }

    @Test func aBurstThatDoesNotFitTheQueueIsRefused() async throws {
        try await ScriptedServer.with { server in
            let connection = try await server.connect { $0.maxQueuedRequests = 10 }
            let answers = Answers()
            connection.send(.numbered(11, into: answers))

            #expect(await answers.wait(for: 11).values.allSatisfy(\.isUnprocessed))
            #expect(await connection.send(.plain, path: "/").status == 200)
            await connection.close()
        }
    }

    @Test func whatTheLoopHasTakenOverIsCountedBeforeItIsSubmitted() async throws {
        try await ScriptedServer.with { server in
            let connection = try await server.connect()
            let answers = Answers()
            let queued = try await connection.eventLoop.submit {
                // Here the connection takes it over at once and submits it in a later turn.
                connection.send(.numbered(10, into: answers))
                return connection.status.queued
            }.get()

            #expect(queued == 10)
            #expect(await answers.wait(for: 10).values.allSatisfy { $0.status == 200 })
            #expect(connection.status.queued == 0)
            await connection.close()
        }
    }

    @Test func theLimitIsToldWithTheStateThatItGoesWith() async throws {
        let opened = Mutex<HTTP2ClientConnection?>(nil)
        let limit = Mutex<Int?>(nil)
        try await ScriptedServer.with(maxConcurrentStreams: 5) { server in
            let connection = try await server.connect({ $0.oneStreamUntil = { $0 == 200 } }) { state in
                guard state == .open, let connection = opened.withLock({ $0 }) else { return }
                limit.withLock { $0 = connection.status.streamLimit }
            }
            opened.withLock { $0 = connection }
            #expect(connection.status.streamLimit == 1)
            #expect(await connection.send(.plain, path: "/").status == 200)
            await connection.close()

            #expect(limit.withLock { $0 } == 5)
        }
    }

    @Test func warmingUpUsesOneStreamUntilAnAnswerSatisfies() async throws {
        let open = Mutex(0)
        let widest = Mutex<[Int]>([])
        try await ScriptedServer.with(script: { exchange in
            let width = open.withLock {
                $0 += 1
                return $0
            }
            widest.withLock { $0.append(width) }
            guard exchange.number < 3 else {
                if exchange.number == 99 { exchange.ok() }
                return
            }
            open.withLock { $0 -= 1 }
            exchange.stream.respond(status: exchange.number == 2 ? 200 : 403, headers: [])
        }) { server in
            let states = States()
            let connection = try await server.connect({ $0.oneStreamUntil = { $0 == 200 } }, onStateChange: states.add)
            #expect(connection.status.state == .warming)
            let answers = Answers()
            connection.send(.numbered(100, into: answers))

            let all = await answers.wait(for: 4)

            #expect([0, 1, 2, 99].map { all[$0]?.status } == [403, 403, 200, 200])
            #expect(widest.withLock { Array($0.prefix(4)) } == [1, 1, 1, 1])
            #expect(widest.withLock { $0.last } == 97)
            #expect(await states.first { $0 == .open } == .open)
            await connection.close(within: .milliseconds(50))
        }
    }
}
