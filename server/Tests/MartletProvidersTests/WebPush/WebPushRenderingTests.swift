import Foundation
import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

@Suite("Notifications for browsers")
struct WebPushRenderingTests {
    private func payload(_ content: Content, collapse: Submission.Collapse = .byDedupKey) throws -> JSONValue {
        try StoredWebPush.payload(Rendering.submission(content, collapse: collapse))
    }

    private func failure(_ content: Content) throws -> Failure {
        try #require(throws: Failure.self) { try StoredWebPush.message(Rendering.submission(content)) }
    }

    private static let id: JSONValue = .string(Rendering.notification.description)

    @Test("a notification has the declarative form, with the ids by which the worker reports")
    func declarative() throws {
        let content = Content(
            title: "T",
            subtitle: "S",
            body: "B",
            image: "https://example.com/i.png",
            deepLink: "https://example.com/a",
            badge: 3,
            data: ["order": 7]
        )
        #expect(
            try payload(content, collapse: .id("order-7")) == [
                "web_push": 8030, "mutable": true, "app_badge": 3,
                "notification": [
                    "title": "T", "body": "S\nB", "image": "https://example.com/i.png",
                    "navigate": "https://example.com/a", "app_badge": 3, "tag": "order-7",
                    "data": ["order": 7, "message_id": Self.id, "delivery_id": Self.id],
                ],
            ]
        )
        let message = try StoredWebPush.message(Rendering.submission(content))
        #expect(message.headers["content-type"] == "application/notification+json")
    }

    @Test("a link that no browser opens goes to the worker, and without a title the app's name is one")
    func fallbacks() throws {
        #expect(
            try payload(Content(body: "B", deepLink: "shop://a")) == [
                "web_push": 8030, "mutable": true,
                "notification": [
                    "title": "com.example.app", "body": "B",
                    "data": ["deep_link": "shop://a", "message_id": Self.id, "delivery_id": Self.id],
                ],
            ]
        )
    }

    @Test("each user's own badge has its place, and who has none gets none")
    func badges() throws {
        var submission = Rendering.submission(Content(title: "T"))
        submission.badges = ["u": 4]
        let payload = try StoredWebPush.message(submission).payload
        func badge(_ value: Int32?) throws -> JSONValue? {
            let json = try JSONValue(json: Data(payload.filled(badge: value, deliveryID: Rendering.notification)))
            #expect(json.objectValue?["app_badge"] == json.objectValue?["notification"]?.objectValue?["app_badge"])
            return json.objectValue?["app_badge"]
        }
        #expect(try badge(4) == 4)
        #expect(try badge(nil) == nil)
    }

    @Test("what shows nothing is not sent, and ends with a word of its own")
    func nothing() throws {
        let message = try StoredWebPush.message(Rendering.submission(Content(data: ["refresh": true])))
        #expect(message.payload.bytes.isEmpty)
        #expect(message.headers.values.contains("nothing_to_show"))
    }

    @Test("an override changes the notification, replaces the payload, or is sent as it is")
    func overrides() throws {
        func rendered(_ override: JSONValue) throws -> JSONValue {
            try payload(Content(title: "T", body: "B", overrides: [.webpush: override]))
        }
        let laid = try rendered(["notification": ["body": .null, "icon": "/i.png", "data": ["a": 1]]])
        #expect(
            laid.objectValue?["notification"] == [
                "title": "T", "icon": "/i.png", "data": ["a": 1, "message_id": Self.id, "delivery_id": Self.id],
            ]
        )
        #expect(try rendered(["payload": ["kind": "x"]]) == ["kind": "x", "message_id": Self.id])
        #expect(try rendered(["text": #"{"raw":1}"#]) == ["raw": 1])
    }

    private static let badOverrides: [(override: JSONValue, field: String)] = [
        (["notification": ["title": ""]], "overrides.webpush.notification.title"),
        (["aps": [:]], "overrides.webpush.aps"), (3, "overrides.webpush"), (["text": 3], "overrides.webpush.text"),
        (["payload": [:], "notification": [:]], "overrides.webpush.payload"),
        (["payload": ["notification": ["data": 1]]], "overrides.webpush.payload.notification.data"),
    ]

    @Test("an override that cannot be is refused with its field", arguments: badOverrides)
    func badOverride(_ override: JSONValue, _ field: String) throws {
        #expect(try failure(Content(title: "T", overrides: [.webpush: override])).detail.field == field)
    }

    @Test("3,993 bytes fit and one more is refused")
    func limit() throws {
        func message(_ count: Int) throws -> Message {
            let text = String(repeating: "x", count: count)
            return try StoredWebPush.message(
                Rendering.submission(Content(overrides: [.webpush: ["text": .string(text)]]))
            )
        }
        #expect(try message(3_993).payload.bytes.count == 3_993)
        let failure = try #require(throws: Failure.self) { try message(3_994) }
        #expect(failure.code == .payloadTooLarge)
    }

    @Test("ids of the sender's go back with events: they are short texts")
    func ids() throws {
        #expect(try failure(Content(title: "T", data: ["message_id": 3])).detail.field == "data.message_id")
    }

    private static let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func fields(_ submission: Submission, _ service: Environment = .google) throws -> [String: String] {
        let message = try StoredWebPush.message(submission)
        let fields = WebPushRequest.fields(message, authorization: "a", service: service, at: Self.now)
        return Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
    }

    @Test("TTL is the time that is left, within what services take")
    func ttl() throws {
        func ttl(_ expiry: Submission.Expiry, _ service: Environment = .google) throws -> String? {
            try fields(Rendering.submission(Content(title: "T"), expiry: expiry), service)["ttl"]
        }
        #expect(try ttl(.provider) == "2419200")
        #expect(try ttl(.immediate) == "0")
        #expect(try ttl(.immediate, .apple) == "1")
        #expect(try ttl(.at(Self.now + .seconds(60))) == "60")
        #expect(try ttl(.at(Self.now - .seconds(60))) == "0")
        #expect(try ttl(.at(Self.now + .seconds(86_400 * 300))) == "2419200")
    }

    @Test("urgency, topic and the fields of one service")
    func headers() throws {
        let content = Content(title: "T")
        #expect(try fields(Rendering.submission(content))["urgency"] == "high")
        #expect(try fields(Rendering.submission(content, priority: .normal))["urgency"] == "normal")
        #expect(try fields(Rendering.submission(content, priority: .low))["urgency"] == "very-low")
        #expect(try fields(Rendering.submission(content))["topic"] == nil)
        let topic = try #require(try fields(Rendering.submission(content, collapse: .id("a")))["topic"])
        #expect(topic == "ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5y")
        #expect(try fields(Rendering.submission(content))["x-wns-cache-policy"] == nil)
        #expect(try fields(Rendering.submission(content), .microsoft)["x-wns-cache-policy"] == "cache")
        let once = Rendering.submission(content, expiry: .immediate)
        #expect(try fields(once, .microsoft)["x-wns-cache-policy"] == "no-cache")
        #expect(try fields(once)["content-encoding"] == "aes128gcm")
    }
}
