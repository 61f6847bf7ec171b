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
