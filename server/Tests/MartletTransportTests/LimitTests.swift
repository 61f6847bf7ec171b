import MartletTransport
import NIOCore
import Testing

/// What a peer may send in answer to one request: bounds of ours, which say so.
@Suite(.timeLimit(.minutes(4)))
struct LimitTests {
    /// Answers a request with these frames, which end nothing.
    private func answer(_ frames: [UInt8]) async throws -> (HTTP2Answer, HTTP2ClientConnection.State?) {
        let server = try await RawTLSServer.start(atHandshake: RawTLSServer.settings, atHeaders: frames)
        let states = States()
        let connection = try await HTTP2ClientConnection.connect(
            .loopback(port: server.port) { $0.requestTimeout = .seconds(10) },
            group: .singletonMultiThreadedEventLoopGroup,
            logger: .quiet,
            onStateChange: states.add
        )
        let answer = await connection.send(.plain, path: "/")
        async let end = states.first { if case .closed = $0 { true } else { false } }
        await connection.close()
        let state = await end
        try await server.stop()
        return (answer, state)
    }

    /// A frame of stream 1 (RFC 9113, section 4.1).
    private func frame(_ type: UInt8, flags: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        return [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255), type, flags, 0, 0, 0, 1] + payload
    }

    @Test func endlessInterimAnswersEndTheConnection() async throws {
        // :status 103, literal with the indexed name 8; END_HEADERS.
        let interim = self.frame(1, flags: 4, [0x08, 3] + Array("103".utf8))

        let (answer, end) = try await self.answer(Array((0..<100).map { _ in interim }.joined()))

        let limit = "more than 8 interim answers (1xx) came to one request"
        #expect(answer.failure == .limit("\(limit), which is this client's limit"))
        #expect(end == .closed(limit))
    }

    @Test func anInterimAnswerIsPassedBy() async throws {
        let interim = self.frame(1, flags: 4, [0x08, 3] + Array("103".utf8))
        // :status 200, indexed; END_HEADERS and END_STREAM.
        let (answer, _) = try await self.answer(interim + interim + self.frame(1, flags: 5, [0x88]))
        #expect(answer.status == 200)
    }

    @Test func anEndlessBodyEndsTheConnectionAndTheStatusCounts() async throws {
        let piece = self.frame(0, flags: 0, [UInt8](repeating: 7, count: 16_384))

        let (answer, end) = try await self.answer(
            self.frame(1, flags: 4, [0x88]) + (0..<8).flatMap { _ in piece }
        )

        guard case .response(let response) = answer else { return #expect(Bool(false), "\(answer)") }
        #expect(response.status == 200)
        #expect(response.isBodyTruncated)
        #expect(response.body.count == 64 * 1024)
        #expect(end == .closed("an answer's body has more than 65536 bytes"))
    }

    @Test func headerFieldsBeyondOurLimitAreSaidToBeSoAndA200CountsAllTheSame() async throws {
        let fields = (0..<60).map { HTTP2Header("field-\($0)", String(repeating: "x", count: 1_000)) }
        try await ScriptedServer.with(script: {
            $0.stream.respond(status: $0.request.path == "/taken" ? 200 : 400, headers: fields)
        }) { server in
            let connection = try await server.connect()

            #expect(await connection.send(.plain, path: "/taken").status == 200)

            let limit = "the answer's header fields have more than 32768 bytes, which is this client's limit"
            #expect(await connection.send(.plain, path: "/refused").failure == .limit(limit))
            #expect(connection.status.state == .open)
            await connection.close()
        }
    }
}
