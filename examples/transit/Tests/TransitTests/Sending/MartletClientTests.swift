import FlyingFox
import FlyingSocks
import Foundation
import Synchronization
import Testing
import Transit

/// Martlet's answers, from a server on loopback.
@Suite struct MartletClientTests {
    private static let intent = Intent(key: "k-1", purpose: .tell, alert: "a", version: 1, riders: ["r"], body: "{}")

    private func outcome(_ status: Int, _ body: String, headers: HTTPHeaders = [:]) async throws -> SendOutcome {
        try await call(status, body, headers: headers, idempotency: "k-1") { await $0.send(Self.intent) }
    }

    /// What the client makes of an answer to a call with its key.
    private func call<Result: Sendable>(
        _ status: Int,
        _ body: String,
        headers: HTTPHeaders = [:],
        path: String = "/api/v1/notifications",
        idempotency: String? = nil,
        _ use: (MartletClient) async -> Result
    ) async throws -> Result {
        let handler = ClosureHTTPHandler { request in
            guard request.headers[HTTPHeader("Idempotency-Key")] == idempotency,
                request.headers[HTTPHeader("Authorization")] == "Bearer key", request.path == path
            else { return HTTPResponse(statusCode: HTTPStatusCode(418, phrase: "")) }
            return HTTPResponse(statusCode: HTTPStatusCode(status, phrase: ""), headers: headers, body: Data(body.utf8))
        }
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled, handler: handler)
        let running = Task { try await server.run() }
        defer { running.cancel() }
        try await server.waitUntilListening(timeout: 10)
        guard case .ip4(_, let port)? = await server.listeningAddress,
            let url = URL(string: "http://127.0.0.1:\(port)")
        else { throw CancellationError() }
        return await use(MartletClient(server: url, key: "key"))
    }

    @Test("accepted, refused, and again")
    func answers() async throws {
        #expect(try await outcome(202, #"{"data":{"id":"n-1","status":"sending"}}"#) == .accepted("n-1"))
        let error = #"{"error":{"code":"invalid_value","message":"No."}}"#
        for status in [400, 409, 413, 415, 422] {
            #expect(try await outcome(status, error) == .refused("\(status) invalid_value: No."))
        }
        for status in [401, 403, 404, 500, 502] {
            guard case .again(nil, _) = try await outcome(status, error) else { return #expect(Bool(false)) }
        }
        for status in [429, 503] {
            guard case .again(7, _) = try await outcome(status, error, headers: [HTTPHeader("Retry-After"): "7"]) else {
                return #expect(Bool(false))
            }
        }
        guard case .again(nil, _) = try await outcome(202, "not JSON") else { return #expect(Bool(false)) }
    }

    @Test("before there is anything to send, the log says whether Martlet takes the key")
    func check() async throws {
        let error = #"{"error":{"code":"unauthorized","message":"No\nsuch key."}}"#
        let cases = [
            (200, "{}", "takes the key."), (500, "", "what there is to send waits: 500, without a reason"),
            (401, error, "refuses the key or the app, and what there is to send waits: 401 unauthorized: No such key."),
        ]
        for (status, body, end) in cases {
            let line = try await call(status, body, path: "/api/v1/notifications") { await $0.check(app: "a b") }
            #expect(line.hasSuffix(end) && line.hasPrefix("Martlet at http://127.0.0.1:"), "\(line)")
        }
        let nobody = MartletClient(server: try #require(URL(string: "http://127.0.0.1:1")), key: "key")
        #expect(await nobody.check(app: nil).contains("does not answer"))
    }

    @Test("nobody listens")
    func nobody() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        #expect(
            await MartletClient(server: url, key: "key").send(Self.intent)
                == .again(after: nil, "Martlet does not answer")
        )
    }
}
