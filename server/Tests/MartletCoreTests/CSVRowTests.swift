import Testing

@testable import MartletCore

@Suite("CSV")
struct CSVRowTests {
    @Test(
        "fields are quoted where they have to be, and no spreadsheet runs one",
        arguments: [
            ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("a;b", "\"a;b\""),
            ("line\r\nbreak", "\"line\r\nbreak\""), ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"),
            ("\t=1", "\"'\t=1\""), ("＝1", "'＝1"), ("", ""), ("é", "é"), ("a=b", "a=b"),
        ]
    )
    func field(text: String, expected: String) {
        #expect(CSVRow.field(text) == expected)
    }

    @Test("a line ends as RFC 4180 wants it, and what is missing is empty")
    func line() {
        #expect(CSVRow.line(["a", nil, "b"]) == "a,,b\r\n")
        #expect(CSVRow.field("=1", keepsFormulas: true) == "=1")
    }
}
