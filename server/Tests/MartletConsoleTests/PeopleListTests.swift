import Testing

@testable import MartletConsole

@Suite("Lists of people, line by line") struct PeopleListTests {
    @Test("typed people are read one a line or between commas, each once")
    func typed() {
        let list = PeopleList(typed: " ann,bob\r\n\ncid  \nann\n\"last, first\"\n")
        #expect(list.people == ["ann", "bob", "cid", "last, first"])
        #expect(list.repeatedCount == 1 && list.badCount == 0)
        #expect(PeopleList(typed: list.text).people == list.people)
        #expect(PeopleList(typed: "").people.isEmpty)
    }

    @Test(
        "a file's first column is read, below a heading or without one",
        arguments: [
            "user_id,name\r\nann,Ann\r\nbob,Bob\r\n", "\u{FEFF}User ID;name\nann;Ann\nbob;Bob", "ann\tAnn\nbob\tBob",
            "id\rann\rbob", "\"ann\",\"x,y\"\n\n\n\"bob\"",
        ]
    )
    func file(text: String) { #expect(PeopleList(file: text).people == ["ann", "bob"]) }

    @Test("a line that names nobody is told with its number, and the rest is read")
    func badLines() {
        let long = String(repeating: "x", count: 257)
        let list = PeopleList(file: "user\nann\n,Bob\n\(long)\na\u{7}b\nc\u{FFFD}d\neve\n")
        #expect(list.people == ["ann", "eve"])
        #expect(list.badLines.map(\.number) == [3, 4, 5, 6])
        #expect(list.badLines.map(\.problem) == [.isEmpty, .isTooLong, .hasControlCharacters, .isUnreadable])
        #expect(list.hasMoreColumns)
    }

    @Test("a file in UTF-16 is told once, and a line with a NUL among others is one line")
    func wide() {
        let text = "ann\r\nbob\r\neve\r\n"
        let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let japanese = "山田太郎\r\n上野花子\r\n佐藤上一郎\r\n"
        let big = japanese.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let littleJapanese = japanese.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        for bytes in [[0xFF, 0xFE] + little, little, [0xFE, 0xFF] + big, big, littleJapanese] {
            let list = PeopleList(file: FormFile(name: "x", bytes: bytes).text)
            #expect(list.badLines.map(\.problem) == [.isUTF16] && list.badCount == 1 && list.people == [])
        }
        let one = PeopleList(file: "ann\nb\0b\neve\nadam\n")
        #expect(one.people == ["ann", "eve", "adam"] && one.badLines.map(\.problem) == [.isUnreadable])
    }

    @Test("no more bad lines are kept than are shown, and all are counted")
    func many() {
        let list = PeopleList(file: (0..<500).map { _ in "\u{FFFD}" }.joined(separator: "\n"))
        #expect(list.badCount == 500 && list.badLines.count == PeopleList.shownLimit)
    }

    @Test("a quotation mark that is never closed takes one line and no more")
    func openQuotation() {
        #expect(PeopleList(typed: "\"ann\n\"bob\ncid").people == ["ann", "bob", "cid"])
        #expect(PeopleList(file: "\"a\"\"b\"\nc").people == ["a\"b", "c"])
    }
}
