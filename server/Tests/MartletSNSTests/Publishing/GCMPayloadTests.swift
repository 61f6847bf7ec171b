import Foundation
import MartletCore
import MartletWire
import Testing

@testable import MartletSNS

@Suite("Texts for GCM")
struct GCMPayloadTests {
    /// A text, and the message that it becomes.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var message: JSONValue
        var isValidatedOnly = false
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        .init(
            name: "words and Android's own members",
            text: """
                {"notification":{"title":"T","body":"B","image":"https://e/i","icon":"star","android_channel_id":"c",
                 "sound":"s","tag":"t","click_action":"OPEN","color":"#ffffff","subtitle":"none"}}
                """,
            message: [
                "notification": ["title": "T", "body": "B", "image": "https://e/i"],
                "android": [
                    "notification": [
                        "icon": "star", "channel_id": "c", "sound": "s", "tag": "t", "click_action": "OPEN",
                        "color": "#ffffff",
                    ]
                ],
            ]
        ),
        .init(
            name: "a list of arguments as a text",
            text: #"{"notification":{"body_loc_key":"k","body_loc_args":"[\"a\",\"b\"]","title_loc_args":["c"]}}"#,
            message: [
                "android": [
                    "notification": ["body_loc_key": "k", "body_loc_args": ["a", "b"], "title_loc_args": ["c"]]
                ]
            ]
        ),
        .init(name: "data", text: #"{"data":{"a":1,"b":"x"}}"#, message: ["data": ["a": 1, "b": "x"]]),
        .init(
            name: "how it is sent",
            text: """
                {"collapse_key":"k","priority":"high","restricted_package_name":"p","time_to_live":60,"data":{"a":"b"},
                 "delay_while_idle":true}
                """,
            message: [
                "data": ["a": "b"],
                "android": ["collapse_key": "k", "priority": "HIGH", "restricted_package_name": "p", "ttl": "60s"],
            ]
        ),
        .init(
            name: "a time as a text, normal",
            text: #"{"time_to_live":"0","priority":"normal"}"#,
            message: ["android": ["ttl": "0s", "priority": "NORMAL"]]
        ),
        .init(
            name: "devices of Apple",
            text: #"{"content_available":true,"mutable_content":1,"notification":{"badge":"3"}}"#,
            message: ["apns": ["payload": ["aps": ["content-available": 1, "mutable-content": 1, "badge": 3]]]]
        ),
        .init(name: "a dry run", text: #"{"dry_run":true,"data":{}}"#, message: ["data": [:]], isValidatedOnly: true),
        .init(name: "nothing", text: "{}", message: [:]),
        .init(
            name: "the present interface, without its target",
            text: """
                {"fcmV1Message":{"validate_only":false,"message":{"token":"t","topic":"x","notification":{"title":"T"},
                 "android":{"ttl":"3s"}}},"notification":{"title":"not this"}}
                """,
            message: ["notification": ["title": "T"], "android": ["ttl": "3s"]]
        ),
        .init(
            name: "the present interface, only looked at",
            text: #"{"fcmV1Message":{"validateOnly":true,"message":{}}}"#,
            message: [:],
            isValidatedOnly: true
        ),
    ]

    @Test("a text becomes a message", arguments: rows)
    func translated(row: Row) throws {
        let payload = try GCMPayload(row.text)
        #expect(JSONValue.object(payload.message) == row.message)
        #expect(payload.isValidatedOnly == row.isValidatedOnly)
    }

    @Test(
        "a text that is none is refused with its member",
        arguments: [
            ("", ""), ("x", ""), ("[1]", ""), (#"{"to":"a"}"#, "to"), (#"{"registration_ids":[]}"#, "registration_ids"),
            (#"{"condition":"a"}"#, "condition"), (#"{"data":1}"#, "data"), (#"{"notification":"x"}"#, "notification"),
            (#"{"priority":"loud"}"#, "priority"), (#"{"time_to_live":-1}"#, "time_to_live"),
            (#"{"time_to_live":"soon"}"#, "time_to_live"), (#"{"dry_run":"maybe"}"#, "dry_run"),
            (#"{"collapse_key":1}"#, "collapse_key"), (#"{"fcmV1Message":1}"#, "fcmV1Message"),
            (#"{"fcmV1Message":{}}"#, "fcmV1Message.message"),
            (#"{"fcmV1Message":{"message":{"to":"t"}}}"#, "fcmV1Message.message.to"),
            (#"{"fcmV1Message":{"message":{},"validate_only":"x"}}"#, "fcmV1Message.validate_only"),
        ]
    )
    func refused(text: String, member: String) {
        #expect(throws: GCMPayload.Malformed(member: member)) { try GCMPayload(text) }
    }

    @Test("a plain text stands under default")
    func plain() {
        #expect(GCMPayload(plain: "hello").override == ["message": ["data": ["default": "hello"]]])
    }

    @Test("either of Google's names will do, and the platform's own counts first")
    func names() throws {
        let both = try PublishedText(#"{"default":"d","GCM":"g","FCM":"f"}"#, structure: "json")
        #expect(both.text(for: PlatformApplication.Kind.gcm) == .payload("g"))
        #expect(both.text(for: PlatformApplication.Kind.fcm) == .payload("f"))
        let one = try PublishedText(#"{"default":"d","FCM":"f"}"#, structure: "json")
        #expect(one.text(for: PlatformApplication.Kind.gcm) == .payload("f"))
        #expect(one.text(for: PlatformApplication.Kind.adm) == .plain("d"))
        #expect(one.kind(among: [.apns, .gcm]) == .gcm)
    }

    @Test("the attribute says the time to live of both", arguments: ["GCM", "FCM"])
    func timeToLive(word: String) throws {
        let now = Timestamp(milliseconds: 1_000)
        let attribute = AttributeCase(name: "AWS.SNS.MOBILE.\(word).TTL", type: "String", text: "7")
        let form = try PublishingForm.of([("Message", "m")] + PublishingForm.attributes([attribute]))
        let mobile = try PublishedMessage(form).mobile
        #expect(mobile.expiry(for: .gcm, now: now) == .at(Timestamp(milliseconds: 8_000)))
        #expect(mobile.expiry(for: .fcm, now: now) == .at(Timestamp(milliseconds: 8_000)))
    }
}
