import Testing

@testable import MartletSimulator

/// RFC 9113, section 6.8: GOAWAY names no stream below one that was taken on, and what it names is answered.
@Suite("GOAWAY beside bodies that come out of order", .timeLimit(.minutes(4)))
struct GoAwayTests {
    /// REFUSED_STREAM (section 7).
    private static let refused: UInt32 = 7

    /// Runs `body` on a connection with 100 streams, of which 1, 3 and 5 have begun.
    private func withThreeStreams(
        _ rule: SimulatorRule?,
        _ body: (LiveSimulator, RawConnection) async throws -> Void
    ) async throws {
        try await withSimulator { configuration, _ in
            configuration.streamsBeforeAuthentication = 100
        } _: { live in
            if let rule { live.simulator.add(rule) }
            try await live.withConnection { connection in
                for stream in [1, 3, 5] { try await connection.send(.headers(stream, live.pushFields)) }
                _ = try await connection.untilPong()
                try await body(live, connection)
            }
        }
    }

    @Test("a push below one that was accepted is refused by itself, and those still coming are answered")
    func disownsBelowAccepted() async throws {
        let rule = SimulatorRule(.goAway(reason: "Shutdown"), skip: 1, times: 1)
        try await withThreeStreams(rule) { live, connection in
            try await connection.send(.data(5))
            #expect(await connection.next { $0.endsAnswer }?.stream == 5)
            try await connection.send(.data(3))
            let frames = try await connection.untilPong()
            #expect(frames.compactMap(\.lastStream) == [5])
            #expect(frames.filter { $0.kind == .reset }.map(\.stream) == [3])
            #expect(frames.compactMap(\.resetCode) == [Self.refused])
            try await connection.send(.data(1))
            #expect(await connection.next { $0.endsAnswer }?.stream == 1)
            #expect(await connection.next { _ in true } == nil, "closed when all is answered")
            #expect(live.simulator.received().map(\.stream) == [5, 3, 1])
            #expect(live.simulator.received().map(\.outcome) == [.answered, .unprocessed, .answered])
        }
    }

    @Test("without one accepted above it, a push and those after it are above the last stream")
    func disownsFromPush() async throws {
        let rule = SimulatorRule(.goAway(reason: "Shutdown"), skip: 1, times: 1)
        try await withThreeStreams(rule) { live, connection in
            try await connection.send(.data(1))
            #expect(await connection.next { $0.endsAnswer }?.stream == 1)
            try await connection.send(.data(3))
            #expect(await connection.next { $0.kind == .goAway }?.lastStream == 1)
            #expect(await connection.next { _ in true } == nil, "closed, since nothing is left to answer")
            #expect(live.simulator.received().map(\.outcome) == [.answered, .unprocessed])
        }
    }

    @Test("a processed push's GOAWAY names the highest one that was accepted")
    func processed() async throws {
        let rule = SimulatorRule(.goAway(reason: nil, processed: true), skip: 1, times: 1)
        try await withThreeStreams(rule) { live, connection in
            try await connection.send(.data(5))
            #expect(await connection.next { $0.endsAnswer }?.stream == 5)
            try await connection.send(.data(1), .data(3))
            var frames: [Frame] = []
            while let frame = await connection.next(where: { _ in true }) { frames.append(frame) }
            #expect(frames.compactMap(\.lastStream) == [5])
            #expect(frames.filter(\.endsAnswer).map(\.stream) == [1, 3])
            #expect(live.simulator.received().map(\.status) == [200, 200, 200])
        }
    }

    @Test("a commanded GOAWAY names what has begun, and that is answered when its body comes")
    func commanded() async throws {
        try await withThreeStreams(nil) { live, connection in
            await live.simulator.goAway(reason: "Shutdown")
            #expect(await connection.next { $0.kind == .goAway }?.lastStream == 5)
            for stream in [5, 3, 1] {
                try await connection.send(.data(stream))
                #expect(await connection.next { $0.endsAnswer }?.stream == stream)
            }
            #expect(await connection.next { _ in true } == nil, "closed when all is answered")
            #expect(live.simulator.received().map(\.status) == [200, 200, 200])
        }
    }
}
