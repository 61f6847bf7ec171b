import Testing

@testable import MartletSimulator

/// RFC 9113, section 5.1: what a server makes of frames on streams that do not take them.
@Suite("States of streams", .timeLimit(.minutes(4)))
struct StreamStateTests {
    /// PROTOCOL_ERROR and STREAM_CLOSED (section 7).
    private static let (protocolError, streamClosed): (UInt32, UInt32) = (1, 5)

    /// What is sent, and the code of the GOAWAY that answers it; without one the connection goes on.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What brings the stream into its state.
        var before: @Sendable (LiveSimulator) -> [Frame] = { _ in [] }
        /// Whether the stream's answer is waited for.
        var isAnswered = false
        var then: @Sendable (LiveSimulator) -> Frame
        var code: UInt32?
    }

    private static let push: @Sendable (LiveSimulator) -> [Frame] = { [.headers(1, $0.pushFields), .data(1)] }
    private static let isReset: @Sendable (LiveSimulator) -> [Frame] = { [.headers(1, $0.pushFields), .reset(1)] }
    private static let priority = Frame(kind: .priority, stream: 1, payload: [0, 0, 0, 0, 16])

    static let cases: [Case] = [
        Case(testDescription: "idle: DATA", then: { _ in .data(1) }, code: protocolError),
        Case(testDescription: "idle: RST_STREAM", then: { _ in .reset(1) }, code: protocolError),
        Case(testDescription: "idle: WINDOW_UPDATE", then: { _ in .windowUpdate(1) }, code: protocolError),
        Case(
            testDescription: "idle: CONTINUATION",
            then: { _ in Frame(kind: .continuation, flags: Frame.endHeaders, stream: 1) },
            code: protocolError
        ),
        Case(
            testDescription: "an even number: HEADERS",
            then: { .headers(2, $0.pushFields, isEnd: true) },
            code: protocolError
        ),
        Case(
            testDescription: "opened after a higher one: HEADERS",
            before: { [.headers(5, $0.pushFields)] },
            then: { .headers(3, $0.pushFields) },
            code: protocolError
        ),
        Case(testDescription: "half-closed: DATA", before: push, then: { _ in .data(1) }, code: streamClosed),
        Case(
            testDescription: "half-closed: HEADERS",
            before: push,
            then: { .headers(1, $0.pushFields, isEnd: true) },
            code: streamClosed
        ),
        Case(testDescription: "reset: DATA", before: isReset, then: { _ in .data(1) }, code: streamClosed),
        Case(
            testDescription: "reset: HEADERS",
            before: isReset,
            then: { .headers(1, $0.pushFields, isEnd: true) },
            code: streamClosed
        ),
        Case(
            testDescription: "closed: DATA",
            before: push,
            isAnswered: true,
            then: { _ in .data(1) },
            code: streamClosed
        ),
        Case(
            testDescription: "closed: DATA without END_STREAM",
            before: push,
            isAnswered: true,
            then: { _ in Frame(kind: .data, stream: 1, payload: [1]) },
            code: streamClosed
        ),
        Case(
            testDescription: "closed: HEADERS",
            before: push,
            isAnswered: true,
            then: { .headers(1, $0.pushFields, isEnd: true) },
            code: streamClosed
        ),
        Case(
            testDescription: "closed: CONTINUATION",
            before: push,
            isAnswered: true,
            then: { _ in Frame(kind: .continuation, flags: Frame.endHeaders, stream: 1) },
            code: protocolError
        ),
        Case(testDescription: "closed: WINDOW_UPDATE", before: push, isAnswered: true, then: { _ in .windowUpdate(1) }),
        Case(testDescription: "closed: RST_STREAM", before: push, isAnswered: true, then: { _ in .reset(1) }),
        Case(testDescription: "closed: PRIORITY", before: push, isAnswered: true, then: { _ in priority }),
    ]

    @Test("a frame on a stream that does not take it is a connection error")
    func frames() async throws {
        try await withSimulator { live in
            for row in Self.cases {
                try await live.withConnection { connection in
                    for frame in row.before(live) { try await connection.send(frame) }
                    if row.isAnswered {
                        let answer = await connection.next { $0.stream == 1 && $0.endsAnswer }
                        #expect(answer?.kind == .headers, "\(row.testDescription)")
                    }
                    try await connection.send(row.then(live))
                    if let code = row.code {
                        let goAway = await connection.next { $0.kind == .goAway }
                        #expect(goAway?.goAwayCode == code, "\(row.testDescription)")
                        #expect(await connection.next { _ in true } == nil, "\(row.testDescription)")
                    } else {
                        #expect(try await connection.untilPong() == [], "\(row.testDescription)")
                    }
                }
            }
        }
    }

    @Test("an old stream is still known to be closed after a thousand more")
    func remembers() async throws {
        try await withSimulator { live in
            try await live.withConnection { connection in
                for stream in stride(from: 1, to: 2_001, by: 2) {
                    try await connection.send(.headers(stream, live.pushFields), .data(stream))
                    let answer = await connection.next { $0.stream == stream && $0.endsAnswer }
                    try #require(answer != nil)
                }
                try await connection.send(.data(1))
                #expect(await connection.next { $0.kind == .goAway }?.goAwayCode == Self.streamClosed)
            }
        }
    }
}
