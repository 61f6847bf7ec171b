import Foundation
import Hummingbird
import HummingbirdTesting
import MartletTesting
import NIOCore
import Testing

@testable import MartletHTTP

@Suite("Limits of a client's connection")
struct ConnectionLimitTests {
    private static let get = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Runs a test of bytes against a server with these limits, on a thread of its own.
    private func run(
        _ change: (inout APISettings) -> Void,
        _ test: @escaping @Sendable (UInt16) throws -> Void
    ) async throws {
        var settings = APISettings()
        change(&settings)
        try await Harness.run(isLive: true, settings: settings, hasCredential: false) { server in
            let port = UInt16(try #require(server.client.port))
            try await blocking { try test(port) }
        }
    }

    @Test("a connection that says nothing is closed", arguments: ["", "GET /healthz HTTP/1.1\r\nHost"])
    func firstHead(beginning: String) async throws {
        try await run({ $0.connections.firstHeadTimeout = .milliseconds(50) }) { port in
            let connection = try RawConnection(port: port)
            try connection.send(beginning)
            #expect(connection.isClosed(within: 10))
        }
    }

    @Test("a connection is closed when no next request comes")
    func idle() async throws {
        try await run({ $0.connections.idleTimeout = .milliseconds(50) }) { port in
            let connection = try RawConnection(port: port)
            try connection.send(Self.get)
            #expect(RawAnswer(connection.read(seconds: 10)).status == 200)
            #expect(connection.isClosed(within: 10))
        }
    }

    @Test("a body that does not come in time is answered 408")
    func lateBody() async throws {
        var settings = APISettings()
        settings.connections.bodyTimeout = .milliseconds(50)
        try await Harness.run(isLive: true, settings: settings, hasCredential: false) { server in
            let (port, key) = (UInt16(try #require(server.client.port)), server.admin)
            try await blocking {
                let connection = try RawConnection(port: port)
                let fields = "Host: a\r\nAuthorization: Bearer \(key)\r\nContent-Length: 1000"
                try connection.send("POST /api/v1/apps HTTP/1.1\r\n\(fields)\r\n\r\nx")
                let answer = RawAnswer(connection.read(seconds: 10))
                #expect(answer.status == 408)
                #expect(answer["connection"] == "close")
            }
        }
    }

    @Test("a body that nobody reads is discarded for a while after the answer")
    func unreadBody() async throws {
        try await run({ $0.connections.discardTimeout = .milliseconds(50) }) { port in
            let connection = try RawConnection(port: port)
            try connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\nx")
            // Until it is closed: there is one answer and then the end.
            #expect(RawAnswer(connection.read(seconds: 10)).status == 200)
            #expect(connection.isClosed(within: 10))
        }
    }

    @Test("a connection that does not take its answers is closed")
    func untakenAnswer() async throws {
        try await run({ $0.connections.answerTimeout = .milliseconds(50) }) { port in
            let connection = try RawConnection(port: port, receiveBuffer: 4_096)
            let request = Array(String(repeating: "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n", count: 400).utf8)
            _ = connection.sendNow(request[...])
            #expect(connection.hasEnded(within: 20))
        }
    }

    @Test("the connection with most of the answers that lie here is closed when these are too many")
    func answerBytes() async throws {
        try await run({ $0.connections.answerBytes = 10_000 }) { port in
            let connection = try RawConnection(port: port, receiveBuffer: 4_096)
            let request = Array(String(repeating: "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n", count: 400).utf8)
            _ = connection.sendNow(request[...])
            // Before its deadline, which is half a minute.
            #expect(connection.hasEnded(within: 20))
        }
    }

    @Test(
        "a client that reads slowly and steadily gets its whole answer, also where it has said that it sends nothing more",
        arguments: [false, true]
    )
    func slowReader(isHalfClosed: Bool) async throws {
        let size = 8_000_000
        let router = Router()
        router.get("/") { _, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 0x61, count: size)))
        }
        var limits = ConnectionLimits()
        limits.answerTimeout = .milliseconds(500)
        let responder = router.buildResponder()
        let application = Application(
            responder: responder,
            server: .limitedHTTP1(limits, proxies: .none, responder: responder)
        )
        try await application.test(.live) { client in
            let port = UInt16(try #require(client.port))
            try await blocking {
                let connection = try RawConnection(port: port, receiveBuffer: 65_536)
                try connection.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                if isHalfClosed { connection.endSending() }
                var count = 0
                while true {
                    let part = connection.read(upTo: 65_536, seconds: 10)
                    if part.isEmpty { break }
                    count += part.utf8.count
                    // Some 3 MB a second: the whole takes several times as long as the deadline.
                    connection.rest(milliseconds: 20)
                }
                #expect(count > size)
            }
        }
    }

    @Test("requests that are sent at once are answered one after the other, in their order")
    func pipelined() async throws {
        try await run({ _ in }) { port in
            let connection = try RawConnection(port: port)
            let last = "GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            try connection.send(String(repeating: Self.get, count: 300) + last)
            let text = connection.read(seconds: 60)
            let statuses = text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
            #expect(statuses.count == 301)
            #expect(statuses.dropLast().allSatisfy { $0 == "200" })
            #expect(statuses.last == "404")
        }
    }

    @Test("a client that sends nothing more gets its answers, and then the end")
    func halfClosed() async throws {
        try await run({ _ in }) { port in
            let connection = try RawConnection(port: port)
            try connection.send(Self.get + Self.get)
            connection.endSending()
            let text = connection.read(seconds: 10)
            #expect(text.components(separatedBy: "HTTP/1.1 200").count == 3, "\(text)")
            #expect(connection.isClosed(within: 10))
            let silent = try RawConnection(port: port)
            silent.endSending()
            #expect(silent.isClosed(within: 9))
            let half = try RawConnection(port: port)
            try half.send("GET /healthz HTTP/1.1\r\nHost")
            half.endSending()
            #expect(RawAnswer(half.read(seconds: 9)).status == 400)
        }
    }

    @Test("what is no HTTP behind a request is refused after its answer")
    func brokenNext() async throws {
        try await run({ _ in }) { port in
            let last = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            for (text, statuses) in [
                (Self.get + "nonsense\r\n\r\n", ["200", "400"]),
                (Self.get + Self.get + "nonsense\r\n\r\n", ["200", "200", "400"]), (last + Self.get, ["200"]),
            ] {
                let connection = try RawConnection(port: port)
                try connection.send(text)
                #expect(Self.statuses(connection.read(seconds: 10)) == statuses, "\(text)")
            }
        }
    }

    @Test(
        "a request of HTTP/1.0, or for another protocol, is the last of its connection; a HEAD is answered without a body"
    )
    func oldRequests() async throws {
        try await run({ _ in }) { port in
            for head in [
                "GET /healthz HTTP/1.0\r\n\r\n",
                "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
            ] {
                let connection = try RawConnection(port: port)
                try connection.send(head)
                let answer = RawAnswer(connection.read(seconds: 9))
                #expect(answer.status == 200 && answer["connection"] == "close", "\(head)")
            }
            let kept = try RawConnection(port: port)
            try kept.send("HEAD /nowhere HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(kept.read(until: "\r\n\r\n", seconds: 9).hasSuffix("\r\n\r\n"))
            try kept.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(kept.read(seconds: 9).hasPrefix("HTTP/1.1 200"))
        }
    }

    private static func statuses(_ text: String) -> [String] {
        text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
    }

    @Test("a body that comes in pieces is read as a whole, also where it is larger than what is read ahead")
    func pieces() async throws {
        try await Harness.run(isLive: true, hasCredential: false) { server in
            let (port, key) = (UInt16(try #require(server.client.port)), server.admin)
            try await blocking {
                let connection = try RawConnection(port: port)
                let body = #"{"name": "com.example.other"}"# + String(repeating: " ", count: 200_000)
                let fields = "Host: a\r\nAuthorization: Bearer \(key)\r\nContent-Length: \(body.utf8.count)"
                try connection.send("POST /api/v1/apps HTTP/1.1\r\n\(fields)\r\nExpect: 100-continue\r\n\r\n")
                #expect(connection.read(until: "\r\n\r\n", seconds: 9).hasPrefix("HTTP/1.1 100"))
                var rest = Array(body.utf8)[...]
                while !rest.isEmpty {
                    try connection.send(Array(rest.prefix(1_000)))
                    rest = rest.dropFirst(1_000)
                }
                try connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(Self.statuses(connection.read(seconds: 10)) == ["201", "200"])
            }
        }
    }

    @Test("a request whose body breaks gets one answer, whether it is read or not")
    func brokenBody() async throws {
        try await run({ _ in }) { port in
            for (path, status) in [("POST /api/v1/notifications", 401), ("GET /healthz", 200)] {
                let connection = try RawConnection(port: port)
                let type = "Content-Type: application/x-www-form-urlencoded\r\n"
                let head = "\(path) HTTP/1.1\r\nHost: a\r\n\(type)Transfer-Encoding: chunked\r\n\r\n"
                try connection.send(head + "zz\r\n{}\r\n0\r\n\r\n" + Self.get)
                let text = connection.read(seconds: 10)
                #expect(text.components(separatedBy: "HTTP/1.1 ").count == 2, "\(text)")
                // The server may see that it is broken before the route has looked at it.
                #expect([status, 400].contains(RawAnswer(text).status), "\(text)")
            }
        }
    }

    @Test("a request whose body breaks after its answer gets no second answer")
    func brokenRest() async throws {
        try await run({ _ in }) { port in
            let connection = try RawConnection(port: port)
            try connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let answer = connection.read(until: "}", seconds: 10)
            #expect(RawAnswer(answer).status == 200)
            try connection.send("zz\r\n\r\n" + Self.get)
            #expect(connection.read(seconds: 10) == "")
        }
    }

    @Test("one connection too many closes the one whose client was waited for longest")
    func shed() async throws {
        try await run({ $0.connections.connections = 3 }) { port in
            let slow = try RawConnection(port: port)
            // With its answer it has certainly been taken in, before the others.
            try slow.send(Self.get)
            #expect(RawAnswer(slow.read(until: "}", seconds: 10)).status == 200)
            try slow.send("GET /healthz HTTP/1.1\r\n")
            let others = try (0..<2).map { _ in
                let connection = try RawConnection(port: port)
                try connection.send(Self.get)
                #expect(RawAnswer(connection.read(until: "}", seconds: 10)).status == 200)
                return connection
            }
            let newcomer = try RawConnection(port: port)
            try newcomer.send(Self.get)
            #expect(RawAnswer(newcomer.read(until: "}", seconds: 10)).status == 200)
            #expect(slow.isClosed(within: 10))
            #expect(others.allSatisfy { !$0.hasEnded(within: 0) })
        }
    }

    @Test("an address with too many connections loses its own and nobody else's")
    func shedByAddress() async throws {
        try await run({ $0.connections.connectionsPerAddress = 2 }) { port in
            let neighbour = try RawConnection(port: port, from: "127.0.0.3")
            let many = try (0..<3).map { _ in try RawConnection(port: port, from: "127.0.0.2") }
            // Which of the first two is the elder is not said: they may come to different threads.
            var closed: [RawConnection] = []
            for _ in 0..<1_000 where closed.isEmpty { closed = many.filter { $0.isClosed(within: 0.01) } }
            #expect(closed.count == 1)
            try neighbour.send(Self.get)
            #expect(RawAnswer(neighbour.read(until: "}", seconds: 10)).status == 200)
        }
    }

    @Test("a trusted proxy's connections are not counted by address")
    func proxy() async throws {
        let proxies = try TrustedProxies(["127.0.0.2"])
        try await run({
            $0.connections.connectionsPerAddress = 1
            $0.proxies = proxies
        }) { port in
            let many = try (0..<3).map { _ in try RawConnection(port: port, from: "127.0.0.2") }
            for connection in many {
                try connection.send(Self.get)
                #expect(RawAnswer(connection.read(until: "}", seconds: 10)).status == 200)
            }
        }
    }
}
