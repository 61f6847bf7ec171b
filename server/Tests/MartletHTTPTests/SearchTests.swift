import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Searches over REST")
struct SearchTests {
    @Test("notifications are found by a text, and listed since a moment")
    func notifications() async throws {
        try await Harness.run { server in
            for title in ["Line 4 is late", "Hello", "LINE 4 again"] {
                server.clock.advance(by: .seconds(1))
                try await server.item(for: "a", title)
            }
            let path = "/api/v1/notifications"
            let found = try await server.call(.get, path + "?search=line%204", key: server.send)
            #expect(found.items.map { $0["title"] } == ["LINE 4 again", "Line 4 is late"], "\(found.text)")
            let first = try await server.call(.get, path + "?search=line&limit=1", key: server.send)
            let next = try #require(first.json["next"].stringValue)
            let second = try await server.call(.get, path + "?search=line&limit=1&cursor=\(next)", key: server.send)
            #expect(second.items.map { $0["title"] } == ["Line 4 is late"])
            let since = UTCTime(server.clock.now() - .seconds(1)).description
            let newest = try await server.call(.get, path + "?since=\(since)", key: server.send)
            #expect(newest.items.map { $0["title"] } == ["LINE 4 again", "Hello"])
            let until = path + "?until=\(UTCTime(server.clock.now()))"
            let before = try await server.call(.get, until, key: server.send)
            #expect(before.items.map { $0["title"] } == ["Hello", "Line 4 is late"], "\(before.text)")
            let between = try await server.call(.get, until + "&since=\(since)", key: server.send)
            #expect(between.items.map { $0["title"] } == ["Hello"])
            let part = try await server.call(.get, until + "&limit=1", key: server.send)
            let after = try #require(part.json["next"].stringValue)
            let rest = try await server.call(.get, until + "&cursor=\(after)", key: server.send)
            #expect(rest.items.map { $0["title"] } == ["Line 4 is late"], "\(rest.text)")
            let bad = [
                ("?search=", "search"), ("?search=" + String(repeating: "a", count: 257), "search"),
                ("?since=today", "since"), ("?until=today", "until"), ("?search=a&status=lost", "status"),
            ]
            for (query, field) in bad {
                let answer = try await server.call(.get, path + query, key: server.send)
                #expect(answer.status == 422 && answer.field == field, "\(query): \(answer.text)")
            }
        }
    }

    @Test("people are found by id, token and installation, and only those of the key's app")
    func people() async throws {
        try await Harness.run { server in
            let token = String(repeating: "ab", count: 32)
            try await server.device(of: "ann", token: token)
            try await server.device(of: "anna", token: String(repeating: "cd", count: 32))
            let path = "/api/v1/people/search?q="
            let users = try await server.call(.get, path + "ann", key: server.send)
            #expect(users.items.map { $0["user_id"] } == ["ann", "anna"], "\(users.text)")
            #expect(users.items.map { $0["matched"] } == ["user_id", "user_id"])
            #expect(users.items.first?["app_id"] == .string(server.app.id.description))
            let devices = try await server.call(.get, path + token.uppercased(), key: server.admin)
            #expect(devices.items.map { $0["user_id"] } == ["ann"], "\(devices.text)")
            #expect(devices.items.map { $0["matched"] } == ["token"])
            #expect(!devices.text.contains(token))
            let other = try await server.store.createApp(name: "com.example.other", identity: Identity())
            let key = try await Harness.key(.send, app: other.row, in: server.store)
            for text in ["ann", token] {
                #expect(try await server.call(.get, path + text, key: key).items.isEmpty)
            }
            let foreign = try await server.call(.get, path + "ann&app=com.example.app", key: key)
            #expect(foreign.status == 404 && foreign.field == "app", "\(foreign.text)")
            #expect(!server.logs.text.contains { $0.contains(token) })
        }
    }

    @Test("without a text the first people are listed, and only those of the key's app")
    func firstPeople() async throws {
        try await Harness.run { server in
            for (user, token) in [("bo", "ab"), ("ann", "cd")] {
                try await server.device(of: user, token: String(repeating: token, count: 32))
            }
            for query in ["", "?q=", "?app=com.example.app"] {
                let found = try await server.call(.get, "/api/v1/people/search" + query, key: server.send)
                #expect(found.items.map { $0["user_id"] } == ["ann", "bo"], "\(query): \(found.text)")
            }
            let other = try await server.store.createApp(name: "com.example.other", identity: Identity())
            let key = try await Harness.key(.send, app: other.row, in: server.store)
            #expect(try await server.call(.get, "/api/v1/people/search", key: key).items.isEmpty)
        }
    }

    @Test("what is no search names its field")
    func refusals() async throws {
        try await Harness.run { server in
            let path = "/api/v1/people/search"
            for query in ["?q=%00", "?q=a%0Ab", "?q=" + String(repeating: "a", count: 4_097)] {
                let answer = try await server.call(.get, path + query, key: server.send)
                #expect(answer.status == 422 && answer.field == "q", "\(query): \(answer.text)")
            }
            #expect(try await server.call(.get, path + "?q=a", key: server.sdk).status == 403)
            #expect(try await server.call(.get, path + "?q=a").status == 401)
        }
    }
}
