import Foundation
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

/// The real transport against real sockets.
@Suite(.timeLimit(.minutes(1))) struct TransportTests {
    let transport = URLSessionTransport()

    private func result(_ call: HTTPCall) async -> Result<HTTPAnswer, TransportError> {
        do throws(TransportError) { return .success(try await transport.send(call)) } catch { return .failure(error) }
    }

    @Test func aRequestArrivesWholeAndItsAnswerIsRead() async throws {
        let server = try LoopbackServer(
            .init("HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nContent-Length: 5\r\nSet-Cookie: a=b\r\n\r\nhello")
        )
        let call = HTTPCall(
            "POST",
            server.url,
            headers: ["Authorization": "Bearer k", "Content-Type": "application/json"],
            body: Data("{\"a\":1}".utf8),
            timeout: 20
        )
        for _ in 0..<2 {
            let answer = try await transport.send(call)
            #expect(answer.status == 429)
            #expect(answer.header("RETRY-after") == "7")
            #expect(answer.body == Data("hello".utf8))
        }
        let requests = server.requests.entries
        #expect(requests.count == 2)
        for request in requests {
            #expect(request.hasPrefix("POST /path?q=1 HTTP/1.1\r\n"))
            #expect(request.contains("Authorization: Bearer k"))
            #expect(request.hasSuffix("{\"a\":1}"))
            #expect(!request.lowercased().contains("cookie:"))
        }
    }

    @Test func aRedirectIsAnAnswerAndIsNotFollowed() async throws {
        let target = try LoopbackServer(.init("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
        let server = try LoopbackServer(
            .init("HTTP/1.1 302 Found\r\nLocation: \(target.url)\r\nContent-Length: 0\r\n\r\n")
        )
        #expect(try await transport.send(HTTPCall("POST", server.url, timeout: 20)).status == 302)
        #expect(target.requests.entries.isEmpty)
    }

    @Test("an answer beyond the limit is refused, declared or not", arguments: ["Content-Length: 101\r\n", ""])
    func longAnswers(_ length: String) async throws {
        let body = String(repeating: "x", count: 101)
        let server = try LoopbackServer(.init("HTTP/1.1 200 OK\r\n\(length)Connection: close\r\n\r\n\(body)"))
        let refused = await result(HTTPCall("GET", server.url, timeout: 20, answerLimit: 100))
        #expect(throws: TransportError.answerTooLarge) { try refused.get() }
        let taken = await result(HTTPCall("GET", server.url, timeout: 20, answerLimit: 101))
        #expect(try taken.get().body.count == 101)
    }

    @Test(
        "a server that says nothing, or stops in the middle, is given up",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"]
    )
    func silentServers(_ text: String) async throws {
        let server = try LoopbackServer(.init(text, staysOpen: true))
        let given = await result(HTTPCall("GET", server.url, timeout: 0.2))
        #expect(throws: TransportError.timedOut) { try given.get() }
    }

    @Test func cancellingTheTaskCancelsTheRequest() async throws {
        let server = try LoopbackServer(.init("", staysOpen: true))
        let task = Task { await result(HTTPCall("GET", server.url, timeout: 60)) }
        _ = await server.requests.wait(for: 1)
        task.cancel()
        let given = await task.value
        #expect(throws: TransportError.cancelled) { try given.get() }
        let before = Task {
            while !Task.isCancelled { await Task.yield() }
            return await result(HTTPCall("GET", server.url, timeout: 60))
        }
        before.cancel()
        let never = await before.value
        #expect(throws: TransportError.cancelled) { try never.get() }
        #expect(server.requests.entries.count == 1)
    }

    @Test func aServerThatIsNotThereIsUnreachable() async throws {
        let port = try RefusingPort()
        let given = await result(HTTPCall("GET", port.url("/"), timeout: 20))
        withExtendedLifetime(port) {}
        guard case .failure(.unreachable) = given else {
            Issue.record("\(given)")
            return
        }
    }

    @Test("what is not HTTP is an error", arguments: ["SSH-2.0-OpenSSH\r\n", "\u{0}\u{1}\u{2}", "HTTP/9 abc\r\n\r\n"])
    func notHTTP(_ text: String) async throws {
        let server = try LoopbackServer(.init(text))
        let given = await result(HTTPCall("GET", server.url, timeout: 20))
        #expect(throws: TransportError.self) { try given.get() }
    }

    @Test("twenty requests at once each get their own answer")
    func atOnce() async throws {
        let server = try LoopbackServer(.init("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"))
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 {
                group.addTask { try? await transport.send(HTTPCall("GET", server.url, timeout: 20)).status }
            }
            var statuses: [Int?] = []
            for await status in group { statuses.append(status) }
            return statuses
        }
        #expect(statuses == Array(repeating: 200, count: 20))
    }
}
