import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

@Suite("Payload as text for APNs")
struct TextOverrideTests {
    private func message(_ text: String, pushType: String? = nil) throws -> Message {
        let content = Content(title: "for operators", overrides: [.apns: ["text": .string(text)]])
        return try Rendering.message(Rendering.submission(content, pushType: pushType))
    }

    private func refusal(_ text: String, pushType: String? = nil) -> Failure? {
        do {
            _ = try message(text, pushType: pushType)
            return nil
        } catch { return error as? Failure }
    }

    @Test(
        "it is sent as it is: spaces, order, keys that come twice, numbers; behind them stands the message's id",
        arguments: [
            "{\"z\": 1.10,\n \"aps\": {\"alert\" : \"\\u00e9\"}, \"a\": 123456789012345678901234567890, \"a\": 1}",
            #"{"aps":{"alert":"é"}}"#, "{}",
        ]
    )
    func bytes(_ text: String) throws {
        let message = try message(text)
        let id = #""message_id":"\#(Rendering.notification)"}"#
        #expect(
            String(decoding: message.payload.bytes, as: UTF8.self) == text.dropLast() + (text == "{}" ? "" : ",") + id
        )
        #expect(message.headers["apns-push-type"] == "alert")
    }

    @Test("an id of the sender's stays, wherever it stands, and space behind the end too")
    func ownID() throws {
        for text in [#"{"message_id":"mine","aps":{"alert":"a"}}"#, "{\"a\":1,\"message_id\" : 7}\n"] {
            #expect(try message(text).payload.bytes == Array(text.utf8))
        }
        let spaced = try message("{\"a\":1 } \n").payload.bytes
        #expect(String(decoding: spaced, as: UTF8.self) == "{\"a\":1 ,\"message_id\":\"\(Rendering.notification)\"} \n")
    }

    @Test("the id is left out where it does not fit, byte by byte")
    func idWithinLimit() throws {
        let member = #","message_id":"\#(Rendering.notification)""#.utf8.count
        func text(_ count: Int) -> String { #"{"a":""# + String(repeating: "a", count: count - 8) + #""}"# }
        #expect(try message(text(4_096 - member)).payload.bytes.count == 4_096)
        #expect(try message(text(4_097 - member)).payload.bytes.count == 4_097 - member)
    }

    @Test("the push type is what the payload says, or what was asked for")
    func types() throws {
        let silent = #"{"aps":{"content-available":1},"n":1}"#
        #expect(try message(silent).headers["apns-push-type"] == "background")
        #expect(try message(#"{"aps":{"content-available":1,"badge":1}}"#).headers["apns-push-type"] == "alert")
        #expect(try message(silent, pushType: "voip").headers["apns-push-type"] == "voip")
    }

    @Test("the limit counts every byte, and what lies far beyond it is not even read")
    func limit() throws {
        func text(_ count: Int) -> String { #"{"a":""# + String(repeating: "a", count: count - 8) + #""}"# }
        #expect(try message(text(4_096)).payload.bytes.count == 4_096)
        #expect(refusal(text(4_097))?.code == .payloadTooLarge)
        #expect(try message(text(5_120), pushType: "voip").payload.bytes.count == 5_120)
        #expect(refusal(String(repeating: "[", count: 200_000))?.code == .payloadTooLarge)
    }

    @Test(
        "what is no JSON object, or has an aps that is none, is refused",
        arguments: [
            "", "[]", "1", "{", #"{"aps":1}"#, #"{"a":1} x"#,
        ]
    )
    func malformed(_ text: String) {
        #expect(refusal(text)?.code == .invalidValue)
        #expect(refusal(text)?.detail.field?.hasPrefix("overrides.apns.") == true)
    }

    @Test("it stands alone")
    func alone() {
        for other in ["payload", "aps"] {
            let content = Content(overrides: [.apns: ["text": "{}", other: [:]]])
            #expect(throws: Failure.self) { try Rendering.message(Rendering.submission(content)) }
        }
    }
}
