import Foundation
import HTTPTypes
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("The OpenAPI document is true to the server")
struct OpenAPITests {
    @Test("every route stands in it, and everything in it is a route that answers")
    func samePaths() async throws {
        try await Harness.run { server in
            let document = try await server.call(.get, "/openapi.json")
            let paths = try #require(document.json["paths"].objectValue)
            var described = Set<String>()
            for (path, item) in paths {
                for method in item.objectValue?.keys ?? [:].keys { described.insert("\(method.uppercased()) \(path)") }
            }
            let routes = Set(server.api.routes.map { "\($0.method.rawValue) \($0.path)" })
            #expect(described == routes.union(["GET /openapi.json"]))
            for line in described {
                let parts = line.split(separator: " ")
                let path = parts[1].replacing("{", with: "").replacing("}", with: "")
                let method = try #require(HTTPRequest.Method(String(parts[0])))
                let answer = try await server.call(method, String(path))
                #expect(answer.code != "method_not_allowed", "\(line)")
                #expect(answer.json["error"]["message"] != "There is no such path.", "\(line)")
            }
        }
    }

    @Test("operation ids are unique")
    func uniqueIDs() async throws {
        try await Harness.run { server in
            let document = try await server.call(.get, "/openapi.json")
            let items = document.json["paths"].objectValue?.values.compactMap(\.objectValue) ?? []
            let ids = items.flatMap { $0.values.compactMap { $0["operationId"].stringValue } }
            #expect(ids.count == Set(ids).count)
            #expect(ids.count == server.api.routes.count + 1)
        }
    }

    @Test("an independent validator accepts it, and live answers fit its schemas")
    func independentValidator() async throws {
        try await Harness.run(isLive: true) { server in
            try await server.setIdentity("signed")
            let document = try await server.call(.get, "/openapi.json")
            let sent = try await server.call(
                .post,
                "/api/v1/notifications",
                key: server.send,
                ["audience": ["users": ["a"]], "title": "x", "dedup": ["key": "k"]]
            )
            let id = try #require(sent.data["id"].stringValue)
            let calls: [(String, String, Answer)] = [
                ("post", "/api/v1/notifications", sent),
                (
                    "post", NotificationBatchTests.path,
                    try await NotificationBatchTests.send(server, [NotificationBatchTests.notification("a"), [:]])
                ),
                ("get", "/api/v1/apps", try await server.call(.get, "/api/v1/apps", key: server.admin)),
                ("get", "/api/v1/keys", try await server.call(.get, "/api/v1/keys", key: server.admin)),
                (
                    "get", "/api/v1/apps/{app}/credentials",
                    try await server.call(.get, CredentialTests.path, key: server.admin)
                ),
                (
                    "post", "/api/v1/devices",
                    try await server.call(.post, "/api/v1/devices", key: server.userToken("a"), ["token": "aa"])
                ),
                ("get", "/api/v1/devices", try await server.call(.get, "/api/v1/devices", key: server.send)),
                (
                    "get", "/api/v1/notifications/{id}",
                    try await server.call(.get, "/api/v1/notifications/\(id)", key: server.send)
                ),
                (
                    "get", "/api/v1/notifications",
                    try await server.call(.get, "/api/v1/notifications", key: server.send)
                ),
                ("get", "/healthz", try await server.call(.get, "/healthz")),
                ("get", "/api/v1/apps", try await server.call(.get, "/api/v1/apps")),
            ]
            let all = try await calls + otherPlatforms(server)
            let cases = try all.map { method, path, answer -> JSONValue in
                #expect(answer.json != .null)
                return [
                    "method": .string(method), "path": .string(path), "status": .string(String(answer.status)),
                    "body": try JSONReader.read(Array(answer.text.utf8)),
                ]
            }
            let input: JSONValue = ["document": document.json, "cases": .array(cases)]
            let report = try PythonValidator.run(input)
            #expect(report.status == 0, "\(report.output)")
        }
    }

    /// What is answered about FCM and Web Push.
    private func otherPlatforms(_ server: Harness) async throws -> [(String, String, Answer)] {
        func put(_ body: JSONValue) async throws -> (String, String, Answer) {
            let answer = try await server.call(.put, CredentialTests.path, key: server.admin, body)
            return ("put", "/api/v1/apps/{app}/credentials", answer)
        }
        func post(_ path: String, _ key: String, _ body: JSONValue) async throws -> (String, String, Answer) {
            ("post", path, try await server.call(.post, path, key: key, body))
        }
        let (tokens, devices, user) = ("/api/v1/tokens", "/api/v1/devices", server.userToken("a"))
        let installations: [JSONValue] = [
            "01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a8058",
        ]
        let subscription = WebPushTests.subscription()
        let other = "https://updates.push.services.mozilla.com/wpush/v2/x"
        let calls = [
            try await put(["platform": "fcm", "service_account": try CredentialTests.account()]),
            try await put(["platform": "webpush", "subject": "mailto:push@example.com"]),
            try await put(["platform": "webpush", "rotate": true]),
            (
                "get", "/api/v1/apps/{app}/credentials",
                try await server.call(.get, CredentialTests.path, key: server.admin)
            ),
            (
                "get", "/api/v1/webpush/key",
                try await server.call(.get, "/api/v1/webpush/key?app=com.example.app", key: server.sdk)
            ),
            try await post(
                tokens,
                server.sdk,
                ["installation_id": installations[0], "platform": "fcm", "token": "abc:def"]
            ),
            try await post(
                tokens,
                server.sdk,
                ["installation_id": installations[1], "platform": "webpush", "subscription": subscription]
            ),
            try await post(devices, user, ["platform": "fcm", "token": "abc:ghi"]),
            try await post(
                devices,
                user,
                ["platform": "webpush", "token": .string(other), "subscription": WebPushTests.subscription(other)]
            ),
            ("get", devices, try await server.call(.get, devices, key: server.send)),
        ]
        for (method, path, answer) in calls {
            #expect((200..<300).contains(answer.status), "\(method) \(path): \(answer.text)")
        }
        return calls
    }
}
