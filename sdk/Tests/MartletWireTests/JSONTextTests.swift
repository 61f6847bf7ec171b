import Foundation
import MartletWire
import Testing

@Suite struct JSONTextTests {
    @Test(
        "values are written compactly and with their members in order",
        arguments: [
            (.null, "null"), (true, "true"), (false, "false"), (-7, "-7"), (.integer(.max), "9223372036854775807"),
            (.number(0.5), "0.5"), (.number(3), "3"), (.number(1e300), "1e+300"),
            ("a/b", "\"a/b\""), ("ü🚋\u{7F}", "\"ü🚋\u{7F}\""),
            ("\"\\\u{8}\t\n\u{C}\r\u{1}\u{1F}", #""\"\\\b\t\n\f\r\u0001\u001f""#),
            ([], "[]"), ([1, "a", []], "[1,\"a\",[]]"), ([:], "{}"),
            (["b": 1, "a": ["z": .null, "é": 2, "A": 3]], #"{"a":{"A":3,"z":null,"é":2},"b":1}"#),
        ] as [(JSONValue, String)]
    )
    func written(value: JSONValue, text: String) throws {
        var json = JSONText()
        try json.write(value)
        #expect(json.text == text)
        #expect(try JSONValue(json: Data(json.bytes)).json() == value.json())
    }

    @Test(
        "a number that was read is written as it was",
        arguments: ["-0", "1.0", "1.10", "1e5", "1E+2", "17055628018016613580", "3.14159265358979323846", "0.00001"]
    )
    func kept(number: String) throws {
        #expect(try JSONValue(json: Data("[\(number)]".utf8)).json() == Data("[\(number)]".utf8))
    }

    @Test("Foundation's coders lose no digit of whole numbers of 64 bits and of decimals of 38 digits")
    func coded() throws {
        for number in ["17055628018016613580", "3.14159265358979323846", "0.1"] {
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(number.utf8))
            #expect(try value.json() == Data(number.utf8))
            #expect(String(decoding: try JSONEncoder().encode(value), as: UTF8.self) == number)
        }
    }

    @Test("a number that JSON cannot hold is refused", arguments: [Double.infinity, -.infinity, .nan])
    func refused(number: Double) {
        var json = JSONText()
        #expect(throws: JSONText.NumberError.self) { try json.write(["a": .array([.number(number)])]) }
    }
}
