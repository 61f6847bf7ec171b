import Foundation
import HTTPTypes
import MartletCore
import MartletHTTP
import MartletSQLite
import MartletStore
import MartletTesting
import MartletWire
import Testing

@Suite("POST /api/v1/events")
struct EventUploadTests {
    @Test("what the SDK's own types encode is kept whole, and a repeated event once")
    func whole() async throws {
        try await EventScene.run { scene in
            let id = PublicID(high: 7, low: 7)
            var event = EventRequest(
                eventID: id,
                type: .linkOpen,
                time: UTCTime(milliseconds: EventScene.now.rawValue - 5_000),
                messageID: "m",
                installationID: scene.phone
            )
            event.campaignID = "c"
            event.value = "https://example.com"
            event.userID = "ann"
            let body = Array(try JSONEncoder().encode(EventsRequest(events: [event, event])))
            let headers = [HeaderName.installationSecret: scene.secret]
            for _ in 0..<2 {
                let answer = try await scene.call(.post, "/api/v1/events", bytes: body, headers: headers)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.receipts == [["success": true], ["success": true]])
            }
            let kept = try await scene.kept()
            #expect(kept.count == 1)
            #expect(kept.first?.draft.campaignID == "c")
            #expect(kept.first?.draft.user == "ann")
            #expect(kept.first?.time.time == EventScene.now - .seconds(5))
        }
    }

    @Test("receipts are by position: each bad event has its reason, and the good ones are kept")
    func receipts() async throws {
        try await EventScene.run { scene in
            let stranger = "01890a5d-ac96-774b-bcce-b302099a8058"
            let answer = try await scene.upload([
                scene.event(), 1, scene.event(["type": "explode"]), scene.event(["user_id": 5]), scene.event(),
                scene.event(["installation_id": .string(stranger)]), scene.event(["brand_new": 1]),
            ])
            #expect(answer.status == 200)
            #expect(
                answer.receipts.map { $0.objectValue?["success"] } == [true, false, false, false, true, false, true]
            )
            let names = answer.receipts.map { $0.objectValue?["error"]?.objectValue?["name"]?.stringValue }
            let bad = "InvalidPropertyValueError"
            #expect(names == [nil, bad, bad, bad, nil, "ForeignInstallationError", nil])
            let kept = try await scene.kept()
            #expect(kept.count == 3)
        }
    }

    @Test("without the installation's secret nothing is taken")
    func proof() async throws {
        try await EventScene.run { scene in
            for secret in ["", "mi_wrong", scene.sdk] {
                let answer = try await scene.upload([scene.event()], secret: secret)
                #expect(answer.status == 401)
                #expect(answer.code == "installation_secret_required")
            }
            let none = try await scene.call(.post, "/api/v1/events", ["events": [scene.event()]])
            #expect(none.code == "installation_secret_required")
            let other = try await scene.store.createApp(name: "other", identity: Identity())
            let key = try await EventScene.key(.client, app: other.row, in: scene.store)
            let foreign = try await scene.upload([scene.event()], headers: ["Authorization": "Bearer \(key)"])
            #expect(foreign.status == 401)
            let kept = try await scene.kept()
            #expect(kept.isEmpty)
        }
    }

    @Test("one request has 1 to 500 events")
    func sizes() async throws {
        try await EventScene.run { scene in
            let most = try await scene.upload((0..<500).map { _ in scene.event() })
            #expect(most.receipts.count == 500)
            for count in [0, 501] {
                let answer = try await scene.upload((0..<count).map { _ in scene.event() })
                #expect(answer.status == 422)
                #expect(answer["error", "field"] == "events")
            }
            for body in ["{}", "[]", "", "{\"events\":{}}", "{", "null"] {
                let headers = [HeaderName.installationSecret: scene.secret]
                let answer = try await scene.call(.post, "/api/v1/events", bytes: Array(body.utf8), headers: headers)
                #expect(answer.status == 400, "\(body)")
            }
        }
    }

    @Test("a compressed body is taken as gzip and as deflate, and refused where it is not", arguments: [31, 15])
    func compression(window: Int32) async throws {
        try await EventScene.run { scene in
            let body = Array(try JSONValue.object(["events": [scene.event()]]).json())
            let packed = try compressed(body, window: window)
            var headers = [HeaderName.installationSecret: scene.secret]
            headers["Content-Encoding"] = window == 31 ? "gzip" : "deflate"
            let answer = try await scene.call(.post, "/api/v1/events", bytes: packed, headers: headers)
            #expect(answer.receipts == [["success": true]], "\(answer.text)")
            for broken in [Array(packed.dropLast(4)), packed + [0], body, [], [0x1F, 0x8B]] {
                let refused = try await scene.call(.post, "/api/v1/events", bytes: broken, headers: headers)
                #expect(refused.status == 400, "\(refused.text)")
            }
            headers["Content-Encoding"] = "br"
            let unknown = try await scene.call(.post, "/api/v1/events", bytes: packed, headers: headers)
            #expect(unknown.status == 415)
        }
    }

    @Test("a body that is small and inflates beyond the limit is refused")
    func bomb() async throws {
        try await EventScene.run { scene in
            let packed = try compressed([UInt8](repeating: 0x20, count: 50 << 20))
            #expect(packed.count < 100_000)
            let headers = [HeaderName.installationSecret: scene.secret, "Content-Encoding": "gzip"]
            let answer = try await scene.call(.post, "/api/v1/events", bytes: packed, headers: headers)
            #expect(answer.status == 413)
            #expect(answer.code == "body_too_large")
            let plain = try await scene.call(
                .post,
                "/api/v1/events",
                bytes: [UInt8](repeating: 0x20, count: (5 << 20) + 1),
                headers: [HeaderName.installationSecret: scene.secret]
            )
            #expect(plain.status == 413)
        }
    }

    @Test("a character that is none spoils its own event and not the batch")
    func characters() async throws {
        try await EventScene.run { scene in
            let fields = [
                #""user_id":"ann""#, #""user_id":"a\u0000b""#, #""user_id":"ben","unknown":"\u0000\ud83d""#,
                #""user_id":"a\ud83d""#,
                #""user_id":"\ude00\ud83d\ude00\ud83dx""#, #""user_id":"\ud83d\u0041""#,
            ]
            let events = try fields.map { field in
                let event = String(decoding: try scene.event().json(), as: UTF8.self)
                return "{\(field),\(event.dropFirst())"
            }
            let body = #"{"events":[\#(events.joined(separator: ","))]}"#
            let headers = [HeaderName.installationSecret: scene.secret]
            let answer = try await scene.call(.post, "/api/v1/events", bytes: Array(body.utf8), headers: headers)
            let successes = answer.receipts.map { $0.objectValue?["success"] }
            #expect(successes == [true, false, true, true, true, true], "\(answer.text)")
            let users = try await scene.kept().map(\.draft.user)
            #expect(users == ["ann", "ben", "a\u{FFFD}", "\u{FFFD}😀\u{FFFD}x", "\u{FFFD}A"])
        }
    }

    @Test("beyond the limit of uploads under way the answer is 503; lists still pass")
    func uploadsUnderWay() async throws {
        var settings = APISettings()
        settings.eventUploadLimit = 0
        try await EventScene.run(settings: settings) { scene in
            for path in ["/api/v1/events", TreasureDataTests.path] {
                let answer = try await scene.call(.post, path, ["events": [scene.event()]])
                #expect(answer.status == 503 && answer.code == "overloaded", "\(path)")
            }
            let listed = try await scene.call(.get, "/api/v1/events", key: scene.admin)
            #expect(listed.status == 200)
        }
    }

    @Test("events before a login are the user's after it, and a notification's counts are in its answer")
    func association() async throws {
        try await EventScene.run { scene in
            let queue = DeliveryQueue(app: scene.app.row, platform: .apns, environment: .production)
            let summary = CredentialSummary(kind: .token, topic: "t", keyID: "K", teamID: "T", expiresAt: nil)
            _ = try await scene.store.storeCredential(
                queue,
                StoredCredentialDraft(summary: summary, sealed: [1], url: nil, trust: nil)
            )
            let audience: JSONValue = ["all": true]
            let sent = try await scene.call(
                .post,
                "/api/v1/notifications",
                ["app": "com.example.app", "audience": audience, "title": "t"],
                key: scene.admin
            )
            let id = try #require(sent["data", "id"].stringValue, "\(sent.text)")
            let types: [JSONValue] = ["delivery", "open", "link_open", "delivery", "dismiss", "deeplink_open"]
            let events = types.map { scene.event(["type": $0, "message_id": .string(id), "value": "https://a.b"]) }
            _ = try await scene.upload(events)
            let shown = try await scene.call(.get, "/api/v1/notifications/\(id)", key: scene.admin)
            let counts: JSONValue = ["deliveries": 2, "opens": 1, "dismissals": 1, "links": 1, "deeplinks": 1]
            #expect(shown["data", "events"] == counts)
            let secret = [HeaderName.installationSecret: scene.secret]
            _ = try await scene.call(.post, "/api/v1/tokens", scene.registration(user: "ann"), headers: secret)
            let sql: JSONValue = ["sql": "SELECT DISTINCT user_id FROM mobile.push_events"]
            let users = try await scene.call(.post, "/api/v1/events/query", sql, key: scene.admin)
            #expect(users["data", "rows"] == [["ann"]], "\(users.text)")
            let refused = try await scene.call(.post, "/api/v1/events/query", sql)
            #expect(refused.status == 403)
            let path = "/api/v1/events?app=com.example.app&type=delivery&newest=1"
            let listed = try await scene.call(.get, path, key: scene.admin)
            var items: [JSONValue] = []
            if case .array(let found) = listed["data"] { items = found }
            #expect(items.count == 1)
            #expect(items.first?.objectValue?["user_id"] == "ann")
            let both = try await scene.call(.get, path + "&after=0", key: scene.admin)
            #expect(both.status == 422 && both["error", "field"] == "newest", "\(both.text)")
        }
    }
}

@Suite("Treasure Data's postback format")
struct TreasureDataPostbackTests {
    static let path = "/postback/v3/event/mobile/push_events"

    static func send(
        _ scene: EventScene,
        _ record: JSONValue,
        key: String? = nil,
        path: String = path
    ) async throws -> EventScene.Answer {
        // The harness's own key stands in Authorization, which does not count here.
        let headers = [HeaderName.treasureDataKey: key ?? scene.sdk, "Content-Type": "application/json"]
        return try await scene.call(.post, path, record, headers: headers)
    }

    @Test("one record is kept, with its time")
    func record() async throws {
        try await EventScene.run { scene in
            let answer = try await Self.send(
                scene,
                [
                    "td_record_time": 1_799_999_000, "type": "open", "platform": "ios", "td_campaign_id": "cmp",
                    "message_id": "m", "other": 1,
                ]
            )
            #expect(answer.status == 200, "\(answer.text)")
            let kept = try await scene.kept()
            #expect(kept.map(\.draft.campaignID) == ["cmp"])
            #expect(kept.first?.draft.clientTime == Timestamp(milliseconds: 1_799_999_000_000))
        }
    }

    @Test("a record that is none, a name that is none, a wrong key and 1,048,065 bytes are refused")
    func refusals() async throws {
        try await EventScene.run { scene in
            let record: JSONValue = ["type": "open", "platform": "ios"]
            for wrong in [["type": "explode", "platform": "ios"], [record], 1] as [JSONValue] {
                let answer = try await Self.send(scene, wrong)
                #expect(answer.status == 422, "\(answer.text)")
            }
            let table = try await Self.send(scene, record, path: "/postback/v3/event/mobile/a-b")
            #expect(table.status == 422)
            let key = try await Self.send(scene, record, key: "mk_client_wrong")
            #expect(key.status == 401 && key["error", "field"] == .string(HeaderName.treasureDataKey), "\(key.text)")
            let note = JSONValue.string(String(repeating: "x", count: 1_048_064))
            let large = try await Self.send(scene, ["type": "open", "platform": "ios", "note": note])
            #expect(large.status == 413)
            let kept = try await scene.kept()
            #expect(kept.isEmpty)
        }
    }
}

@Suite("Treasure Data's ingest format")
struct TreasureDataTests {
    static let path = "/td/v1/mobile/push_events"
    static let type = "application/vnd.treasuredata.v1+json"

    static func send(_ scene: EventScene, compressed body: [UInt8]) async throws -> EventScene.Answer {
        let headers = ["Authorization": "TD1 \(scene.sdk)", "Content-Type": type, "Content-Encoding": "gzip"]
        return try await scene.call(.post, path, bytes: try compressed(body), headers: headers)
    }

    static func send(_ scene: EventScene, _ records: [JSONValue], path: String = path) async throws -> EventScene.Answer
    {
        let headers = ["Authorization": "TD1 \(scene.sdk)", "Content-Type": type, "Accept": type]
        return try await scene.call(.post, path, ["events": .array(records)], headers: headers)
    }

    @Test("records are kept, and one of the same uuid once within an hour")
    func records() async throws {
        try await EventScene.run { scene in
            let record: JSONValue = [
                "uuid": "u1", "time": 1_799_999_000, "type": "open", "platform": "ios", "td_campaign_id": "cmp",
                "message_id": "m", "other": 1,
            ]
            for _ in 0..<2 {
                let answer = try await Self.send(scene, [record, ["uuid": "u2", "type": "open"]])
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.type == Self.type)
                #expect(answer.receipts.first == ["success": true])
                let error = answer.receipts.last?.objectValue?["error"]?.objectValue
                #expect(error?["name"] == "InvalidPropertyValueError")
                #expect(error?["description"]?.stringValue?.hasPrefix("platform") == true)
            }
            let kept = try await scene.kept()
            #expect(kept.map(\.draft.campaignID) == ["cmp"])
            scene.clock.advance(by: .seconds(3_600))
            _ = try await Self.send(scene, [record])
            let later = try await scene.kept()
            #expect(later.count == 2)
        }
    }

    @Test("a record has 1 MiB as compact JSON; a longer one is refused by itself, compressed or not")
    func sizes() async throws {
        try await EventScene.run { scene in
            let bare = try JSONValue.object(["type": "open", "platform": "ios", "note": ""]).json().count
            func record(_ size: Int) -> JSONValue {
                let note = String(repeating: "x", count: size - bare)
                return ["type": "open", "platform": "ios", "note": .string(note)]
            }
            let records = [record(1 << 20), record((1 << 20) + 1), record(3 << 19), record(100)]
            let plain = try await Self.send(scene, records)
            let body = Array(try JSONValue.object(["events": .array(records)]).json())
            let packed = try await Self.send(scene, compressed: body)
            for answer in [plain, packed] {
                #expect(answer.status == 200)
                let successes = answer.receipts.map { $0.objectValue?["success"] }
                #expect(successes == [true, false, false, true])
                let error = answer.receipts[1].objectValue?["error"]?.objectValue
                #expect(error?["name"] == "InvalidPropertyValueError")
                #expect(error?["description"]?.stringValue?.contains("1048576 bytes") == true)
            }
            // The SDK's format has the same bound, whatever the fields are that nobody knows.
            let event = try await scene.upload([scene.event(["note": .string(String(repeating: "x", count: 1 << 20))])])
            #expect(event.receipts.first?.objectValue?["success"] == false)
        }
    }

    @Test("one request has 1 to 500 records and 5 MiB, before and after it is inflated")
    func limits() async throws {
        try await EventScene.run { scene in
            for count in [0, 501] {
                let records = [JSONValue](repeating: ["type": "open", "platform": "ios"], count: count)
                let body = Array(try JSONValue.object(["events": .array(records)]).json())
                for answer in [try await Self.send(scene, records), try await Self.send(scene, compressed: body)] {
                    #expect(answer.status == 422, "\(count)")
                }
            }
            let note = JSONValue.string(String(repeating: "x", count: 900_000))
            let records = [JSONValue](repeating: ["type": "open", "platform": "ios", "note": note], count: 6)
            let body = Array(try JSONValue.object(["events": .array(records)]).json())
            for answer in [try await Self.send(scene, records), try await Self.send(scene, compressed: body)] {
                #expect(answer.status == 413)
            }
            let kept = try await scene.kept()
            #expect(kept.isEmpty)
        }
    }

    @Test("names that are none are refused record by record, and a key that is none at once")
    func refusals() async throws {
        try await EventScene.run { scene in
            let record: JSONValue = ["type": "open", "platform": "ios", "a-b": 1]
            let named = try await Self.send(scene, [record])
            let name = named.receipts.first?.objectValue?["error"]?.objectValue?["name"]
            #expect(name == "InvalidPropertyNameError")
            let table = try await Self.send(scene, [["type": "open", "platform": "ios"]], path: "/td/v1/mobile/a-b")
            let collection = table.receipts.first?.objectValue?["error"]?.objectValue?["name"]
            #expect(collection == "InvalidCollectionNameError")
            for scheme in ["TD1 mk_client_wrong", "TD1 x", "TD2 \(scene.sdk)", "TD1"] {
                let answer = try await scene.call(
                    .post,
                    Self.path,
                    ["events": [record]],
                    headers: ["Authorization": scheme, "Content-Type": Self.type]
                )
                #expect(answer.status == 401)
            }
            let elsewhere = try await scene.upload([scene.event()], headers: ["Authorization": "TD1 \(scene.sdk)"])
            #expect(elsewhere.status == 401)
            let kept = try await scene.kept()
            #expect(kept.isEmpty)
        }
    }
}
