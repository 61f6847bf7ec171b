import Foundation
import MartletWire
import Testing

@testable import MartletCore

@Suite("A JSON Pointer")
struct JSONPointerTests {
    /// The document and the pointers of RFC 6901, section 5.
    private static let document = #"""
        {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8}
        """#

    private static func value(_ pointer: String, in text: String = document) throws -> JSONValue? {
        try #require(JSONPointer(pointer)).value(in: JSONValue(json: Data(text.utf8)))
    }

    @Test(
        "finds what the RFC's own examples name",
        arguments: [
            ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/foo/1", "baz"), ("/", 0), ("/a~1b", 1), ("/c%d", 2),
            ("/e^f", 3), ("/g|h", 4), (#"/i\j"#, 5), (#"/k"l"#, 6), ("/ ", 7), ("/m~0n", 8),
        ] as [(String, JSONValue)]
    )
    func examples(pointer: String, value: JSONValue) throws {
        #expect(try Self.value(pointer) == value)
    }

    @Test("without a step is the whole document")
    func whole() throws {
        #expect(try Self.value("", in: #""ann""#) == "ann")
    }

    @Test("~01 is a tilde and a one, and no slash")
    func order() throws {
        #expect(try Self.value("/~01", in: #"{"~1": 1, "/": 2}"#) == 1)
    }

    @Test(
        "finds nothing where the document ends before it",
        arguments: ["/none", "/foo/2", "/foo/-", "/foo/00", "/foo/bar", "/a~1b/c"]
    )
    func nothing(pointer: String) throws {
        #expect(try Self.value(pointer) == nil)
    }

    @Test(
        "is refused without a slash in front, with another tilde, and when it is long",
        arguments: ["user_uid", "#/a", "/a~", "/a~2b", "/~~", "/" + String(repeating: "a", count: 256)]
    )
    func refusals(text: String) {
        #expect(JSONPointer(text) == nil)
    }
}
