import Foundation
import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

/// Renders submissions for an app with a service account, and reads what one device would get.
enum FCMRendering {
    static let token = "cVcCxZ1YTbmJ3bGVyJ3eXc:APA91b" + String(repeating: "a", count: 134)

    static func message(_ submission: Submission) throws -> Message {
        try FCMRenderer.render(
            submission,
            context: RenderContext(notification: Rendering.notification, credentials: [FCMAnswerTests.summary])
        )
    }

    /// The request's body to a device at a moment.
    static func request(
        _ submission: Submission,
        to token: String = token,
        badge: Int32? = nil,
        now: Timestamp = Timestamp(milliseconds: 1_700_000_000_000)
    ) throws -> JSONValue {
        let credential = Credential(
            row: RowID(1),
            app: RowID(1),
            platform: .fcm,
            environment: .production,
            summary: FCMAnswerTests.summary,
            sealed: [],
            url: nil,
            trust: nil,
            createdAt: Timestamp(milliseconds: 0)
        )
        let target = Push.Target(token: token, id: PublicID(high: 0x7000, low: 0x8000_0000_0000_0001), badge: badge)
        let push = Push(
            credential: OpenedCredential(credential: credential, secret: []),
            message: try message(submission),
            targets: [target]
        )
        return try JSONValue(json: Data(FCMRequest.body(of: push, target: target, at: now)))
    }

    static func members(_ submission: Submission, badge: Int32? = nil) throws -> [String: JSONValue] {
        try #require(try request(submission, badge: badge).objectValue?["message"]?.objectValue)
    }

    static func failure(_ content: Content) throws -> Failure {
        try #require(throws: Failure.self) { try message(Rendering.submission(content)) }
    }
}

extension JSONValue {
    /// A member by its path.
    fileprivate subscript(_ path: String...) -> JSONValue? {
        path.reduce(Optional(self)) { $0?.objectValue?[$1] }
    }
}

@Suite("Messages of FCM")
struct FCMRenderingTests {
    private func message(_ submission: Submission, badge: Int32? = nil) throws -> JSONValue {
        .object(try FCMRendering.members(submission, badge: badge))
    }

    private let id = JSONValue.string(Rendering.notification.description)

    @Test("a title and a body are a notification, and the app's own values texts")
    func shown() throws {
        let content = Content(
            title: "T",
            body: "B",
            image: "https://e.example/i.png",
            deepLink: "https://e.example/a",
            sound: "chime",
            data: ["line": 4, "open": true, "list": [1, "x"], "name": "n"]
        )
        let message = try message(Rendering.submission(content))
        #expect(message["token"] == .string(FCMRendering.token))
        #expect(message["notification"] == ["title": "T", "body": "B", "image": "https://e.example/i.png"])
        #expect(
            message["data"] == [
                "line": "4", "open": "true", "list": "[1,\"x\"]", "name": "n", "message_id": id,
                "deep_link": "https://e.example/a", "image_url": "https://e.example/i.png",
            ]
        )
        #expect(message["android"] == ["priority": "HIGH", "notification": ["sound": "chime"]])
        #expect(message["webpush", "fcm_options", "link"] == "https://e.example/a")
        #expect(message["apns", "payload", "aps", "alert"] == ["title": "T", "body": "B"])
        #expect(message["apns", "payload", "aps", "mutable-content"] == 1)
        #expect(message["apns", "payload", "line"] == 4)
        #expect(message["apns", "payload", "name"] == nil)
        #expect(message["apns", "headers"] == ["apns-priority": "10", "apns-push-type": "alert"])
        #expect(message["apns", "fcm_options", "image"] == "https://e.example/i.png")
    }

    @Test("data alone runs the app's code, not urgently at Apple")
    func dataOnly() throws {
        let submission = Rendering.submission(Content(data: ["k": "v"]), priority: .high)
        let message = try message(submission)
        #expect(message["notification"] == nil)
        #expect(message["android"] == ["priority": "HIGH"])
        #expect(message["apns", "headers"] == ["apns-priority": "5", "apns-push-type": "background"])
        #expect(message["apns", "payload", "aps"] == ["content-available": 1])
        #expect(try FCMRendering.message(submission).isAlert == false)
        let usual = try self.message(Rendering.submission(Content(data: ["k": "v"])))
        #expect(usual["android", "priority"] == "NORMAL")
    }

    @Test(
        "devices of Apple get an alert where they show, play or count something, and else a push that wakes the app",
        arguments: [
            (Content(title: "T"), "alert", "10"), (Content(badge: 0), "alert", "10"),
            (Content(sound: "s"), "alert", "10"), (Content(data: ["k": "v"]), "background", "5"),
            // Android's own notification is nothing to Apple.
            (
                Content(data: ["k": "v"], overrides: [.fcm: ["android": ["notification": ["title": "T"]]]]),
                "background", "5"
            ),
            (
                Content(overrides: [.fcm: ["message": ["apns": ["payload": ["aps": ["content-available": 1]]]]]]),
                "background", "5"
            ),
            (Content(overrides: [.fcm: ["message": ["notification": ["title": "T"]]]]), "alert", "10"),
            // What is the sender's own stays, and what is a Live Activity's or says nothing is FCM's to name.
            (
                Content(title: "T", overrides: [.fcm: ["apns": ["headers": ["apns-push-type": "voip"]]]]),
                "voip", "10"
            ),
            (
                Content(overrides: [.fcm: ["message": ["apns": activity(["event": "end", "timestamp": 1])]]]),
                nil, "5"
            ),
            (Content(overrides: [.fcm: ["message": ["data": ["k": "v"]]]]), nil, "5"),
        ] as [(Content, JSONValue?, JSONValue)]
    )
    func applePushType(content: Content, type: JSONValue?, priority: JSONValue) throws {
        let message = try message(Rendering.submission(content, priority: .high))
        #expect(message["apns", "headers", "apns-push-type"] == type)
        #expect(message["apns", "headers", "apns-priority"] == priority)
    }

    private static func activity(_ aps: JSONValue) -> JSONValue {
        ["live_activity_token": "t", "payload": ["aps": aps]]
    }

    @Test(
        "a Live Activity through FCM has what it has through APNs",
        arguments: [
            (["event": "update", "content-state": [:], "timestamp": 1_700_000_000_000], "timestamp"),
            (["timestamp": 1], "event"), (["event": "update", "timestamp": 1], "content-state"),
        ] as [(JSONValue, String)]
    )
    func liveActivity(aps: JSONValue, field: String) throws {
        let apns: JSONValue = ["apns": Self.activity(aps)]
        for (override, path) in [
            (apns, "overrides.fcm"), (["message": apns], "overrides.fcm.message"),
        ] as [(JSONValue, String)] {
            let failure = try FCMRendering.failure(Content(overrides: [.fcm: override]))
            #expect(failure.detail.field == "\(path).apns.payload.aps.\(field)")
        }
    }

    @Test("a badge of each user's own is an alert at Apple")
    func ownBadges() throws {
        var submission = Rendering.submission(Content(data: ["k": "v"]))
        submission.badges = ["ann": 4]
        let message = try message(submission, badge: 4)
        #expect(message["apns", "headers", "apns-push-type"] == "alert")
        #expect(message["apns", "payload", "aps", "badge"] == 4)
    }

    @Test(
        "a device is named by what it is",
        arguments: [("cVcCxZ1YTbmJ3bGVyJ3eXc", "fid"), (FCMRendering.token, "token")]
    )
    func target(token: String, member: String) throws {
        let request = try FCMRendering.request(Rendering.submission(Content(title: "T")), to: token)
        #expect(request["message", member] == .string(token))
    }

    @Test("an expiry becomes the time that is left when it is sent")
    func expiry() throws {
        let end = Timestamp(milliseconds: 1_700_000_600_000)
        let submission = Rendering.submission(Content(title: "T"), expiry: .at(end))
        let message = try message(submission)
        #expect(message["android", "ttl"] == "600s")
        #expect(message["webpush", "headers", "TTL"] == "600")
        #expect(message["apns", "headers", "apns-expiration"] == "1700000600")
        let late = try FCMRendering.request(submission, now: end + .seconds(5))
        #expect(late["message", "android", "ttl"] == "0s")
        let far = Rendering.submission(Content(title: "T"), expiry: .at(end + .seconds(40 * 86_400)))
        #expect(try self.message(far)["android", "ttl"] == "2419200s")
        let now = try self.message(Rendering.submission(Content(title: "T"), expiry: .immediate))
        #expect(now["android", "ttl"] == "0s")
        #expect(now["apns", "headers", "apns-expiration"] == "0")
        #expect(try self.message(Rendering.submission(Content(title: "T")))["android", "ttl"] == nil)
    }

    @Test("a dedup key replaces what is shown, and only a collapse id that was asked for is a collapse key")
    func collapse() throws {
        let dedup = try message(Rendering.submission(Content(title: "T"), dedup: Dedup(key: "line-4")))
        #expect(dedup["android", "notification", "tag"] == "line-4")
        #expect(dedup["android", "collapse_key"] == nil)
        #expect(dedup["apns", "headers", "apns-collapse-id"] == "line-4")
        let asked = try message(Rendering.submission(Content(title: "T"), collapse: .id("k")))
        #expect(asked["android", "notification", "tag"] == "k")
        #expect(asked["android", "collapse_key"] == "k")
        let silent = try message(Rendering.submission(Content(data: ["k": "v"]), collapse: .id("k")))
        #expect(silent["android"] == ["priority": "NORMAL", "collapse_key": "k"])
        let off = try message(Rendering.submission(Content(title: "T"), collapse: .off, dedup: Dedup(key: "x")))
        #expect(off["android", "notification"] == nil)
    }

    @Test("a badge is Android's count and Apple's badge, each user's own where there are several")
    func badges() throws {
        let same = try message(Rendering.submission(Content(title: "T", badge: 3)))
        #expect(same["android", "notification", "notification_count"] == 3)
        #expect(same["apns", "payload", "aps", "badge"] == 3)
        var submission = Rendering.submission(Content(title: "T", sound: "s"))
        submission.badges = ["ann": 4]
        let own = try message(submission, badge: 4)
        #expect(own["android", "notification"] == ["notification_count": 4, "sound": "s"])
        #expect(own["apns", "payload", "aps", "badge"] == 4)
        let none = try message(submission)
        #expect(none["android", "notification"] == ["sound": "s"])
        #expect(none["apns", "payload", "aps", "badge"] == nil)
    }

    @Test("each payload has its delivery's id where that was asked for")
    func deliveryID() throws {
        var submission = Rendering.submission(Content(title: "T", data: ["k": "v"]))
        submission.hasDeliveryID = true
        let data = try message(submission)["data"]
        #expect(data?["delivery_id"] == .string(PublicID(high: 0x7000, low: 0x8000_0000_0000_0001).description))
        submission.content.data["delivery_id"] = "x"
        #expect(throws: Failure.self) { try FCMRendering.message(submission) }
    }

    @Test(
        "a key that is FCM's is refused with its field",
        arguments: ["from", "gcm", "message_type", "google.x", "googlex", "gcm.notification.title"]
    )
    func reserved(key: String) throws {
        #expect(try FCMRendering.failure(Content(title: "T", data: [key: "x"])).detail.field == "data.\(key)")
        let override = Content(title: "T", overrides: [.fcm: ["android": ["data": .object([key: "x"])]]])
        #expect(try FCMRendering.failure(override).detail.field == "overrides.fcm.android.data.\(key)")
    }

    @Test(
        "keys that only begin like them are the app's own",
        arguments: ["gcmx", "fromage", "gcm.notification", "Google"]
    )
    func free(key: String) throws {
        #expect(try message(Rendering.submission(Content(title: "T", data: [key: "x"])))["data", key] == "x")
    }

    @Test("names and values of data and notification have 4,096 bytes at most")
    func size() throws {
        // 45 are the notification's id with its name, 5 and 4 the names of title and body.
        let most = 4_096 - ("message_id".utf8.count + 36) - "titleT".utf8.count - "body".utf8.count
        let fits = Content(title: "T", body: String(repeating: "b", count: most - 300))
        _ = try FCMRendering.message(Rendering.submission(fits))
        let data = Content(data: ["k": .string(String(repeating: "v", count: 4_096 - 46 - 1))])
        _ = try FCMRendering.message(Rendering.submission(data))
        let over = Content(data: ["k": .string(String(repeating: "v", count: 4_096 - 46))])
        let failure = try FCMRendering.failure(over)
        #expect(failure.code == .payloadTooLarge)
        #expect(failure.detail.field == "content")
    }

    @Test("nothing at all is refused, and what says something to another platform is not")
    func empty() throws {
        #expect(try FCMRendering.failure(Content()).detail.field == "content")
        let other = Content(overrides: [.apns: ["payload": ["aps": ["alert": "x"]]]])
        #expect(try message(Rendering.submission(other))["data"] == ["message_id": id])
    }

    @Test("data that is null or a number becomes text as it was written")
    func texts() throws {
        let data: [String: JSONValue] = ["a": .null, "b": .decimal("17055628018016613580"), "c": .decimal("1.10")]
        let message = try message(Rendering.submission(Content(title: "T", data: data)))
        #expect(message["data"] == ["a": "null", "b": "17055628018016613580", "c": "1.10", "message_id": id])
    }

    @Test(
        "what FCM refuses for certain is refused at its field",
        arguments: [
            (["title_loc_args": ["a"]], "title_loc_args"),
            (["bodyLocArgs": ["a"], "body_loc_key": .null], "body_loc_args"),
            (["event_time": "tomorrow"], "event_time"), (["event_time": 1_772_366_400], "event_time"),
            (["event_time": "2026-03-01t12:00:00Z"], "event_time"),
            (["event_time": "2026-03-01T12:00:00z"], "event_time"),
            (["event_time": "0001-01-01T00:00:00+01:00"], "event_time"),
            (["event_time": "0000-12-31T23:59:59Z"], "event_time"),
            (["event_time": "1969-02-29T00:00:00Z"], "event_time"),
            (["event_time": "2026-03-01T12:00:00.1234567890Z"], "event_time"),
        ] as [(JSONValue, String)]
    )
    func refused(notification: JSONValue, field: String) throws {
        for (override, path) in [
            (["android": ["notification": notification]], "overrides.fcm"),
            (["message": ["android": ["notification": notification]]], "overrides.fcm.message"),
        ] as [(JSONValue, String)] {
            let failure = try FCMRendering.failure(Content(title: "T", overrides: [.fcm: override]))
            #expect(failure.detail.field == "\(path).android.notification.\(field)")
        }
    }

    @Test(
        "a time is one of the years 1 to 9999",
        arguments: [
            "0001-01-01T00:00:00Z", "1968-02-29T23:59:59.123456789Z", "1970-01-01T00:00:00+09:00",
            "2026-03-01T12:00:00-05:00", "9999-12-31T23:59:59.999999999Z",
        ]
    )
    func time(text: String) throws {
        let notification: JSONValue = ["event_time": .string(text)]
        let content = Content(title: "T", overrides: [.fcm: ["android": ["notification": notification]]])
        #expect(try message(Rendering.submission(content))["android", "notification", "event_time"] == .string(text))
    }

    // MARK: Overrides

    @Test("members are laid over the rendered message, in either spelling, and null removes")
    func override() throws {
        let content = Content(
            title: "T",
            sound: "s",
            data: ["a": "1", "b": "2"],
            overrides: [
                .fcm: [
                    "android": [
                        "collapseKey": "c", "ttl": "3.5s",
                        "notification": ["channelId": "lines", "color": "#00ff7f", "sound": .null],
                    ],
                    "data": ["b": .null, "c": 3], "fcmOptions": ["analyticsLabel": "spring_1"],
                ]
            ]
        )
        let message = try message(Rendering.submission(content))
        #expect(message["android", "notification"] == ["channel_id": "lines", "color": "#00ff7f"])
        #expect(message["android", "collapse_key"] == "c")
        #expect(message["android", "ttl"] == "3.5s")
        #expect(message["data"] == ["a": "1", "c": "3", "message_id": id])
        #expect(message["fcm_options"] == ["analytics_label": "spring_1"])
    }

    @Test("a notification that is taken away leaves data alone, without its sound")
    func silenced() throws {
        let content = Content(title: "T", sound: "s", data: ["k": "v"], overrides: [.fcm: ["notification": .null]])
        let message = try message(Rendering.submission(content))
        #expect(message["notification"] == nil)
        #expect(message["android", "notification"] == nil)
    }

    @Test("a whole message is sent as it is, with the notification's id")
    func whole() throws {
        let content = Content(
            title: "T",
            overrides: [.fcm: ["message": ["data": ["k": 1], "android": ["priority": "HIGH"]], "validate_only": true]]
        )
        let request = try FCMRendering.request(Rendering.submission(content))
        #expect(request["validate_only"] == true)
        #expect(request["message", "data"] == ["k": "1", "message_id": id])
        #expect(request["message", "android"] == ["priority": "HIGH"])
        #expect(request["message", "notification"] == nil)
        #expect(try FCMRendering.message(Rendering.submission(content)).headers["priority"] == "10")
        let asked = try FCMRendering.request(Rendering.submission(content, priority: .normal, expiry: .immediate))
        #expect(asked["message", "android"] == ["priority": "NORMAL", "ttl": "0s"])
    }

    @Test("null is a text in a whole message's data, stays in a payload, and else is as if it were not there")
    func wholeNull() throws {
        let whole: JSONValue = [
            "data": ["a": .null], "notification": .null, "android": ["data": ["b": .null], "ttl": .null],
            "webpush": ["headers": ["Urgency": .null]], "apns": ["payload": ["c": .null]],
        ]
        let message = try message(Rendering.submission(Content(overrides: [.fcm: ["message": whole]])))
        #expect(message["data"] == ["a": "null", "message_id": id])
        #expect(message["notification"] == nil)
        #expect(message["android"] == ["data": ["b": "null"], "priority": "NORMAL"])
        #expect(message["webpush", "headers"] == ["Urgency": "normal"])
        #expect(message["apns", "payload"] == ["c": .null])
    }

    @Test(
        "what FCM would refuse of an override is refused with its field",
        arguments: [
            (["token": "x"], "token"), (["topic": "x"], "topic"), (["message": ["fid": "x"]], "message.fid"),
            (["nothing": 1], "nothing"), (["message": [:], "dry_run": true], "dry_run"), (["message": "x"], "message"),
            (["android": ["ttl": "60"]], "android.ttl"), (["android": ["ttl": "2419201s"]], "android.ttl"),
            (["android": ["ttl": "-1s"]], "android.ttl"), (["android": ["priority": "high"]], "android.priority"),
            (["android": ["notification": ["color": "red"]]], "android.notification.color"),
            (["android": ["notification": ["sticky": 1]]], "android.notification.sticky"),
            (["android": [:], "android_v2": [:]], "android_v2"),
            (["android_v2": ["priority": "HIGH"]], "android_v2.priority"),
            (["android_v2": ["ttl": "60"]], "android_v2.ttl"),
            (
                ["android_v2": ["remote_notification": ["notification": ["color": "red"]]]],
                "android_v2.remote_notification.notification.color"
            ),
            (["fcm_options": ["analytics_label": "a b"]], "fcm_options.analytics_label"),
            (
                ["fcm_options": ["analytics_label": .string(String(repeating: "a", count: 51))]],
                "fcm_options.analytics_label"
            ),
            (["webpush": ["fcm_options": ["link": "http://e.example"]]], "webpush.fcm_options.link"),
            (["android": ["collapse_key": "a", "collapseKey": "b"]], "android.collapse_key"),
            (["data": ["from": "x"]], "data.from"),
        ] as [(JSONValue, String)]
    )
    func refused(override: JSONValue, field: String) throws {
        let failure = try FCMRendering.failure(Content(title: "T", overrides: [.fcm: override]))
        #expect(failure.detail.field == "overrides.fcm.\(field)")
    }

    @Test("a whole message's data may name the id under which events are counted")
    func messageID() {
        let override: JSONValue = ["message": ["data": ["message_id": "mine"]]]
        #expect(FCMOverride.payload(of: override)?["message_id"] == "mine")
        #expect(FCMOverride.payload(of: ["data": ["message_id": "mine"]]) == nil)
    }

    @Test("an app without a service account is refused")
    func noCredential() throws {
        let failure = try #require(throws: Failure.self) {
            try FCMRenderer.render(
                Rendering.submission(Content(title: "T")),
                context: RenderContext(notification: Rendering.notification, credentials: [])
            )
        }
        #expect(failure.code == .missingCredential)
    }

    @Test("the same submission gives the same bytes")
    func stable() throws {
        let content = Content(title: "T", data: ["b": 1, "a": 2, "c": 3])
        let bytes = try FCMRendering.message(Rendering.submission(content)).payload
        for _ in 0..<20 { #expect(try FCMRendering.message(Rendering.submission(content)).payload == bytes) }
    }

    // MARK: Tokens

    @Test(
        "a token is taken as it came, and what is none is refused",
        arguments: [
            "", "a b", "a\"b", "a/b", "ä", "null", "undefined", "Nil", "None", "NaN", "true", "0",
            String(repeating: "0A", count: 32),
        ]
    )
    func tokens(text: String) throws {
        #expect(try FCMToken.normalize(FCMRendering.token, field: "f") == FCMRendering.token)
        let failure = try #require(throws: Failure.self) { try FCMToken.normalize(text, field: "f") }
        #expect(failure.detail.field == "f")
    }
}
