import Testing

@testable import MartletFilter

/// The small parts, as tables.
@Suite struct ReadingTests {
    private func number(_ text: String) -> FilterNumber? { FilterNumber(Array(text.utf8)[...]) }

    @Test("numbers are in their order, and equal numbers are one, however they are written")
    func numbers() throws {
        let ascending = [
            "-1e40", "-1e13", "-1000000000000", "-999999999999.999999", "-1.5", "-0.000001", "0", "0.000001", "1",
            "1.000001", "999999999999.999999", "1000000000000", "1000000000000.000001", "1e13", "1.1e13", "2e13",
            "1e40",
        ]
        for (index, low) in ascending.enumerated() {
            for high in ascending[(index + 1)...] {
                let (one, other) = (try #require(number(low)), try #require(number(high)))
                #expect(one < other && !(other < one) && one != other, "\(low) < \(high)")
                #expect(one.clamped <= other.clamped)
            }
        }
        for (one, other) in [
            ("1", "1.0"), ("1", "10e-1"), ("+1", "001"), (".5", "0.5"), ("5.", "5"), ("-0.0000009", "0"),
            ("1e13", "10000000000000"), ("1000000000000", "1e12"), ("12345678901234.1234567", "12345678901234.1234569"),
        ] {
            #expect(try #require(number(one)) == #require(number(other)))
        }
        for text in ["", "-", ".", "e5", "1e", "1e+", "1x", "0x10", "1 ", "NaN", "--1", "1.2.3", "\u{661}"] {
            #expect(number(text) == nil, "\(text)")
        }
    }

    @Test("Java's way to write a number")
    func javaNumbers() {
        for (text, expected) in [
            ("1", "1"), ("-0", "0"), ("1.50", "1.5"), ("1e2", "100.0"), ("1e7", "1.0E7"),
            ("123456789.5", "1.234567895E8"),
            ("0.001", "0.001"), ("0.00012", "1.2E-4"), ("-2.5e-10", "-2.5E-10"), ("0.0", "0.0"),
            ("9999999.0", "9999999.0"),
            ("12345678901234567890", "12345678901234567890"), ("1e999", "1e999"),
        ] {
            #expect(JavaNumber.text(of: Text(text)).string == expected)
        }
    }

    @Test("what is an address, what only looks like one, and what does not")
    func addresses() {
        for text in ["1.2.3.4", "::", "::1", "1::", "1:2:3:4:5:6:7:8", "fe80::1:2", "0:0:0:0:0:ffff:1:2"] {
            if case .address = IPAddress.read(Text(text)) {} else { Issue.record("\(text) is an address") }
        }
        for text in [
            "1.2.3.256", "1.2.3.9999999999999999999999", ":::", "1:", ":1", "1::2::3", "12345::", "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9",
        ] {
            #expect(IPAddress.read(Text(text)) == .broken, "\(text)")
        }
        for text in [
            "", "1", "1.2.3", "1.2.3.4.5", "1..2.3", "a.b.c.d", "x::1", "1.2.3.4/8", "::1.2.3.4", "fe80::1%eth0",
        ] {
            #expect(IPAddress.read(Text(text)) == .other, "\(text)")
        }
        #expect(IPAddress.read("::ffff:102:304") == IPAddress.read("1.2.3.4"))
    }

    @Test("escapes become the characters that they name")
    func escapes() throws {
        var tokenizer = JSONTokenizer(Array(#""\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00\ud83dx""#.utf8))
        #expect(try tokenizer.next() == .string)
        let expected = Array("\"\\/\u{8}\u{C}\n\r\té€😀".utf8) + [0xED, 0xA0, 0xBD] + Array("x".utf8)
        #expect(try tokenizer.text().bytes == expected)
        #expect(try tokenizer.next() == .end)
    }

    @Test("paths that nobody keeps are forgotten, and their places are used again")
    func paths() {
        var tree = PathTree()
        let one = tree.retain(["a", "b"])
        let two = tree.retain(["a"])
        #expect(tree.retain(["a", "b"]) == one)
        tree.release(one)
        #expect(tree.node(["a", "b"]) == one)
        tree.release(one)
        #expect(tree.node(["a", "b"]) == nil && tree.node(["a"]) == two)
        let count = tree.count
        #expect(tree.retain(["c"]) == one && tree.count == count)
        tree.release(two)
        #expect(tree.node(["a"]) == nil)
    }
}
