import NIOCore
import Testing

@testable import MartletTransport

/// What a connection keeps for a peer that takes nothing.
@Suite(.timeLimit(.minutes(4)))
struct BackPressureTests {
    @Test func whatIsBufferedForAPeerThatDoesNotReadIsBounded() async throws {
        try await ScriptedServer.with(script: {
            if $0.number == 0 { $0.stream.connection.pauseReading() }
            $0.ok()
        }) { server in
            let connection = try await server.connect()
            #expect(await connection.send(.plain, path: "/first").status == 200)
            // 60 MB in fields, which no window holds back: more than Linux lets a connection have in the kernel.
            let filler = String(repeating: "x", count: 60_000)
            var builder = HTTP2Burst.Builder(template: .plain, fields: [HTTP2BurstField("filler")], capacity: 1_000)
            for number in 0..<1_000 { builder.append(path: "/\(number)", values: [filler]) }
            let answers = Answers()
            let burst = builder.build { answers.add($0, $1) }
            connection.send(burst)

            var largest = 0
            var looksWhileFull = 0
            while looksWhileFull < 100 {
                let bytes = try await connection.channel.getOption(.bufferedWritableBytes).get()
                largest = max(largest, bytes)
                looksWhileFull = connection.channel.isWritable ? 0 : looksWhileFull + 1
            }

            #expect(largest >= ClientSession.fullSocket)
            // A frame has 16 KiB at most, and TLS adds less than that to what is written at a time.
            #expect(largest <= ClientSession.fullSocket + ClientSession.writeLimit + 2 * 16 * 1024)
            #expect(connection.status.inFlight + connection.status.queued == 1_000)
            connection.cancel(burst)
            #expect(await answers.wait(for: 1_000).count == 1_000)
            await connection.close(within: .milliseconds(50))
        }
    }
}
