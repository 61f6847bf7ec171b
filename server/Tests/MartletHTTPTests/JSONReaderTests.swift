import Foundation
import MartletWire
import Testing

@testable import MartletHTTP

@Suite("The JSON reader")
struct JSONReaderTests {
    static let valid = [
        "{}", "[]", "null", "true", " [1, 2.5, -0.015 ] ", #"{"a":{"b":[null,false]}}"#,
        #""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é😀""#, "9223372036854775807", "-9223372036854775808",
        "9223372036854775808",
    ]

    @Test("reads what JSON is, as the standard decoder does", arguments: valid)
    func reads(_ text: String) throws {
        #expect(try JSONReader.read(Array(text.utf8)) == JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)))
    }

    @Test("keeps numbers as they are written")
    func numbers() throws {
        let found = try JSONReader.read(Array("[-0, 1e3, 1.10, 0.5, 9007199254740993, 17055628018016613580]".utf8))
        #expect(
            found == [
                .number(0), .decimal("1e3"), .decimal("1.10"), .number(0.5), 9_007_199_254_740_993,
                .decimal("17055628018016613580"),
            ]
        )
    }

    @Test("says the byte and the line at which a text is broken")
    func place() {
        let error = #expect(throws: JSONReader.SyntaxError.self) {
            try JSONReader.read(Array("{\"a\":1,\n}".utf8))
        }
        #expect(error?.reason == "A member's name is expected" && error?.position == 8 && error?.line == 2)
    }

    static let broken = [
        "", " ", "{", "}", "[1,]", #"{"a":1,}"#, #"{"a" 1}"#, "{a:1}", "01", "1.", ".5", "+1", "-", "1e", "tru", "nul",
        "NaN", "1 2", #""a"#, "\"\u{01}\"", #""\x""#, #""\u12""#, #""\udc00""#, #""\ud800x""#, #""\u0000""#,
        #"{"a":1,"a":2}"#, "1e999", "'a'", "\u{feff}{}", "[1", #"{"a":"#,
        String(repeating: "[", count: 100_000),
    ]

    @Test("refuses what JSON is not", arguments: broken)
    func refuses(_ text: String) {
        #expect(throws: (any Error).self) { try JSONReader.read(Array(text.utf8)) }
    }

    @Test("refuses bytes that are not UTF-8")
    func refusesBytes() {
        #expect(throws: (any Error).self) { try JSONReader.read([0x22, 0xC3, 0x28, 0x22]) }
        #expect(throws: (any Error).self) { try JSONReader.read([0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test("never crashes on a text that is cut or changed anywhere")
    func survivesDamage() throws {
        let text = Array(Fixture.fullNotification.utf8)
        for index in text.indices {
            _ = try? JSONReader.read(Array(text[..<index]))
            for byte: UInt8 in [0x00, 0x22, 0x5C, 0x7B, 0x80, 0xFF] {
                var damaged = text
                damaged[index] = byte
                if let value = try? JSONReader.read(damaged) {
                    try? NotificationRequest.schema.check(value)
                }
            }
        }
        #expect(try JSONReader.read(text)["title"] == "t")
    }
}
