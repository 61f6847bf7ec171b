import Testing

@testable import MartletSimulator

/// RFC 9113, section 5.1.2: a stream above SETTINGS_MAX_CONCURRENT_STREAMS is a stream error.
@Suite("Streams above the limit", .timeLimit(.minutes(4)))
struct StreamLimitTests {
    /// REFUSED_STREAM (section 7).
    private static let refused: UInt32 = 7

    @Test("each is refused by itself, and the one below is answered; the connection goes on")
    func refuses() async throws {
        try await withSimulator { live in
            try await live.withConnection { connection in
                try await connection.send(
                    .headers(1, live.pushFields),
                    .headers(3, live.pushFields),
                    .headers(5, live.pushFields, isEnd: true)
                )
                for stream in [3, 5] {
                    let reset = await connection.next { $0.stream == stream }
                    #expect(reset?.resetCode == Self.refused)
                }
                // The refused push's body is under way already.
                try await connection.send(.data(3), .data(1))
                #expect(await connection.next { $0.stream == 1 && $0.endsAnswer }?.kind == .headers)
                try await connection.send(.headers(7, live.pushFields), .data(7))
                #expect(await connection.next { $0.stream == 7 && $0.endsAnswer }?.kind == .headers)
            }
            #expect(live.simulator.received().map(\.stream) == [1, 7])
            #expect(live.simulator.received().map(\.status) == [200, 200])
        }
    }

    @Test("a client that takes the limit to be Apple's thousand has its other pushes refused one by one")
    func refusesMany() async throws {
        try await withSimulator { live in
            try await live.withConnection { connection in
                try await connection.send(.headers(1, live.pushFields))
                for stream in stride(from: 3, to: 2_001, by: 2) {
                    try await connection.send(.headers(stream, live.pushFields, isEnd: true))
                }
                let answers = try await connection.untilPong()
                #expect(answers.filter { $0.resetCode == Self.refused }.count == 999)
                #expect(answers.allSatisfy { $0.kind != .goAway })
            }
        }
    }

    @Test("the limit is named once, and changed to a higher and to a lower one")
    func settings() async throws {
        try await withSimulator { live in
            let connection = try await RawConnection.open(live.simulator)
            let opening = await connection.next { $0.kind == .settings }
            // MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_HEADER_LIST_SIZE (section 6.5.2).
            #expect(opening?.settings.map(\.[0]).sorted() == [3, 4, 6])
            #expect(opening?.settings.contains([3, 1]) == true)
            try await connection.send(.headers(1, live.pushFields), .data(1))
            let opened = await connection.next { $0.kind == .settings && $0.flags & Frame.end == 0 }
            #expect(opened?.settings == [[3, 1_000]])
            await live.simulator.setMaxConcurrentStreams(0)
            let closed = await connection.next { $0.kind == .settings && $0.flags & Frame.end == 0 }
            #expect(closed?.settings == [[3, 0]])
            try await connection.send(.headers(3, live.pushFields))
            #expect(await connection.next { $0.stream == 3 }?.resetCode == Self.refused)
            await connection.close()
        }
    }
}
