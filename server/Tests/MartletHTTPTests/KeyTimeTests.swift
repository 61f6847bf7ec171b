import HTTPTypes
import MartletPipeline
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("When keys expire and were used")
struct KeyTimeTests {
    private func made(
        _ server: Harness,
        _ path: String = "/api/v1/keys",
        expires: String,
        _ scope: JSONValue? = "send"
    ) async throws -> Answer {
        var body: [String: JSONValue] = ["name": "contractor", "expires_at": .string(expires)]
        body["scope"] = scope
        return try await server.call(.post, path, key: server.admin, .object(body))
    }

    @Test("a key that has expired is refused from that moment on, as a revoked one is, and says so")
    func expires() async throws {
        try await Harness.run { server in
            let end = server.clock.now() + .seconds(60)
            let answer = try await made(server, expires: UTCTime(end).description)
            #expect(answer.status == 201, "\(answer.text)")
            #expect(answer.data["expires_at"].stringValue == UTCTime(end).description)
            let key = try #require(answer.data["key"].stringValue)
            // Twice: from the database, and from memory.
            for _ in 0..<2 { #expect(try await server.call(.get, "/api/v1/notifications", key: key).status == 200) }
            server.clock.advance(to: end - .milliseconds(1))
            #expect(try await server.call(.get, "/api/v1/notifications", key: key).status == 200)
            server.clock.advance(to: end)
            let expired = try await server.call(.get, "/api/v1/notifications", key: key)
            #expect(expired.status == 401 && expired.code == "unauthorized" && expired.text.contains("expired"))
            let unknown = try await server.call(.get, "/api/v1/notifications", key: key + "x")
            #expect(unknown.status == 401 && !unknown.text.contains("expired"))
            let listed = try await server.call(.get, "/api/v1/keys", key: server.admin).items
            #expect(listed.contains { $0["expires_at"].stringValue == UTCTime(end).description })
        }
    }

    @Test("what is past, or is no time, is refused by the field's name", arguments: ["keys", "access-keys"])
    func refuses(_ path: String) async throws {
        try await Harness.run { server in
            let now = UTCTime(server.clock.now()).description
            for text in [now, "2001-01-01T00:00:00Z", "tomorrow", ""] {
                let scope: JSONValue? = path == "keys" ? "send" : nil
                let answer = try await made(server, "/api/v1/\(path)", expires: text, scope)
                #expect((400...422).contains(answer.status) && answer.field == "expires_at", "\(text) \(answer.text)")
            }
        }
    }

    @Test("the last use of a key is written once in ten minutes, and only of a key that opens something")
    func lastUse() async throws {
        try await Harness.run { server in
            let end = server.clock.now() + .seconds(900)
            let key = try #require(
                try await made(server, expires: UTCTime(end).description).data["key"].stringValue
            )
            func lastUse() async throws -> String? {
                await server.api.keyUses.write()
                let keys = try await server.call(.get, "/api/v1/keys", key: server.admin).items
                return keys.first { $0["name"] == "contractor" }?["last_used_at"].stringValue
            }
            #expect(try await lastUse() == nil)
            let first = server.clock.now()
            _ = try await server.call(.get, "/api/v1/notifications", key: key)
            #expect(try await lastUse() == UTCTime(first).description)
            server.clock.advance(by: .seconds(599))
            _ = try await server.call(.get, "/api/v1/notifications", key: key)
            #expect(try await lastUse() == UTCTime(first).description)
            server.clock.advance(by: .seconds(1))
            _ = try await server.call(.get, "/api/v1/notifications", key: key)
            let second = server.clock.now()
            #expect(try await lastUse() == UTCTime(second).description)
            server.clock.advance(by: .seconds(700))
            #expect(try await server.call(.get, "/api/v1/notifications", key: key).status == 401)
            #expect(try await lastUse() == UTCTime(second).description)
        }
    }
}
