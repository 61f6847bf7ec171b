import MartletTransport
import NIOCore
import Synchronization
import Testing

/// Bursts whose requests have a body each.
@Suite(.timeLimit(.minutes(4)))
struct OwnBodyTests {
    /// A body that differs between requests in bytes and length; that of the first is empty.
    @Sendable private static func body(_ number: Int) -> [UInt8] {
        (0..<number * 1_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
    }

    private static let template = HTTP2RequestTemplate(
        authority: "localhost",
        headers: [HTTP2Header("apns-topic", "org.example")],
        body: []
    )

    private static func burst(
        _ count: Int,
        into answers: Answers,
        bodies: @escaping @Sendable (Int) -> [UInt8] = Self.body
    ) -> HTTP2Burst {
        var builder = HTTP2Burst.Builder(template: template, fields: [HTTP2BurstField("number")], capacity: count)
        for number in 0..<count { builder.append(path: "/\(number)", values: ["\(number)"]) }
        return builder.build(bodies: bodies) { answers.add($0, $1) }
    }

    @Test func eachRequestHasItsOwnBodyAndSaysItsLength() async throws {
        try await ScriptedServer.with { server in
            let connection = try await server.connect()
            let answers = Answers()
            connection.send(Self.burst(20, into: answers))

            #expect(await answers.wait(for: 20).values.allSatisfy { $0.status == 200 })

            let requests = server.log.requests.withLock { $0 }
            #expect(Set(requests.map(\.path)).count == 20)
            for request in requests {
                let number = try #require(Int(request.path.dropFirst()))
                #expect(request.body == ByteBuffer(bytes: Self.body(number)))
                let fields = request.headers.filter { ["number", "content-length"].contains($0.name) }
                #expect(fields.map(\.value) == ["\(number)", "\(number * 1_000)"])
            }
            await connection.close()
        }
    }

    @Test func bodiesLargerThanAllWindowsArriveWhole() async throws {
        try await ScriptedServer.with(
            initialWindowSize: 65_535,
            connectionWindowSize: 65_535,
            maxBodyBytes: 1_000_000,
            script: { $0.stream.respond(status: 200, headers: [], body: $0.request.body) }
        ) { server in
            let connection = try await server.connect { $0.maxBodyBytes = 1_000_000 }
            let answers = Answers()
            connection.send(Self.burst(20, into: answers) { Self.body(200 + $0) })

            for (number, answer) in await answers.wait(for: 20) {
                guard case .response(let response) = answer else { return #expect(Bool(false), "\(answer)") }
                #expect(response.body == Self.body(200 + number))
            }
            await connection.close()
        }
    }

    @Test func bodiesAreMadeAsTheirRequestsGoOut() async throws {
        let made = Mutex(0)
        let open = Mutex<[HTTP2ServerStream]>([])
        try await ScriptedServer.with(script: { exchange in
            // The fourth of each four answers them all; by then no more may have been made.
            let (full, count) = open.withLock { open in
                open.append(exchange.stream)
                guard open.count == 4 else { return ([HTTP2ServerStream](), 0) }
                defer { open = [] }
                return (open, exchange.number + 1)
            }
            if !full.isEmpty { #expect(made.withLock { $0 } == count) }
            for stream in full { stream.respond(status: 200, headers: []) }
        }) { server in
            let connection = try await server.connect { $0.maxConcurrentStreams = 4 }
            let answers = Answers()
            connection.send(
                Self.burst(40, into: answers) {
                    made.withLock { $0 += 1 }
                    return Self.body($0)
                }
            )

            #expect(await answers.wait(for: 40).values.allSatisfy { $0.status == 200 })
            #expect(made.withLock { $0 } == 40)
            await connection.close()
        }
    }

    @Test func aRequestThatIsSentAgainHasItsBodyAgain() async throws {
        try await ScriptedServer.with(script: {
            if $0.number < 3 { $0.stream.reset(errorCode: HTTP2ErrorCode.refusedStream) } else { $0.ok() }
        }) { server in
            let pool = HTTP2ClientPool(
                HTTP2ClientPoolConfiguration(connection: try server.configuration(), maxConnections: 1),
                group: .singletonMultiThreadedEventLoopGroup,
                logger: .quiet
            )
            let answers = Answers()
            pool.send(Self.burst(10, into: answers))

            #expect(await answers.wait(for: 10).values.allSatisfy { $0.status == 200 })

            for request in server.log.requests.withLock({ $0 }) {
                let number = try #require(request.headers.first { $0.name == "number" }.flatMap { Int($0.value) })
                #expect(request.body == ByteBuffer(bytes: Self.body(number)))
            }
            #expect(server.log.count == 13)
            await pool.shutdown()
        }
    }
}
