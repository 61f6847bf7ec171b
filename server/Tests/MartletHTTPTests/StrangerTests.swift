import Foundation
import HTTPTypes
import HummingbirdTesting
import MartletTesting
import MartletWire
import Synchronization
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("What strangers and client keys may cost")
struct StrangerTests {
    /// What a live server answers to these bytes.
    private func answer(
        _ text: String,
        _ change: (inout APISettings) -> Void = { _ in }
    ) async throws -> RawAnswer {
        var settings = APISettings()
        change(&settings)
        let read = Box()
        try await Harness.run(isLive: true, settings: settings, hasCredential: false) { server in
            let port = UInt16(try #require(server.client.port))
            read.text = try await blocking {
                let connection = try RawConnection(port: port)
                try? connection.send(text)
                return connection.read(seconds: 10)
            }
        }
        return RawAnswer(read.text)
    }

    @Test("a path and query of more than 8,000 bytes are 414, with words", arguments: ["/", "/api/v1/apps?q="])
    func longPath(beginning: String) async throws {
        let path = beginning + String(repeating: "a/", count: 4_100) + "a"
        let answer = try await answer("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(answer.status == 414)
        #expect(answer.body.contains("uri_too_long"))
    }

    @Test("a path of 60 kB is refused before it is looked at")
    func longestPath() async throws {
        let path = "/" + String(repeating: "a/", count: 30_000) + "a"
        let answer = try await answer("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(answer.status == 431)
        #expect(answer["connection"] == "close")
    }

    @Test("header fields of 40 kB are 431, also in a connection's second request")
    func longFields() async throws {
        let request = "GET /healthz HTTP/1.1\r\nHost: a\r\n"
        let cookie = "Cookie: \(String(repeating: "a=b;", count: 10_000))\r\n\r\n"
        #expect(try await answer(request + cookie).status == 431)
        try await Harness.run(isLive: true, hasCredential: false) { server in
            let port = UInt16(try #require(server.client.port))
            let statuses = try await blocking {
                let connection = try RawConnection(port: port)
                try connection.send(request + "\r\n")
                let first = RawAnswer(connection.read(until: "}", seconds: 10))
                try? connection.send(request + cookie)
                return [first.status, RawAnswer(connection.read(seconds: 10)).status]
            }
            #expect(statuses == [200, 431])
        }
    }

    @Test("a Host that no server has is 400", arguments: ["a b", "a/b", "a@b", "a\"b", "a<b>", "a\tb"])
    func host(name: String) async throws {
        let answer = try await answer("GET /healthz HTTP/1.1\r\nHost: \(name)\r\nConnection: close\r\n\r\n")
        #expect(answer.status == 400)
    }

    @Test(
        "a Host with a port, of IPv6, or with an underscore is fine",
        arguments: ["a:80", "[::1]:8080", "a_b.example"]
    )
    func usualHost(name: String) async throws {
        let answer = try await answer("GET /healthz HTTP/1.1\r\nHost: \(name)\r\nConnection: close\r\n\r\n")
        #expect(answer.status == 200)
    }

    @Test("JSON of more than 100,000 values is refused, however few bytes it has")
    func values() throws {
        let most = Array(("[" + String(repeating: "1,", count: 99_998) + "1]").utf8)
        #expect(throws: Never.self) { try JSONReader.document(most) }
        let more = Array(("[" + String(repeating: "1,", count: 1_000_000) + "1]").utf8)
        let failure = #expect(throws: Failure.self) { try JSONReader.document(more) }
        #expect(failure?.code == .malformedRequest)
    }

    @Test(
        "a client's bytes are counted before they are parsed, also where they are refused",
        arguments: ["/td/v1/mobile/push_events", "/api/v1/tokens"]
    )
    func refusedBytes(path: String) async throws {
        var settings = APISettings()
        settings.quotas.eventBytes = Quota(perHour: 10_000)
        try await Harness.run(isLive: true, settings: settings) { server in
            let text = "{" + String(repeating: " ", count: 9_000)
            var statuses: [Int] = []
            for _ in 0..<40 { statuses.append(try await server.call(.post, path, key: server.sdk, text: text).status) }
            #expect(statuses.first == 400)
            #expect(statuses.last == 429)
            // Who has a server's key is not counted.
            #expect(try await server.call(.post, path, key: server.send, text: text).status == 400)
        }
    }

    @Test("large bodies of clients are read one at a time")
    func largeBodies() async throws {
        let (bodies, text) = (LargeBodies(), Array("[\(String(repeating: "1,", count: 50_000))1]".utf8))
        let reading = Reading()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    try await bodies.read(text.count, of: .anyone) {
                        reading.begin()
                        defer { reading.end() }
                        _ = try JSONReader.document(text)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(reading.most == 1)
    }

    /// How many read at a time, and have at most.
    private final class Reading: Sendable {
        private let state = Mutex((now: 0, most: 0))

        var most: Int { state.withLock { $0.most } }

        func begin() { state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }

        func end() { state.withLock { $0.now -= 1 } }
    }

    @Test("an address holds a quarter of the bytes of bodies, and others have the rest")
    func heldBodies() async throws {
        var settings = APISettings()
        settings.heldBodyBytes = 40_000
        try await Harness.run(isLive: true, settings: settings) { server in
            let port = UInt16(try #require(server.client.port))
            let key = server.send
            try await blocking {
                let head =
                    "POST /api/v1/notifications HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key)\r\n"
                    + "Content-Type: application/json\r\nConnection: close\r\n"
                func read(_ connection: RawConnection) -> Int { RawAnswer(connection.read(seconds: 10)).status }
                func hold() throws -> RawConnection {
                    let held = try RawConnection(port: port, from: "127.0.0.2")
                    try held.send(head + "Content-Length: 9001\r\n\r\n" + String(repeating: " ", count: 9_000))
                    return held
                }
                // As much as there is: the one that is held is waited for until the server has read it. Where the server read
                // one of the others first it was refused itself, and is sent again.
                var (held, status) = (try hold(), 0)
                for attempt in 1...300 where status != 503 {
                    if attempt.isMultiple(of: 100) { held = try hold() }
                    let more = try RawConnection(port: port, from: "127.0.0.2")
                    try? more.send(head + "Content-Length: 2000\r\n\r\n" + String(repeating: " ", count: 2_000))
                    status = read(more)
                }
                #expect(status == 503)
                let other = try RawConnection(port: port, from: "127.0.0.3")
                try other.send(head + "Content-Length: 2000\r\n\r\n" + String(repeating: " ", count: 2_000))
                #expect(read(other) == 400)
                // What was held is given back with the answer.
                try held.send("x")
                #expect(read(held) == 400)
                let again = try RawConnection(port: port, from: "127.0.0.2")
                try again.send(head + "Content-Length: 2000\r\n\r\n" + String(repeating: " ", count: 2_000))
                #expect(read(again) == 400)
            }
        }
    }

    @Test("U+0000 in one device of many refuses that one", arguments: ["token", "user_id", "device_model"])
    func nullInOnePart(field: String) async throws {
        try await Harness.run { server in
            var bad: [String: JSONValue] = ["token": "bb", "user_id": "bob"]
            bad[field] = "a\u{0}b"
            let body: JSONValue = ["devices": [["token": "aa", "user_id": "ann"], .object(bad)]]
            let answer = try await server.call(.post, DeviceBatchTests.path, key: server.send, body)
            #expect(answer.status == 200, "\(answer.text)")
            let receipts = answer.data["receipts"].elements
            #expect(receipts.map { $0["status"] } == ["registered", "refused"])
            #expect(receipts.last?["error"]["field"].stringValue == "devices[1].\(field)")
        }
    }

    @Test("U+0000 in one user's preferences refuses that one; in the request's own field, the request")
    func nullInPreferences() async throws {
        try await Harness.run { server in
            try await server.category("follow")
            let change: JSONValue = ["follow": ["push": false]]
            let users: JSONValue = [
                ["user_id": "ann", "categories": change], ["user_id": "b\u{0}b", "categories": change],
            ]
            let path = "/api/v1/preferences/batch"
            let answer = try await server.call(.post, path, key: server.send, ["users": users])
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.data["receipts"].elements.map { $0["error"]["code"] } == [.null, "invalid_value"])
            let whole = try await server.call(.post, path, key: server.send, ["app": "a\u{0}", "users": users])
            #expect((400..<500).contains(whole.status), "\(whole.text)")
        }
    }

    @Test("a user changes preferences sixty times at once, then once a second; what changes nothing has no history")
    func preferences() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            try await server.category("follow")
            var refused: Answer?
            var taken = 0
            for number in 0..<2_000 where refused == nil {
                // The same four times, and then the other.
                let body: JSONValue = ["categories": ["follow": ["push": .bool(number / 4 % 2 == 0)]]]
                let answer = try await server.call(.patch, "/api/v1/preferences", key: server.userToken("ann"), body)
                if answer.status == 200 { taken += 1 } else { refused = answer }
            }
            #expect(refused?.status == 429 && refused?.code == "too_many_requests")
            #expect(refused?.headers[.retryAfter] != nil)
            #expect(taken >= 60)
            let path = "/api/v1/users/ann/preferences/history"
            let history = try await server.call(.get, path, key: server.send)
            #expect(history.items.count == (taken + 3) / 4, "\(history.text.prefix(300))")
            // Another user has their own, and so has a server's key.
            let body: JSONValue = ["master": ["enabled": false]]
            let other = try await server.call(.patch, "/api/v1/preferences", key: server.userToken("bob"), body)
            #expect(other.status == 200, "\(other.text)")
        }
    }

    @Test("a user switches devices no more often than they change preferences")
    func switches() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            let ann = server.userToken("ann")
            let device: JSONValue = ["token": .string(String(repeating: "a", count: 64))]
            let made = try await server.call(.post, DeviceTests.path, key: ann, device)
            let path = "\(DeviceTests.path)/\(try #require(made.data["id"].stringValue))"
            var refused: Answer?
            for number in 0..<2_000 where refused == nil {
                let body: JSONValue = ["is_active": .bool(number % 2 == 0)]
                let answer = try await server.call(.patch, path, key: ann, body)
                if answer.status != 200 { refused = answer }
            }
            #expect(refused?.status == 429 && refused?.code == "too_many_requests")
            #expect(refused?.headers[.retryAfter] != nil)
            // A server's key has no quota.
            #expect(try await server.call(.patch, path, key: server.send, ["is_active": true]).status == 200)
        }
    }

    @Test("the doctor says what 'asserted' means, and of 'signed' nothing")
    func asserted() async throws {
        try await Harness.run(hasCredential: false) { server in
            func said() async throws -> Bool {
                try await server.call(.get, "/api/v1/doctor", key: server.admin).text.contains(
                    "'asserted': whoever has"
                )
            }
            #expect(try await said())
            try await server.setIdentity("signed")
            #expect(try await !said())
        }
    }

    @Test("a stream gives way to a connection where all others are answered, the oldest first")
    func streamsGiveWay() {
        var limits = ConnectionLimits()
        limits.connections = 3
        let table = ConnectionTable(limits: limits)
        let closed = Box()
        func entry(_ name: String) -> ConnectionTable.Entry {
            ConnectionTable.Entry(address: name, now: 1) { closed.text += name }
        }
        let entries = ["a", "b", "c"].map(entry)
        for (number, entry) in entries.enumerated() {
            #expect(table.admit(entry))
            entry.wait(since: 0)
            if number > 0 { entry.stream(since: UInt64(10 - number)) }
        }
        #expect(table.admit(entry("d")))
        #expect(closed.text == "c")
        let busy = entry("e")
        #expect(table.admit(busy))
        // The newest of all is waited for, and goes before any stream.
        #expect(closed.text == "cd")
    }
}

/// A text that closures write into, one after the other.
private final class Box: @unchecked Sendable {  // used by one task at a time
    var text = ""
}
