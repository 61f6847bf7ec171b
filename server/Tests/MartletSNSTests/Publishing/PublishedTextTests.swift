import MartletCore
import Testing

@testable import MartletSNS

@Suite struct PublishedTextTests {
    @Test(
        "the strings at the top of an object are read; other values take their keys away",
        arguments: [
            (#"{}"#, [:]),
            (#" { "default" : "a" } "#, ["default": "a"]),
            (#"{"default":"a","default":"b"}"#, ["default": "b"]),
            (#"{"default":"a","default":1}"#, [:]),
            (#"{"a":{"default":"x"},"b":[1,{"c":[]},"d"],"e":null,"f":-1.5E+3,"default":"y"}"#, ["default": "y"]),
            (#"{"":""}"#, ["": ""]),
            (#"{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}"#, ["a": "\"\\/\u{8}\u{C}\n\r\té😀"]),
            (
                #"{"a":"\ud83d","b":"\ude00\u0041","c":"\ud83d\u0041"}"#,
                ["a": "\u{FFFD}", "b": "\u{FFFD}A", "c": "\u{FFFD}A"]
            ),
            ("{\"a\":\"é\u{1F600}\u{7F}\"}", ["a": "é\u{1F600}\u{7F}"]),
            (#"{"a":[[],{},[{}]],"b":{"c":{},"d":true},"e":false}"#, [:]),
        ] as [(String, [String: String])]
    )
    func reads(_ text: String, _ strings: [String: String]) {
        #expect(JSONTopLevel.strings(of: text) == strings)
    }

    @Test(
        "what is not strictly a JSON object is none",
        arguments: [
            "", " ", "null", #""default""#, "[]", "1", "{", "{]", #"{"a"}"#, #"{"a":}"#, #"{"a":"b",}"#, #"{,"a":"b"}"#,
            #"{'a':'b'}"#, #"{a:"b"}"#, #"{"a":"b"}{}"#, #"{"a":"b"} x"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#,
            #"{"a":+1}"#, #"{"a":1e}"#, #"{"a":NaN}"#, #"{"a":True}"#, #"{"a":nul}"#, "{\"a\":\"\n\"}", #"{"a":"\x"}"#,
            #"{"a":"\u12g4"}"#, #"{"a":"\u12"#, #"{"a":"b"#, #"{"a":[1,]}"#, #"{"a":[1 2]}"#, #"{"a":{"b"}}"#,
            #"{"a":[}"#,
            #"{"a":{]}"#, #"{"a" "b"}"#, "\u{FEFF}{}", #"{"a":-}"#, #"{"a":[{"b":1]}"#, "{\"a\":\u{A0}1}",
        ]
    )
    func refuses(_ text: String) {
        #expect(JSONTopLevel.strings(of: text) == nil)
    }

    @Test("nesting is bounded, and what nests a hundred thousand times is refused without recursion")
    func depth() {
        func nested(_ count: Int) -> String {
            #"{"a":"# + String(repeating: "[", count: count) + String(repeating: "]", count: count) + "}"
        }
        // The innermost array is empty and is not entered.
        #expect(JSONTopLevel.strings(of: nested(JSONTopLevel.deepest + 1)) == [:])
        #expect(JSONTopLevel.strings(of: nested(JSONTopLevel.deepest + 2)) == nil)
        #expect(JSONTopLevel.strings(of: nested(100_000)) == nil)
        #expect(JSONTopLevel.strings(of: String(repeating: #"{"a":"#, count: 100_000)) == nil)
    }

    @Test("each platform gets the text of its own key, or the default, or nothing")
    func platforms() throws {
        let text = try PublishedText(#"{"default":"d","APNS":"{}","GCM":"g","https":"h"}"#, structure: "json")
        #expect(text.text(for: PlatformApplication.Kind.apns) == .payload("{}"))
        #expect(text.text(for: PlatformApplication.Kind.apnsSandbox) == .plain("d"))
        #expect(text.text(for: PlatformApplication.Kind.gcm) == .payload("g"))
        #expect(text.text(for: "https") == "h")
        #expect(text.text(for: "http") == "d")
        let only = try PublishedText(#"{"APNS_VOIP":"{}"}"#, structure: "json")
        #expect(only.text(for: PlatformApplication.Kind.voIP) == .payload("{}"))
        #expect(only.text(for: PlatformApplication.Kind.apns) == nil)
        let plain = try PublishedText(#"{"APNS":"{}"}"#, structure: nil)
        #expect(plain.text(for: PlatformApplication.Kind.apns) == .plain(#"{"APNS":"{}"}"#))
    }

    @Test("a message that is no JSON object and one without a default are refused, unless the structure is another")
    func structure() throws {
        for structure in ["", "string", "JSON", "xml"] {
            #expect(try PublishedText("{", structure: structure) == PublishedText("{"))
        }
        #expect(
            PublishingForm.refusal { try PublishedText("{", structure: "json") }
                == .invalidParameter("Message Structure - JSON message body failed to parse")
        )
        for message in ["{}", #"{"default":1}"#, #"{"APNS":"{}"}"#] {
            #expect(
                PublishingForm.refusal { try PublishedText(message, structure: "json").requireDefault() }
                    == .invalidParameter("Message Structure - No default entry in JSON message body")
            )
        }
        try PublishedText(#"{"default":""}"#, structure: "json").requireDefault()
    }
}
