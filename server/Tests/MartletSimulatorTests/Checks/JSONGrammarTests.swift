import Testing

@testable import MartletSimulator

@Suite("JSON grammar")
struct JSONGrammarTests {
    private func isObject(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { JSONGrammar.isObject($0) }
    }

    @Test(
        "takes objects",
        arguments: [
            "{}", " {\n} ", #"{"aps":{"alert":"x"}}"#, #"{"a":[1,-2.5e+3,0.1,true,false,null,[],{}]}"#,
            #"{"a":"\"\\\/\b\f\n\r\té"}"#, #"{"é":"😀"}"#, #"{"a":1,"a":2}"#, #"{"a":0e5}"#,
        ]
    )
    func takes(text: String) {
        #expect(isObject(Array(text.utf8)))
    }

    @Test(
        "refuses everything else",
        arguments: [
            "", " ", "[]", "1", "\"a\"", "null", "{", "}", "{{}", "{}}", "{} {}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
            #"{,}"#, #"{a:1}"#, #"{'a':1}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":-}"#,
            #"{"a":1e}"#, #"{"a":tru}"#, #"{"a":nul"#, #"{"a":NaN}"#, #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#,
            #"{"a":"\u12"#, #"{"a":"b}"#, "{\"a\":\"\n\"}", #"{"a":1 "b":2}"#, #"{"a":[1,]}"#, #"{"a":[1}"#,
            "{\u{FEFF}}", #"{"a":1}x"#, "// {}",
        ]
    )
    func refuses(text: String) {
        #expect(!isObject(Array(text.utf8)))
    }

    @Test("refuses text that is not UTF-8")
    func refusesBadUTF8() {
        #expect(!isObject(Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8)))
        #expect(!isObject(Array(#"{"a":""#.utf8) + [0xC0, 0x80] + Array(#""}"#.utf8)))
    }

    @Test("refuses nesting beyond its bound instead of running out of stack")
    func boundsDepth() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((#"{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}").utf8)
        }
        #expect(isObject(nested(JSONGrammar.maximumDepth - 1)))
        #expect(!isObject(nested(JSONGrammar.maximumDepth)))
        #expect(!isObject(Array(String(repeating: "{\"a\":", count: 1_000).utf8)))
    }
}
