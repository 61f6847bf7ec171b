import Foundation
import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

@Suite("Payload")
struct PayloadTests {
    private var id: JSONValue { .string("01890a5d-ac96-774b-bcce-b302099a8057") }

    @Test("content becomes aps, deep link, image, data and message id")
    func wholeContent() throws {
        let content = Content(
            title: "T",
            subtitle: "S",
            body: "B",
            image: "https://example.com/i.png",
            deepLink: "app://42",
            badge: 3,
            sound: "ping.caf",
            actionCategory: "C",
            threadID: "th",
            data: ["n": 1, "o": ["p": [true, .null]]]
        )

        let payload = try Rendering.payload(content)

        #expect(
            payload == [
                "aps": [
                    "alert": ["title": "T", "subtitle": "S", "body": "B"], "badge": 3, "sound": "ping.caf",
                    "category": "C", "thread-id": "th", "mutable-content": 1,
                ],
                "deep_link": "app://42", "image_url": "https://example.com/i.png", "n": 1, "o": ["p": [true, .null]],
                "message_id": id,
            ]
        )
    }

    @Test("the same submission gives the same bytes")
    func sameBytes() throws {
        let data = Dictionary(uniqueKeysWithValues: (0..<40).map { ("key\($0)", JSONValue.integer(Int64($0))) })
        let submission = Rendering.submission(Content(title: "T", data: data))
        #expect(try Rendering.message(submission) == Rendering.message(submission))
    }

    @Test("the dashboard refresh of seed S1 is rendered from plain content")
    func dashboardRefresh() throws {
        let content = Content(
            title: "データ更新完了",
            body: "新しい分析結果が利用可能です",
            badge: 1,
            sound: "default",
            data: ["device_id": "1cf67321", "date": "2025-10-13", "action": "refresh_dashboard"]
        )

        let payload = try Rendering.payload(content)

        #expect(
            payload == [
                "aps": [
                    "alert": ["title": "データ更新完了", "body": "新しい分析結果が利用可能です"], "sound": "default", "badge": 1,
                    "mutable-content": 1,
                ],
                "device_id": "1cf67321", "date": "2025-10-13", "action": "refresh_dashboard", "message_id": id,
            ]
        )
    }

    @Test("the transit alert of seed S5 is rendered from plain content")
    func transitAlert() throws {
        let content = Content(
            title: "Service Alert",
            body: "Buses replace trains",
            deepLink: "sydneytransit://alerts/a1",
            badge: 1,
            sound: "default",
            data: ["alert_id": "a1"]
        )

        let message = try Rendering.message(Rendering.submission(content, dedup: Dedup(key: "a1")))

        #expect(message.headers["apns-collapse-id"] == "a1")
        #expect(
            try JSONValue(json: Data(message.payload.bytes)) == [
                "aps": [
                    "alert": ["title": "Service Alert", "body": "Buses replace trains"], "badge": 1, "sound": "default",
                    "mutable-content": 1,
                ],
                "alert_id": "a1", "deep_link": "sydneytransit://alerts/a1", "message_id": id,
            ]
        )
    }

    @Test("the service extension may see every alert that is rendered, and nothing else")
    func mutableAlerts() throws {
        func mutable(_ content: Content, _ type: String? = nil) throws -> JSONValue? {
            try Rendering.payload(content, pushType: type).objectValue?["aps"]?.objectValue?["mutable-content"]
        }
        let activity: JSONValue = [
            "event": "update", "timestamp": 1, "content-state": [:], "alert": ["title": "T", "body": "B"],
        ]
        #expect(try mutable(Content(title: "T")) == 1)
        #expect(try mutable(Content(body: "B"), "alert") == 1)
        #expect(try mutable(Content(overrides: [.apns: ["aps": ["alert": ["loc-key": "K"]]]])) == 1)
        // Without an alert the system never runs the extension.
        #expect(try mutable(Content(badge: 3)) == nil)
        #expect(try mutable(Content(image: "https://example.com/i.png", sound: "default")) == nil)
        #expect(try mutable(Content(title: "T", overrides: [.apns: ["aps": ["alert": .null, "badge": 1]]])) == nil)
        #expect(try mutable(Content(data: ["k": 1])) == nil)
        #expect(try mutable(Content(overrides: [.apns: ["aps": activity]]), "liveactivity") == nil)
        #expect(try mutable(Content(title: "T"), "voip") == nil)
    }

    @Test("a sender may keep an alert from the service extension, also one with an image")
    func immutableAlerts() throws {
        let null = Content(
            title: "T",
            image: "https://example.com/i.png",
            overrides: [.apns: ["aps": ["mutable-content": .null]]]
        )
        #expect(try Rendering.payload(null).objectValue?["aps"] == ["alert": ["title": "T"]])
        let raw = Content(overrides: [.apns: ["payload": ["aps": ["alert": "x"]]]])
        #expect(try Rendering.payload(raw).objectValue?["aps"] == ["alert": "x"])
    }

    @Test("a raw payload goes as it is, with a message id of its own or ours")
    func rawPayload() throws {
        let raw: JSONValue = [
            "aps": ["alert": ["title": "T", "sound": "default"], "content-available": true], "x": [1],
        ]
        var members = try #require(raw.objectValue)
        let content = Content(title: "ignored", overrides: [.apns: ["payload": raw]])
        members["message_id"] = id
        #expect(try Rendering.payload(content) == .object(members))

        members["message_id"] = "mine"
        let own = Content(overrides: [.apns: ["payload": .object(members)]])
        #expect(try Rendering.payload(own) == .object(members))
    }

    @Test("data may not take Apple's key")
    func reservedKeys() throws {
        let failure = try Rendering.failure(Rendering.submission(Content(title: "T", data: ["aps": "x"])))
        #expect(failure.detail.field == "data.aps")
        #expect(failure.detail.hint != nil)
    }

    @Test("ids that the sender gives go out as they are: a text of 256 bytes at most")
    func ownIDs() throws {
        let ids: [String: JSONValue] = ["message_id": "mine", "campaign_id": "spring", "td_campaign_id": "cmp_1"]
        let payload = try #require(try Rendering.payload(Content(title: "T", data: ids)).objectValue)
        #expect(payload.filter { $0.key != "aps" } == ids)
        for (key, value) in ids.keys.flatMap({ key in
            [1, "", .null, .string(String(repeating: "x", count: 257))].map { (key, $0 as JSONValue) }
        }) {
            let failure = try Rendering.failure(Rendering.submission(Content(title: "T", data: [key: value])))
            #expect(failure.detail.field == "data.\(key)")
        }
    }

    @Test("a key given in data and by its own field is refused")
    func doubledKeys() throws {
        let link = Content(title: "T", deepLink: "a://b", data: ["deep_link": "c://d"])
        #expect(try Rendering.failure(Rendering.submission(link)).detail.field == "data.deep_link")
        let image = Content(title: "T", image: "https://a/b", data: ["image_url": "x"])
        #expect(try Rendering.failure(Rendering.submission(image)).detail.field == "data.image_url")
        #expect(throws: Never.self) { try Rendering.payload(Content(title: "T", data: ["deep_link": "c://d"])) }
    }

    @Test("a negative badge is refused")
    func negativeBadge() throws {
        let failure = try Rendering.failure(Rendering.submission(Content(badge: -1)))
        #expect(failure.detail.field == "badge")
    }

    @Test(
        "a payload of exactly the limit passes, one byte more does not",
        arguments: [("alert", 4_096), ("voip", 5_120)]
    )
    func limits(type: String, limit: Int) throws {
        let frame = try Rendering.message(Rendering.submission(Content(title: "T", data: ["k": ""]), pushType: type))
        let room = limit - frame.payload.bytes.count
        func submission(_ length: Int) -> Submission {
            let text = String(repeating: "x", count: length)
            return Rendering.submission(Content(title: "T", data: ["k": .string(text)]), pushType: type)
        }

        #expect(try Rendering.message(submission(room)).payload.bytes.count == limit)

        let failure = try Rendering.failure(submission(room + 105))
        #expect(failure.code == .payloadTooLarge)
        #expect(failure.detail.field == "content")
        let sizes = limit == 4_096 ? "4,201 bytes; APNs takes at most 4,096" : "5,225 bytes; APNs takes at most 5,120"
        #expect(failure.detail.message.contains(sizes))
        #expect(failure.detail.hint?.contains("105 bytes") == true)
    }

    @Test("the size of a raw payload is counted with its message id")
    func rawLimit() throws {
        let text = String(repeating: "x", count: 4_060)
        let content = Content(overrides: [.apns: ["payload": ["aps": ["alert": .string(text)]]]])
        let failure = try Rendering.failure(Rendering.submission(content))
        #expect(failure.code == .payloadTooLarge)
        #expect(failure.detail.field == "overrides.apns.payload")
    }

    @Test("size is counted in bytes of UTF-8, not in characters")
    func bytesOfUTF8() throws {
        let fits = Content(body: String(repeating: "x", count: 2_000))
        let tooLarge = Content(body: String(repeating: "新", count: 2_000))
        #expect(throws: Never.self) { try Rendering.payload(fits) }
        #expect(try Rendering.failure(Rendering.submission(tooLarge)).code == .payloadTooLarge)
    }
}
