import Foundation
import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP
@testable import MartletPipeline

@Suite("Many notifications in one request")
struct NotificationBatchTests {
    static let path = "/api/v1/notifications/batch"

    static func notification(_ user: String, key: String? = nil, title: String = "Delay") -> JSONValue {
        var members: [String: JSONValue] = ["audience": ["users": [.string(user)]], "title": .string(title)]
        members["idempotency_key"] = key.map(JSONValue.string)
        return .object(members)
    }

    static func send(_ server: Harness, _ notifications: [JSONValue]) async throws -> Answer {
        try await server.call(.post, path, key: server.send, ["notifications": .array(notifications)])
    }

    static func receipts(_ answer: Answer) -> [JSONValue] {
        if case .array(let receipts) = answer.data["receipts"] { receipts } else { [] }
    }

    @Test("each that is accepted has a receipt with its id by position, and can be read back")
    func accepts() async throws {
        try await Harness.run { server in
            let count = Submitter.groupLimit * 2 + 50
            var notifications = (0..<count).map { Self.notification("user-\($0)", title: "Delay \($0)") }
            notifications[3] = [
                "audience": ["users": ["ann"]], "title": "Delay 3", "send_at": "2027-01-15T09:00:00Z",
            ]
            let answer = try await Self.send(server, notifications)
            #expect(answer.status == 202, "\(answer.text)")
            let receipts = Self.receipts(answer)
            #expect(Set(receipts.compactMap { $0["id"].stringValue }).count == count)
            for index in [0, 3, 99, 100, count - 1] {
                let id = try #require(receipts[index]["id"].stringValue)
                let shown = try await server.call(.get, "/api/v1/notifications/\(id)", key: server.send)
                #expect(shown.data["title"].stringValue == "Delay \(index)")
                #expect(receipts[index]["status"] == (index == 3 ? "scheduled" : "sending"))
                #expect(receipts[index]["replayed"] == .null && receipts[index]["error"] == .null)
            }
        }
    }

    @Test("one that is refused says code, message and field by its position, and the others are accepted")
    func refusesByPosition() async throws {
        try await Harness.run { server in
            let long = String(repeating: "x", count: 5_000)
            let bad: [(JSONValue, ErrorCode, String)] = [
                (["title": "x"], .malformedRequest, "notifications[1].audience"),
                ("text", .malformedRequest, "notifications[2]"),
                (["audience": ["users": ["a", 2]]], .malformedRequest, "notifications[3].audience.users[1]"),
                (["audience": ["users": ["a"]], "titel": "x"], .unknownField, "notifications[4].titel"),
                (["audience": [:], "title": "x"], .invalidValue, "notifications[5].audience"),
                (["audience": ["users": [""]], "title": "x"], .invalidValue, "notifications[6].audience.users[0]"),
                (Self.notification("a", title: long), .payloadTooLarge, "notifications[7].title"),
                (["audience": ["topic": "none"], "title": "x"], .notFound, "notifications[8].audience.topic"),
                (["app": "none", "audience": ["all": true], "title": "x"], .notFound, "notifications[9].app"),
                (Self.notification("a", key: "schlüssel"), .invalidValue, "notifications[10].idempotency_key"),
                (Self.notification("a", key: ""), .invalidValue, "notifications[11].idempotency_key"),
                (Self.notification("a\u{0}b"), .invalidValue, "notifications[12].audience.users[0]"),
                (Self.notification("a", title: "a\u{0}b"), .invalidValue, "notifications[13].title"),
            ]
            let answer = try await Self.send(
                server,
                [Self.notification("a")] + bad.map(\.0) + [Self.notification("b")]
            )
            #expect(answer.status == 202, "\(answer.text)")
            let receipts = Self.receipts(answer)
            #expect(receipts.count == bad.count + 2)
            for (receipt, (_, code, field)) in zip(receipts.dropFirst(), bad) {
                #expect(receipt["error"]["code"].stringValue == code.rawValue, "\(receipt)")
                #expect(receipt["error"]["field"].stringValue == field, "\(receipt)")
                #expect(receipt["error"]["message"].stringValue?.isEmpty == false)
                #expect(receipt["id"] == .null && receipt["status"] == .null)
            }
            #expect(receipts.first?["id"].stringValue != nil && receipts.last?["id"].stringValue != nil)
            #expect(try await server.contents()["notifications"] == 2)
        }
    }

    @Test("the same key is the same notification: within a request, in another, and alone")
    func idempotency() async throws {
        try await Harness.run { server in
            let first = try await Self.send(
                server,
                [
                    Self.notification("a", key: "1"), Self.notification("a", key: "1"),
                    Self.notification("b", key: "1"), Self.notification("b", key: "2"),
                ]
            )
            let receipts = Self.receipts(first)
            let id = try #require(receipts[0]["id"].stringValue)
            #expect(receipts[0]["replayed"] == .null)
            #expect(receipts[1] == ["id": .string(id), "status": "sending", "replayed": true])
            #expect(receipts[2]["error"]["code"] == "idempotency_mismatch")
            #expect(receipts[2]["error"]["field"] == "notifications[2].idempotency_key")
            let again = Self.receipts(try await Self.send(server, [Self.notification("a", key: "1")]))
            #expect(again == [receipts[1]])
            // Alone, and written in another way.
            let alone = try await server.call(
                .post,
                NotificationTests.path,
                key: server.send,
                text: #"{ "title": "Delay", "audience": {"users": ["b"]} }"#,
                headers: [HeaderName.idempotencyKey: "2"]
            )
            #expect(alone.data["id"] == receipts[3]["id"])
            #expect(alone.header(HeaderName.idempotentReplayed) == "true")
            let mismatch = try await server.call(
                .post,
                NotificationTests.path,
                key: server.send,
                Self.notification("z"),
                headers: [HeaderName.idempotencyKey: "2"]
            )
            #expect(mismatch.code == "idempotency_mismatch")
            let single = try await server.call(
                .post,
                NotificationTests.path,
                key: server.send,
                Self.notification("c"),
                headers: [HeaderName.idempotencyKey: "3"]
            )
            let repeated = Self.receipts(try await Self.send(server, [Self.notification("c", key: "3")]))
            #expect(repeated.first?["id"] == single.data["id"])
            #expect(repeated.first?["replayed"] == true)
            #expect(try await server.contents()["notifications"] == 3)
        }
    }

    @Test("a repeated one is the same also when its time has passed since")
    func idempotencyOutlivesTimes() async throws {
        try await Harness.run { server in
            let due = UTCTime(server.clock.now() + .seconds(60)).description
            let later: JSONValue = [
                "audience": ["users": ["ann"]], "title": "Later", "send_at": .string(due), "idempotency_key": "k",
            ]
            let first = Self.receipts(try await Self.send(server, [later]))
            server.clock.advance(by: .seconds(3600))
            let again = Self.receipts(try await Self.send(server, [later, Self.notification("b")]))
            #expect(again[0]["id"] == first[0]["id"])
            #expect(again[0]["replayed"] == true && again[0]["status"] == "scheduled")
            var other = later.objectValue ?? [:]
            other["title"] = "Another"
            let mismatch = Self.receipts(try await Self.send(server, [.object(other)]))
            #expect(mismatch[0]["error"]["code"] == "idempotency_mismatch")
        }
    }

    static let refused: [BadRequest] = [
        .init("not JSON", #"{"notifications":["#, 400, .malformedRequest),
        .init("a list", "[]", 400, .malformedRequest),
        .init("no list", "{}", 400, .malformedRequest, "notifications"),
        .init("an object in place of a list", #"{"notifications":{}}"#, 400, .malformedRequest, "notifications"),
        .init("an unknown field", #"{"notifications":[{}],"app":"a"}"#, 400, .unknownField, "app"),
        .init("none", #"{"notifications":[]}"#, 422, .invalidValue, "notifications"),
        .init("too many", batch(501), 422, .invalidValue, "notifications"),
        .init("too large", #"{"notifications":["\#(String(repeating: "x", count: 1 << 20))"]}"#, 413, .bodyTooLarge),
    ]

    static func batch(_ count: Int) -> String {
        let one = #"{"audience":{"users":["a"]},"title":"x"}"#
        return #"{"notifications":["# + repeatElement(one, count: count).joined(separator: ",") + "]}"
    }

    @Test("a request that is wrong as a whole is refused, and nothing is written", arguments: refused)
    func refusesAll(_ bad: BadRequest) async throws {
        try await Harness.run { server in
            let before = try await server.contents()
            let answer = try await server.call(.post, Self.path, key: server.send, text: bad.body)
            #expect(answer.status == bad.status, "\(answer.text)")
            #expect(answer.code == bad.code.rawValue, "\(answer.text)")
            #expect(answer.field == bad.field, "\(answer.text)")
            #expect(try await server.contents() == before)
        }
    }

    @Test("500 are accepted, and an Idempotency-Key for all of them is refused")
    func limits() async throws {
        try await Harness.run { server in
            let body = Self.batch(NotificationBatchRequest.limit)
            let key = [HeaderName.idempotencyKey: "k"]
            let refused = try await server.call(.post, Self.path, key: server.send, text: body, headers: key)
            #expect(refused.status == 422)
            #expect(refused.field == HeaderName.idempotencyKey)
            let answer = try await server.call(.post, Self.path, key: server.send, text: body)
            #expect(Self.receipts(answer).count { $0["id"].stringValue != nil } == NotificationBatchRequest.limit)
            let client = try await server.call(.post, Self.path, key: server.sdk, text: body)
            #expect(client.status == 403)
            let read = try await server.call(.put, Self.path, key: server.send, text: body)
            #expect(read.status == 405 && read.headers[.allow] == "POST")
        }
    }

    @Test("beyond the backlog's bound all are refused with 503; with one that is repeated, each says so itself")
    func backlog() async throws {
        try await Harness.run(backlogLimit: 1) { server in
            _ = try await OutcomeTests.device(server, "aa", of: "a")
            _ = try await OutcomeTests.device(server, "bb", of: "a")
            let first = Self.receipts(try await Self.send(server, [Self.notification("a", key: "1")]))
            server.clock.advance(by: Backlog.longestRest)
            let refused = try await Self.send(server, [Self.notification("a"), Self.notification("b")])
            #expect(refused.status == 503)
            #expect(refused.code == "overloaded" && refused.header("Retry-After") == "10")
            let repeated = try await Self.send(server, [Self.notification("a", key: "1"), Self.notification("b")])
            #expect(repeated.status == 202)
            let receipts = Self.receipts(repeated)
            #expect(receipts[0]["id"] == first[0]["id"])
            #expect(receipts[1]["error"]["code"] == "overloaded" && receipts[1]["error"]["field"] == .null)
        }
    }
}
