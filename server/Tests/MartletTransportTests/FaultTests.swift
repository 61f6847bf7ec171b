import MartletTransport
import NIOCore
import Synchronization
import Testing

/// What becomes of requests when the peer does not behave as usual.
@Suite(.timeLimit(.minutes(4)))
struct FaultTests {
    @Test func goAwayDrainsAndRequestsAboveItsLastStreamAreUnprocessed() async throws {
        let states = States()
        try await ScriptedServer.with(script: { exchange in
            if exchange.number < 3 { exchange.ok() }
            guard exchange.number == 9 else { return }
            exchange.stream.connection.goAway(
                lastStreamID: exchange.stream.id - 14,
                debugData: Array(#"{"reason":"Shutdown"}"#.utf8)
            )
        }) { server in
            let connection = try await server.connect(onStateChange: states.add)
            let answers = Answers()
            connection.send(.numbered(10, into: answers))

            // Streams 1 to 5 are answered, 5 is the last one kept, 7 and above are disowned.
            let all = await answers.wait(for: 10)

            #expect((0..<3).allSatisfy { all[$0]?.status == 200 })
            for number in 3..<10 {
                guard case .unprocessed(let reason, isDisowned: true)? = all[number]?.failure else {
                    #expect(Bool(false), "\(number): \(String(describing: all[number]))")
                    continue
                }
                #expect(reason.contains(#"{"reason":"Shutdown"}"#))
            }
            let drained = await states.first { if case .draining = $0 { true } else { false } }
            #expect(drained == .draining(#"GOAWAY NO_ERROR: {"reason":"Shutdown"}"#))
            let late = await connection.send(.plain, path: "/late")
            #expect(late.isUnprocessed)
        }
    }

    @Test func aRefusedStreamIsUnprocessedAndAnotherResetIsItsCode() async throws {
        try await ScriptedServer.with(script: {
            $0.stream.reset(errorCode: $0.number == 0 ? HTTP2ErrorCode.refusedStream : HTTP2ErrorCode.enhanceYourCalm)
        }) { server in
            let connection = try await server.connect()

            #expect(await connection.send(.plain, path: "/0").isUnprocessed)
            #expect(await connection.send(.plain, path: "/1").failure == .reset(code: 0xb))
            await connection.close()
        }
    }

    @Test func aRequestWithoutAnAnswerEndsAtItsDeadlineAndTheConnectionGoesOn() async throws {
        try await ScriptedServer.with(maxConcurrentStreams: 2, script: { if $0.number >= 2 { $0.ok() } }) { server in
            let connection = try await server.connect { $0.requestTimeout = .seconds(5) }
            let answers = Answers()
            connection.send(.numbered(10, into: answers))

            let all = await answers.wait(for: 10)

            #expect(all[0]?.failure == .deadline)
            #expect(all[1]?.failure == .deadline)
            #expect((2..<10).allSatisfy { all[$0]?.status == 200 })
            #expect(answers.repeated == 0)
            await connection.close()
        }
    }

    @Test func aBurstsDeadlineEndsWhatIsInFlightAndWhatIsQueued() async throws {
        try await ScriptedServer.with(maxConcurrentStreams: 1, script: { _ in }) { server in
            let connection = try await server.connect()
            let answers = Answers()
            connection.send(.numbered(3, deadline: .now() + .seconds(5), into: answers))

            let all = await answers.wait(for: 3)

            #expect(all[0]?.failure == .deadline)
            #expect(all[1]?.isUnprocessed == true)
            #expect(all[2]?.isUnprocessed == true)
            #expect(server.log.count == 1)
            await connection.close()
        }
    }

    @Test(arguments: [false, true]) func aLostConnectionLeavesWrittenRequestsLost(isReset: Bool) async throws {
        try await ScriptedServer.with(
            maxConcurrentStreams: 5,
            script: { exchange in
                guard exchange.number == 4 else { return }
                if isReset { exchange.stream.connection.abort() } else { exchange.stream.connection.close() }
            }
        ) { server in
            let states = States()
            let connection = try await server.connect(onStateChange: states.add)
            let answers = Answers()
            connection.send(.numbered(8, into: answers))

            let all = await answers.wait(for: 8)

            #expect((0..<5).allSatisfy { all[$0]?.isLost == true })
            #expect((5..<8).allSatisfy { all[$0]?.isUnprocessed == true })
            _ = await states.first { if case .closed = $0 { true } else { false } }
            #expect(connection.status.inFlight == 0)
            #expect(connection.status.queued == 0)
        }
    }

    @Test func aDeadPeerIsNoticedByPing() async throws {
        try await ScriptedServer.with(script: { $0.stream.connection.pauseReading() }) { server in
            let connection = try await server.connect { $0.pingAckTimeout = .milliseconds(100) }

            let answer = await connection.send(.plain, path: "/")

            #expect(answer.failure == .lost("no answer to PING within 100 ms"))
        }
    }

    @Test func anIdleConnectionIsProbedAndClosedWhenDead() async throws {
        try await ScriptedServer.with(script: {
            $0.ok()
            $0.stream.connection.pauseReading()
        }) { server in
            let states = States()
            let connection = try await server.connect(
                {
                    $0.idlePingInterval = .seconds(1)
                    $0.pingAckTimeout = .seconds(2)
                },
                onStateChange: states.add
            )
            #expect(await connection.send(.plain, path: "/").status == 200)

            let end = await states.first { if case .closed = $0 { true } else { false } }

            #expect(end == .closed("no answer to PING within 2000 ms"))
        }
    }

    @Test func aSilentPeerThatAnswersPingIsKept() async throws {
        try await ScriptedServer.with(script: { _ in }) { server in
            // Unanswered, the PING after five seconds would end the connection after ten.
            let connection = try await server.connect {
                $0.pingAckTimeout = .seconds(5)
                $0.requestTimeout = .seconds(12)
            }

            #expect(await connection.send(.plain, path: "/").failure == .deadline)

            #expect(connection.status.state == .open)
            await connection.close()
        }
    }

    @Test func aWindowThatNeverOpensEndsInDeadlines() async throws {
        try await ScriptedServer.with(initialWindowSize: 0) { server in
            let connection = try await server.connect { $0.requestTimeout = .milliseconds(100) }
            let answers = Answers()
            connection.send(.numbered(5, into: answers))

            #expect(await answers.wait(for: 5).values.allSatisfy { $0.failure == .deadline })
            #expect(server.log.count == 0)
            await connection.close()
        }
    }

    @Test func aPeerThatDoesNotReadHoldsWritingBackUntilItReadsAgain() async throws {
        let body = [UInt8](repeating: 1, count: 60_000)
        try await ScriptedServer.with(script: {
            if $0.number == 0 { $0.stream.connection.pauseReading() }
            $0.ok()
        }) { server in
            let connection = try await server.connect()
            #expect(await connection.send(.post(body), path: "/first").status == 200)
            let answers = Answers()
            connection.send(.numbered(300, template: .post(body), into: answers))
            // 18 MB: more than the connection's window of 16 MiB and than the socket's buffers.
            #expect(server.log.count == 1)

            server.log.connections.withLock { $0.first }?.resumeReading()

            #expect(await answers.wait(for: 300).values.allSatisfy { $0.status == 200 })
            await connection.close()
        }
    }

    @Test func aConnectionWindowThatIsNotUpdatedAgainEndsInDeadlines() async throws {
        // Each in one frame, so that those that fit arrive whole.
        let body = [UInt8](repeating: 1, count: 16_000)
        // The smallest window that there is: what fits in it is answered long before the others' time is over.
        try await ScriptedServer.with(
            connectionWindowSize: 65_535,
            script: {
                if $0.number == 0 { $0.stream.connection.withholdWindow() }
                $0.ok()
            }
        ) { server in
            let connection = try await server.connect { $0.requestTimeout = .seconds(5) }
            #expect(await connection.send(.post(body), path: "/first").status == 200)
            let answers = Answers()
            connection.send(.numbered(50, template: .post(body), into: answers))

            let all = await answers.wait(for: 50).values
            let answered = all.count { $0.status == 200 }
            // The window lets four through, with the first one.
            #expect((1...3).contains(answered))
            #expect(all.count { $0.failure == .deadline } == 50 - answered)
            #expect(server.log.count == answered + 1)
            await connection.close()
        }
    }

    @Test func framesThatBreakTheProtocolEndTheConnection() async throws {
        // DATA on stream 0 is a connection error (RFC 9113, section 6.1).
        let server = try await RawTLSServer.start(
            atHandshake: RawTLSServer.settings,
            atHeaders: [0, 0, 1, 0, 0, 0, 0, 0, 0, 65]
        )
        let connection = try await HTTP2ClientConnection.connect(
            .loopback(port: server.port),
            group: .singletonMultiThreadedEventLoopGroup,
            logger: .quiet
        )

        let answer = await connection.send(.plain, path: "/")

        #expect(answer.isLost, "\(answer)")
        try await server.stop()
    }

    @Test func cancellingTheTaskGivesTheRequestUp() async throws {
        try await ScriptedServer.with(maxConcurrentStreams: 1, script: { if $0.request.path == "/after" { $0.ok() } }) {
            server in
            let connection = try await server.connect()
            let first = Task { await connection.send(.plain, path: "/first") }
            for await _ in server.log.exchanges { break }
            let second = Task { await connection.send(.plain, path: "/second") }

            second.cancel()
            #expect(await second.value.failure == .unprocessed("cancelled"))
            first.cancel()
            #expect(await first.value.failure == .lost("cancelled"))

            #expect(await connection.send(.plain, path: "/after").status == 200)
            await connection.close()
        }
    }

    @Test func closingWaitsForWhatIsInFlightAndRefusesNewRequests() async throws {
        try await ScriptedServer.with(script: { _ in }) { server in
            let states = States()
            let connection = try await server.connect(onStateChange: states.add)
            async let answer = connection.send(.plain, path: "/")
            var exchanges = server.log.exchanges.makeAsyncIterator()
            let exchange = try #require(await exchanges.next())

            async let closed: Void = connection.close()
            _ = await states.first { $0 == .draining("closed") }
            #expect(await connection.send(.plain, path: "/late").failure == .unprocessed("closed"))
            exchange.ok()

            #expect(await answer.status == 200)
            await closed
            #expect(connection.status.state == .closed("closed"))
        }
    }

    @Test func closingEndsAtItsDeadline() async throws {
        try await ScriptedServer.with(script: { _ in }) { server in
            let connection = try await server.connect()
            async let answer = connection.send(.plain, path: "/")
            for await _ in server.log.exchanges { break }

            await connection.close(within: .milliseconds(50))

            #expect(await answer.isLost)
        }
    }

    @Test func anAnswerBeforeTheBodyIsSentEndsTheRequest() async throws {
        // HEADERS with :status 413 (literal with the indexed name 8) on stream 1, END_STREAM and END_HEADERS.
        let answer: [UInt8] = [0, 0, 5, 1, 5, 0, 0, 0, 1, 0x08, 3] + Array("413".utf8)
        let window: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]
        let server = try await RawTLSServer.start(atHandshake: window, atHeaders: answer)
        let connection = try await HTTP2ClientConnection.connect(
            .loopback(port: server.port),
            group: .singletonMultiThreadedEventLoopGroup,
            logger: .quiet
        )

        #expect(await connection.send(.plain, path: "/").status == 413)

        #expect(connection.status.state == .open)
        try await server.stop()
    }
}
