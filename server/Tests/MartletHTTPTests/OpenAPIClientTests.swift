import HTTPTypes
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Who makes clients of the OpenAPI document finds")
struct OpenAPIClientTests {
    @Test("each list of values of one type, and priority as numbers or as words")
    func choices() async throws {
        try await Harness.run { server in
            let document = try await server.call(.get, "/openapi.json").json
            for schema in Self.schemas(in: document) {
                guard let values = schema["enum"]?.elements else { continue }
                let isText = schema["type"] == "string" && values.allSatisfy { $0.stringValue != nil }
                let isNumber = schema["type"] == "integer" && values.allSatisfy { $0.integerValue != nil }
                #expect(isText || isNumber, "\(schema)")
            }
            let request = document["components"]["schemas"]["NotificationRequest"]["properties"]
            #expect(
                request["priority"]["anyOf"].elements.compactMap { $0["type"].stringValue } == ["integer", "string"]
            )
        }
    }

    @Test("each path under a tag, and the tags in a list")
    func tags() async throws {
        try await Harness.run { server in
            let document = try await server.call(.get, "/openapi.json").json
            let listed = document["tags"].elements.compactMap { $0["name"].stringValue }
            #expect(listed == Set(listed).sorted())
            for (path, method, operation) in Self.operations(in: document) {
                let tags = operation["tags"].elements.compactMap(\.stringValue)
                #expect(tags.count == 1 && listed.contains(tags[0]), "\(method) \(path)")
            }
            #expect(document["paths"]["/api/v1/users/{user}/inbox"]["get"]["tags"] == ["users"])
            #expect(document["paths"]["/td/v1/{database}/{table}"]["post"]["tags"] == ["events"])
            #expect(document["paths"]["/metrics"]["get"]["tags"] == ["operations"])
        }
    }

    @Test("ids of paths as UUIDs, users' ids and keys with their limits")
    func paths() async throws {
        try await Harness.run { server in
            let document = try await server.call(.get, "/openapi.json").json
            for (path, method, operation) in Self.operations(in: document) {
                let parameters = operation["parameters"].elements.filter { $0["in"] == "path" }
                for parameter in parameters {
                    let schema = parameter["schema"]
                    switch parameter["name"] {
                    case "id": #expect(schema == ["type": "string", "format": "uuid"], "\(method) \(path)")
                    case "user": #expect(schema["maxLength"] == 256 && schema["minLength"] == 1, "\(method) \(path)")
                    default: #expect(schema["minLength"] == 1 || schema["enum"] != .null, "\(method) \(path)")
                    }
                }
            }
        }
    }

    @Test("the limits of what it sends, which the server has too")
    func limits() async throws {
        try await Harness.run { server in
            let schemas = try await server.call(.get, "/openapi.json").json["components"]["schemas"]
            let name = schemas["AppRequest"]["properties"]["name"]
            #expect(name["pattern"] == "^[A-Za-z0-9._-]+$" && name["minLength"] == 1 && name["maxLength"] == 100)
            let batch = schemas["NotificationBatchRequest"]["properties"]["notifications"]
            #expect(batch["minItems"] == 1 && batch["maxItems"] == 500)
            let refused: [(String, JSONValue)] = [
                ("apps", ["name": "a b"]), ("apps", ["name": ""]), ("topics", ["name": "a.b"]),
                ("topics", ["name": ""]), ("keys", ["scope": "admin", "name": ""]),
                ("access-keys", ["name": "x", "allow": []]), ("notifications/batch", ["notifications": []]),
                ("devices/batch", ["devices": []]), ("preferences/batch", ["app": "com.example.app", "users": []]),
                ("topics/news/subscriptions/batch", ["subscriptions": []]),
                ("categories", ["app": "com.example.app", "key": "A", "names": ["en": "A"]]),
            ]
            _ = try await server.call(.post, "/api/v1/topics", key: server.admin, ["name": "news"])
            for (path, body) in refused {
                let answer = try await server.call(.post, "/api/v1/\(path)", key: server.admin, body)
                #expect(answer.status == 422, "\(path): \(answer.text)")
            }
        }
    }

    @Test("in Allow the methods of its path, and no others")
    func allow() async throws {
        try await Harness.run { server in
            let document = try await server.call(.get, "/openapi.json").json
            for (path, item) in document["paths"].objectValue ?? [:] {
                var methods = Set((item.objectValue ?? [:]).keys.map { $0.uppercased() })
                if methods.contains("GET") { methods.insert("HEAD") }
                let filled = path.replacing("{", with: "").replacing("}", with: "")
                let answer = try await server.call(.options, filled)
                #expect(answer.status == 405, "\(path)")
                #expect(answer.header("Allow") == methods.sorted().joined(separator: ", "), "\(path)")
            }
        }
    }

    @Test("the media type in which Treasure Data's clients are answered, and what they may send")
    func treasureData() async throws {
        try await Harness.run { server in
            let operation = try await server.call(.get, "/openapi.json").json["paths"]["/td/v1/{database}/{table}"][
                "post"
            ]
            let type = "application/vnd.treasuredata.v1+json"
            #expect(operation["responses"]["200"]["content"].objectValue?.keys.sorted() == [type])
            #expect(operation["requestBody"]["content"].objectValue?.keys.sorted() == ["application/json", type])
            let path = "/td/v1/mobile/push_events"
            let answer = try await server.call(.post, path, key: server.sdk, ["events": [[:]]])
            #expect(answer.status == 200 && answer.header("Content-Type") == type, "\(answer.text)")
        }
    }

    @Test("the statuses of refusals, each with the error's document")
    func refusals() async throws {
        try await Harness.run { server in
            let document = try await server.call(.get, "/openapi.json").json
            for (path, method, operation) in Self.operations(in: document) {
                let statuses = operation["responses"].objectValue ?? [:]
                #expect(
                    statuses["default"] == nil && statuses["400"] != nil && statuses["503"] != nil,
                    "\(method) \(path)"
                )
                let isOpen = operation["security"] == []
                #expect((statuses["401"] != nil) != isOpen, "\(method) \(path)")
            }
        }
    }

    @Test("that a POST which takes no Idempotency-Key refuses one, whatever it makes")
    func idempotency() async throws {
        try await Harness.run { server in
            let document = try await server.call(.get, "/openapi.json").json
            var refusing = 0
            for route in server.api.routes where route.method == .post {
                let parameters = document["paths"][route.path]["post"]["parameters"].elements
                let isTaken = parameters.contains { $0["name"].stringValue == HeaderName.idempotencyKey }
                let path = route.path.replacing("{", with: "").replacing("}", with: "")
                let key = route.access == .user ? server.userToken("a") : server.admin
                if route.access == .user { try await server.setIdentity("signed") }
                let headers = [HeaderName.idempotencyKey: "one"]
                let answer = try await server.call(.post, path, key: key, [:], headers: headers)
                let isRefused = answer.status == 422 && answer.field == HeaderName.idempotencyKey
                #expect(isRefused != isTaken, "\(path): \(answer.text)")
                if isRefused { refusing += 1 }
            }
            #expect(refusing > 10)
        }
    }

    private static func operations(in document: JSONValue) -> [(path: String, method: String, JSONValue)] {
        (document["paths"].objectValue ?? [:]).flatMap { path, item in
            (item.objectValue ?? [:]).map { (path, $0, $1) }
        }
    }

    /// Every object of a document, at any depth.
    private static func schemas(in value: JSONValue) -> [[String: JSONValue]] {
        switch value {
        case .object(let members): [members] + members.values.flatMap(schemas)
        case .array(let elements): elements.flatMap(schemas)
        default: []
        }
    }
}
