import HTTPTypes
import Hummingbird
import MartletStore
import MartletWire
import NIOCore
import Synchronization
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("At the edge")
struct EdgeTests {
    @Test("unknown paths and methods are answered in the error format")
    func unknownPaths() async throws {
        try await Harness.run { server in
            for path in ["/nothing", "/api/v1", "/api/v1/nothing", "/api/v2/apps", "/api/v1/apps/a/b"] {
                let answer = try await server.call(.get, path, key: server.admin)
                #expect(answer.status == 404, "\(path)")
                #expect(answer.code == "not_found")
            }
            let answer = try await server.call(.put, "/api/v1/notifications", key: server.send)
            #expect(answer.status == 405)
            #expect(answer.code == "method_not_allowed")
            #expect(answer.headers[.allow] == "GET, HEAD, POST")
            #expect(try await server.call(.head, "/healthz").status == 200)
        }
    }

    @Test("a body of another type, without a type, and over the limit", arguments: [false, true])
    func bodies(isLive: Bool) async throws {
        try await Harness.run(isLive: isLive) { server in
            let path = "/api/v1/notifications"
            let form = try await server.call(
                .post,
                path,
                key: server.send,
                text: "a=b",
                headers: ["Content-Type": "application/x-www-form-urlencoded"]
            )
            #expect(form.status == 415)
            #expect(form.code == "unsupported_media_type")
            let parameters = ["Content-Type": "application/json; charset=utf-8"]
            let text = #"{"audience":{"users":["a"]},"title":"x"}"#
            let fine = try await server.call(.post, path, key: server.send, text: text, headers: parameters)
            #expect(fine.status == 202)
            let before = try await server.contents()
            let large = String(repeating: "x", count: 10 * 1024 * 1024)
            let refused = try await server.call(.post, path, key: server.send, text: large)
            #expect(refused.status == 413)
            #expect(refused.code == "body_too_large")
            #expect(refused.headers[.connection] == "close")
            #expect(try await server.contents() == before)
        }
    }

    @Test("a body without an end is read to the limit and no further")
    func endlessBody() async throws {
        let pulled = Mutex(0)
        let endless = AsyncStream<ByteBuffer> {
            pulled.withLock { $0 += 1 }
            return ByteBuffer(repeating: UInt8(ascii: "x"), count: 1000)
        }
        let request = Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/"),
            body: RequestBody(asyncSequence: endless)
        )
        let error = await #expect(throws: Failure.self) {
            _ = try await RequestBodyReader(limit: 10_000).read(request)
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(pulled.withLock { $0 } == 11)
    }

    @Test("a body that breaks off is the caller's trouble and not a defect")
    func brokenBody() async throws {
        struct Lost: Error {}
        let broken = AsyncThrowingStream<ByteBuffer, any Error> { $0.finish(throwing: Lost()) }
        let request = Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/"),
            body: RequestBody(asyncSequence: broken)
        )
        let error = await #expect(throws: Failure.self) {
            _ = try await RequestBodyReader(limit: 10_000).read(request)
        }
        #expect(error?.code == .malformedRequest)
    }

    @Test("beyond the limit of requests under way the answer is 503, and probes still pass")
    func inFlightLimit() async throws {
        var settings = APISettings()
        settings.requestLimit = 0
        try await Harness.run(settings: settings, hasCredential: false) { server in
            let answer = try await server.call(.get, "/api/v1/apps", key: server.admin)
            #expect(answer.status == 503)
            #expect(answer.code == "overloaded")
            #expect(answer.headers[.retryAfter] == "1")
            #expect(try await server.call(.get, "/healthz").status == 200)
        }
    }

    @Test("probes say whether it is alive and ready, and metrics are Prometheus text")
    func probes() async throws {
        try await Harness.run { server in
            #expect(try await server.call(.get, "/healthz").json == ["status": "ok"])
            #expect(try await server.call(.get, "/readyz").json == ["status": "ok"])
            let metrics = try await server.call(.get, "/metrics")
            #expect(metrics.headers[.contentType]?.hasPrefix("text/plain; version=0.0.4") == true)
            #expect(
                metrics.text.contains(#"martlet_http_requests_total{method="GET",route="/healthz",status="200"} 1"#)
            )
            #expect(metrics.text.contains(#"martlet_dead_letters{app="com.example.app"} 0"#))
            server.api.readiness.beginShutdown()
            let stopping = try await server.call(.get, "/readyz")
            #expect(stopping.status == 503)
            #expect(stopping.code == "overloaded")
            #expect(try await server.call(.get, "/healthz").status == 200)
        }
    }

    @Test("a defect is answered without its inside, and its request id leads to the log")
    func defects() async throws {
        try await Harness.run { server in
            // A secret that was sealed with another encryption key.
            var identity = Identity(mode: .signed, issuer: Harness.issuer, audience: Harness.audience)
            identity.verification = .secret(sealed: [UInt8](repeating: 7, count: 60))
            _ = try await server.store.updateApp(server.app.row, name: nil, identity: identity)
            let answer = try await server.call(.get, "/api/v1/devices", key: server.userToken("a"))
            #expect(answer.status == 500)
            #expect(answer.code == "internal_error")
            let id = try #require(answer.header(HeaderName.requestID))
            #expect(answer.json["error"]["hint"].stringValue?.contains(id) == true)
            #expect(!answer.text.contains("encryption"))
            #expect(server.logs.text.contains { $0.contains("request failed") && $0.contains(id) })
        }
    }

    @Test("each request is one log line, with its route's pattern and without what is secret")
    func logLines() async throws {
        try await Harness.run { server in
            let body: JSONValue = ["token": "abcdef0123456789", "user_id": "somebody@example.com"]
            _ = try await server.call(.post, "/api/v1/devices", key: server.send, body)
            _ = try await server.call(.get, "/api/v1/users/somebody@example.com/endpoints", key: server.send)
            let lines = server.logs.text.filter { $0.contains(" request ") }
            #expect(lines.contains { $0.contains("/api/v1/users/{user}/endpoints") && $0.contains("200") })
            let all = server.logs.text.joined(separator: "\n")
            for secret in ["abcdef0123456789", "somebody", server.send, server.admin, "PRIVATE KEY"] {
                #expect(!all.contains(secret), "\(secret)")
            }
        }
    }
}
