import Foundation
import Testing

@testable import PushNotificationSDKCore

@Suite struct EventStreamParserTests {
    private func events(_ text: String) throws -> [StreamEvent] {
        var parser = EventStreamParser()
        return try parser.take(Array(text.utf8))
    }

    @Test("an event comes out whole, wherever its bytes are cut", arguments: ["\n", "\r\n", "\r"])
    func cuts(_ end: String) throws {
        let lines = [
            ": hello", "event: changed", "id: 7", "data: {\"a\":", "data:\"é\"}", "", ": again", "", "data: 2", "", "",
        ]
        let bytes = Array(lines.joined(separator: end).utf8)
        let wanted = [
            StreamEvent(name: "changed", data: "{\"a\":\n\"é\"}", id: "7"), StreamEvent(data: "2", id: "7"),
        ]
        for cut in 0...bytes.count {
            var parser = EventStreamParser()
            let found = try parser.take(bytes[..<cut]) + parser.take(bytes[cut...])
            #expect(found == wanted, "cut at \(cut)")
        }
        var parser = EventStreamParser()
        #expect(try bytes.flatMap { try parser.take([$0]) } == wanted)
    }

    @Test("fields are read as the standard says it")
    func fields() throws {
        let cases: [(String, [StreamEvent])] = [
            ("\u{FEFF}data:1\n\n", [StreamEvent(data: "1")]),
            ("data\n\n", [StreamEvent(data: "")]),
            ("data:  two\n\n", [StreamEvent(data: " two")]),
            ("event: x\n\ndata: 1\n\n", [StreamEvent(data: "1")]),
            ("event:\ndata: 1\n\n", [StreamEvent(data: "1")]),
            ("id: 1\ndata: a\n\nid\ndata: b\n\n", [StreamEvent(data: "a", id: "1"), StreamEvent(data: "b")]),
            ("id: 1\0\ndata: a\n\n", [StreamEvent(data: "a")]),
            ("retry: 5\nother: 1\nnothing\n\n", []),
            (":\n:\n\n\n", []),
            ("data: not ended", []),
        ]
        for (text, wanted) in cases { #expect(try events(text) == wanted, "\(text)") }
    }

    @Test("what is too long ends the stream, and what is as long as allowed does not")
    func bounds() throws {
        let bound = EventStreamParser.bound
        let longest = "data:" + String(repeating: "x", count: bound - 5)
        #expect(try events(longest + "\n\n").first?.data.utf8.count == bound - 5)
        #expect(throws: EventStreamParser.TooLong.self) { try events(longest + "x") }
        #expect(throws: EventStreamParser.TooLong.self) { try events(":" + String(repeating: "x", count: bound)) }
        // Many short lines of one event are bounded too.
        let half = "data:" + String(repeating: "x", count: bound / 2) + "\n"
        #expect(throws: EventStreamParser.TooLong.self) { try events(half + half) }
        let many = String(repeating: "data: 1\n\n", count: 20_000)
        #expect(try events(many).count == 20_000)
    }

    @Test("any bytes are read without an end of the program")
    func anything() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var parser = EventStreamParser()
            let alphabet = Array("\n\r: dataeventi\0".utf8) + [0xFF, 0xC3, 0x80]
            let bytes = (0..<500).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            _ = try parser.take(bytes)
        }
    }
}
