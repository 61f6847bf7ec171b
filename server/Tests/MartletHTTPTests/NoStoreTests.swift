import HTTPTypes
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

/// What no cache on the way may keep.
@Suite("Answers that are not kept")
struct NoStoreTests {
    @Test("answers with keys and secrets are not to be stored", arguments: [false, true])
    func secrets(isLive: Bool) async throws {
        try await Harness.run(isLive: isLive) { server in
            let name: JSONValue = ["name": "a"]
            let key: JSONValue = ["scope": "send", "name": "a"]
            let phone: JSONValue = [
                "installation_id": "01890a5d-ac96-774b-bcce-b302099a8057", "token": .string(Harness.token),
            ]
            let answers = [
                try await server.call(.post, "/api/v1/keys", key: server.admin, key),
                try await server.call(.post, "/api/v1/access-keys", key: server.admin, name),
                try await server.call(.post, "/api/v1/tokens", key: server.sdk, phone),
                try await server.call(.get, "/api/v1/apps", key: server.admin),
            ]
            for answer in answers { #expect(answer.headers[.cacheControl] == "no-store", "\(answer.text)") }
            #expect(answers[2].data["installation_secret"].stringValue != nil, "\(answers[2].text)")
            #expect(try await server.call(.get, "/openapi.json").headers[.cacheControl] == nil)
        }
    }
}
