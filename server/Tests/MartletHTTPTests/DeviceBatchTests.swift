import HTTPTypes
import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Several devices in one request")
struct DeviceBatchTests {
    static let path = "/api/v1/devices/batch"

    private static func device(_ token: String, _ user: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
        .object(["token": .string(token), "user_id": .string(user)].merging(more) { $1 })
    }

    private static func receipts(_ answer: Answer) -> [JSONValue] {
        if case .array(let receipts) = answer.data["receipts"] { receipts } else { [] }
    }

    @Test("are registered or updated, with receipts by position")
    func registers() async throws {
        try await Harness.run { server in
            let known = try await server.call(.post, DeviceTests.path, key: server.send, Self.device("bb", "ann"))
            let more: [String: JSONValue] = ["platform": "ios", "environment": "sandbox", "locale": "ja-JP"]
            let body: JSONValue = ["devices": [Self.device("AA", "ann", more), Self.device("bb", "bob")]]
            let answer = try await server.call(.post, Self.path, key: server.send, body)
            #expect(answer.status == 200, "\(answer.text)")
            let receipts = Self.receipts(answer)
            #expect(receipts.map { $0["status"] } == ["registered", "updated"])
            #expect(receipts.last?["id"] == known.data["id"])
            let listed = try await server.call(.get, DeviceTests.path, key: server.send).items
            #expect(listed.map { $0["device_token"] } == ["bb", "aa"])
            #expect(listed.map { $0["user_id"] } == ["bob", "ann"])
            #expect(listed.last?["environment"] == "sandbox")
            #expect(listed.last?["locale"] == "ja-JP")
        }
    }

    @Test("one that is wrong is refused with its position and field, and the others are registered")
    func refusesByPosition() async throws {
        try await Harness.run { server in
            let cases: [(device: JSONValue, code: String, field: String)] = [
                (Self.device("zz", "ann"), "invalid_value", "token"),
                (["token": "aa"], "malformed_request", "user_id"),
                (["user_id": "ann"], "malformed_request", "token"),
                (Self.device("aa", ""), "invalid_value", "user_id"),
                (Self.device("aa", "ann", ["previous_token": "xyz"]), "invalid_value", "previous_token"),
                (Self.device("aa", "ann", ["environment": "test"]), "invalid_value", "environment"),
                (Self.device("aa", "ann", ["tokn": "x"]), "unknown_field", "tokn"),
                (Self.device("aa", "ann", ["app": "com.example.other"]), "not_found", "app"),
                (7, "malformed_request", ""),
            ]
            let devices = [Self.device("01", "a")] + cases.map(\.device) + [Self.device("02", "b")]
            let answer = try await server.call(.post, Self.path, key: server.send, ["devices": .array(devices)])
            let receipts = Self.receipts(answer)
            try #require(receipts.count == devices.count, "\(answer.text)")
            for (index, one) in cases.enumerated() {
                let receipt = receipts[index + 1]
                let field = "devices[\(index + 1)]" + (one.field.isEmpty ? "" : ".\(one.field)")
                #expect(receipt["status"] == "refused")
                #expect(receipt["error"]["code"].stringValue == one.code, "\(receipt)")
                #expect(receipt["error"]["field"].stringValue == field, "\(receipt)")
                #expect(receipt["id"] == .null)
            }
            #expect([receipts.first, receipts.last].map { $0?["status"] } == ["registered", "registered"])
            let listed = try await server.call(.get, DeviceTests.path, key: server.send).items
            #expect(listed.map { $0["device_token"] } == ["01", "02"])
        }
    }

    @Test("of two with one token the later one wins")
    func laterOneWins() async throws {
        try await Harness.run { server in
            let body: JSONValue = ["devices": [Self.device("aa", "ann"), Self.device("AA", "bob")]]
            let receipts = Self.receipts(try await server.call(.post, Self.path, key: server.send, body))
            #expect(receipts.map { $0["status"] } == ["registered", "updated"])
            #expect(receipts.first?["id"] == receipts.last?["id"])
            let listed = try await server.call(.get, DeviceTests.path, key: server.send).items
            #expect(listed.map { $0["user_id"] } == ["bob"])
        }
    }

    @Test("a key of no app names one in each device")
    func namesApps() async throws {
        try await Harness.run { server in
            let other = try await server.store.createApp(name: "com.example.other", identity: Identity())
            let apps = ["com.example.app", "com.example.other", other.id.description]
            let named = apps.enumerated().map { Self.device("0\($0)", "ann", ["app": .string($1)]) }
            let body: JSONValue = ["devices": .array(named + [Self.device("03", "ann")])]
            let answer = try await server.call(.post, Self.path, key: server.admin, body)
            let receipts = Self.receipts(answer)
            #expect(receipts.map { $0["status"] } == ["registered", "registered", "registered", "refused"])
            #expect(receipts.last?["error"]["field"] == "devices[3].app")
            let page = PageRequest()
            #expect(try await server.store.endpoints(server.app.row, user: "ann", page).items.count == 1)
            #expect(try await server.store.endpoints(other.row, user: "ann", page).items.count == 2)
        }
    }

    @Test("a thousand are one request; none, more, too many bytes and what is no list are refused whole")
    func limits() async throws {
        try await Harness.run { server in
            let devices = (0...DeviceBatchRequest.limit).map { number -> JSONValue in
                let digits = String(number, radix: 16)
                return Self.device(String(repeating: "0", count: 64 - digits.count) + digits, "user\(number)")
            }
            for (text, status, field) in [
                (#"{"devices":[]}"#, 422, "devices"), (#"{"devices":{}}"#, 400, "devices"), ("{}", 400, "devices"),
                (#"{"devices":[],"app":"x"}"#, 400, "app"), ("[]", 400, nil), ("{", 400, nil),
                ("\"" + String(repeating: "a", count: 1 << 20) + "\"", 413, nil),
            ] {
                let answer = try await server.call(.post, Self.path, key: server.send, text: text)
                #expect(answer.status == status && answer.field == field, "\(text.prefix(40)): \(answer.text)")
            }
            let more = try await server.call(.post, Self.path, key: server.send, ["devices": .array(devices)])
            #expect(more.status == 422 && more.field == "devices", "\(more.text)")
            #expect(try await server.contents()["endpoints"] == 0)
            let most: JSONValue = ["devices": .array(Array(devices.dropLast()))]
            let answer = try await server.call(.post, Self.path, key: server.send, most)
            #expect(Self.receipts(answer).count == DeviceBatchRequest.limit, "\(answer.text)")
            #expect(try await server.contents()["endpoints"] == DeviceBatchRequest.limit)
        }
    }

    @Test("are for server keys: a client key and a user token are refused")
    func refusesClients() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            let body: JSONValue = ["devices": [Self.device("aa", "ann")]]
            for (key, status) in [(server.sdk, 403), (server.userToken("ann"), 403)] {
                #expect(try await server.call(.post, Self.path, key: key, body).status == status)
            }
            #expect(try await server.call(.post, Self.path, body).status == 401)
            #expect(try await server.contents()["endpoints"] == 0)
        }
    }
}
