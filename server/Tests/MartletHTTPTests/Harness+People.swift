import HTTPTypes
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

extension Harness {
    /// Makes a category.
    func category(_ key: String, _ more: [String: JSONValue] = [:]) async throws {
        let body: [String: JSONValue] = ["app": "com.example.app", "key": .string(key)]
        let answer = try await call(.post, "/api/v1/categories", key: admin, .object(body.merging(more) { $1 }))
        #expect(answer.status == 201, "\(answer.text)")
    }

    /// Gives a user a device, so that there is such a user.
    func device(of user: String, token: String) async throws {
        let body: JSONValue = ["user_id": .string(user), "token": .string(token)]
        let answer = try await call(.post, "/api/v1/devices", key: send, body)
        #expect(answer.status < 300, "\(answer.text)")
    }

    /// Sends a user something that leaves an item; its id.
    @discardableResult
    func item(for user: String, _ title: String = "x", _ more: [String: JSONValue] = [:]) async throws -> String {
        let body: [String: JSONValue] = [
            "audience": ["users": [.string(user)]], "title": .string(title), "inbox": true,
        ]
        let answer = try await call(.post, "/api/v1/notifications", key: send, .object(body.merging(more) { $1 }))
        #expect(answer.status == 202, "\(answer.text)")
        return try #require(answer.data["id"].stringValue)
    }

    /// What is under a path of a user's own.
    func own(_ user: String, _ path: String) async throws -> Answer {
        try await call(.get, "/api/v1/\(path)", key: userToken(user))
    }
}

extension JSONValue {
    /// The elements of a list.
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}

/// One request that must be refused, with its method and path.
struct BadCall: Sendable, CustomTestStringConvertible {
    var testDescription: String { "\(method) \(path) \(body)" }
    var method: HTTPRequest.Method
    var path: String
    var body: String
    var status: Int
    var field: String?

    init(_ method: HTTPRequest.Method, _ path: String, _ body: String, _ status: Int, _ field: String?) {
        (self.method, self.path, self.body, self.status, self.field) = (method, path, body, status, field)
    }
}
