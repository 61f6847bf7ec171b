import MartletTransport
import NIOCore
import Synchronization
import Testing

/// What goes over the wire when nothing goes wrong.
@Suite(.timeLimit(.minutes(4)))
struct ExchangeTests {
    @Test func everyRequestOfABurstIsAnsweredOnceWithItsOwnAnswer() async throws {
        try await ScriptedServer.with(script: { exchange in
            let number = exchange.request.headers.first { $0.name == "number" }?.value ?? ""
            exchange.stream.respond(
                status: 200,
                headers: [HTTP2Header("number", number)],
                body: ByteBuffer(string: exchange.request.path)
            )
        }) { server in
            let connection = try await server.connect()
            let answers = Answers()
            connection.send(.numbered(1500, into: answers))
            connection.send(.numbered(500, into: answers, from: 1500))

            let all = await answers.wait(for: 2000)

            for (number, answer) in all {
                guard case .response(let response) = answer else { return #expect(Bool(false), "\(answer)") }
                #expect(response.status == 200)
                #expect(response.value(of: "number") == "\(number)")
                #expect(response.body == Array("/\(number)".utf8))
            }
            #expect(answers.repeated == 0)
            await connection.close()
        }
    }

    @Test func theServerSeesFieldsInOrderWithDuplicatesAndTheirIndexing() async throws {
        try await ScriptedServer.with { server in
            let connection = try await server.connect()
            let template = HTTP2RequestTemplate(
                authority: "localhost",
                headers: [
                    HTTP2Header("authorization", "bearer secret", isIndexed: false), HTTP2Header("x", "1"),
                    HTTP2Header("x", "2"),
                ],
                body: [1, 2, 3]
            )

            let answer = await connection.send(
                template,
                path: "/3/device/ab",
                headers: [HTTP2Header("apns-id", "id", isIndexed: false)]
            )

            #expect(answer.status == 200)
            let request = try #require(server.log.requests.withLock { $0.first })
            #expect(request.method == "POST")
            #expect(request.path == "/3/device/ab")
            #expect(
                request.headers == [
                    HTTP2Header("authorization", "bearer secret", isIndexed: false), HTTP2Header("x", "1"),
                    HTTP2Header("x", "2"), HTTP2Header("content-length", "3"),
                    HTTP2Header("apns-id", "id", isIndexed: false),
                ]
            )
            #expect(request.body == ByteBuffer(bytes: [1, 2, 3]))
            #expect(!request.isBodyTruncated)
            await connection.close()
        }
    }

    @Test func anEmptyValueLeavesTheFieldOut() async throws {
        try await ScriptedServer.with { server in
            let connection = try await server.connect()
            let answers = Answers()
            var builder = HTTP2Burst.Builder(
                template: .plain,
                fields: [HTTP2BurstField("a"), HTTP2BurstField("b")],
                capacity: 2
            )
            builder.append(path: "/0", values: ["", "1"])
            builder.append(path: "/1", values: ["2", ""])
            connection.send(builder.build { answers.add($0, $1) })

            _ = await answers.wait(for: 2)

            let fields = server.log.requests.withLock { requests in
                requests.map { $0.headers.filter { ["a", "b"].contains($0.name) }.map { $0.name + $0.value } }
            }
            #expect(fields == [["b1"], ["a2"]])
            await connection.close()
        }
    }

    @Test func bodiesLargerThanTheirBoundsAreCutAndMarked() async throws {
        let large = [UInt8](repeating: 7, count: 200_000)
        try await ScriptedServer.with(
            maxBodyBytes: 1000,
            script: { $0.stream.respond(status: 200, headers: [], body: ByteBuffer(bytes: large)) }
        ) { server in
            let connection = try await server.connect { $0.maxBodyBytes = 2000 }

            let answer = await connection.send(.post(large), path: "/")

            guard case .response(let response) = answer else { return #expect(Bool(false), "\(answer)") }
            #expect(response.body.count == 2000)
            #expect(response.isBodyTruncated)
            let request = try #require(server.log.requests.withLock { $0.first })
            #expect(request.body.readableBytes == 1000)
            #expect(request.isBodyTruncated)
            await connection.close()
        }
    }

    @Test func bodiesLargerThanAllWindowsArriveWhole() async throws {
        let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try await ScriptedServer.with(
            initialWindowSize: 65_535,
            maxBodyBytes: 1_000_000,
            script: { $0.stream.respond(status: 200, headers: [], body: $0.request.body) }
        ) { server in
            let connection = try await server.connect {
                $0.maxBodyBytes = 1_000_000
                $0.initialWindowSize = 65_535
                $0.connectionWindowSize = 65_535
            }
            let answers = Answers()
            connection.send(.numbered(20, template: .post(large), into: answers))

            for answer in await answers.wait(for: 20).values {
                guard case .response(let response) = answer else { return #expect(Bool(false), "\(answer)") }
                #expect(response.body == large)
            }
            await connection.close()
        }
    }

    @Test func answersGivenLaterFromAnotherThreadArrive() async throws {
        try await ScriptedServer.with(script: { _ in }) { server in
            let connection = try await server.connect()
            let answers = Answers()
            connection.send(.numbered(10, into: answers))

            for await exchange in server.log.exchanges {
                exchange.stream.respond(status: 201, headers: [])
                exchange.stream.respond(status: 500, headers: [])
                if exchange.number == 9 { break }
            }

            #expect(await answers.wait(for: 10).values.allSatisfy { $0.status == 201 })
            await connection.close()
        }
    }

    @Test(arguments: [false, true]) func theServerKnowsAClientCertificateIfThereIsOne(hasCertificate: Bool) async throws
    {
        try await ScriptedServer.with(clientCertificates: .optional) { server in
            let connection = try await server.connect {
                $0.tls = try Certificates.shared.get().client(withCertificate: hasCertificate)
            }

            #expect(await connection.send(.plain, path: "/").status == 200)

            let peer = server.log.connections.withLock { $0.first?.peerCertificate }
            #expect((peer != nil) == hasCertificate)
            await connection.close()
        }
    }
}
