import MartletCore

/// Where a list names nobody, as a form carries it on when the file itself is gone: how many lines, and the first of them. A
/// pure value.
struct BadLineNumbers: Sendable, Hashable {
    var count: Int
    var numbers: [Int]

    /// Those of a list; `nil` where all its lines name somebody.
    init?(_ list: PeopleList) {
        guard list.badCount > 0 else { return nil }
        (count, numbers) = (list.badCount, list.badLines.map(\.number))
    }

    /// What stands in a form's field, which anybody may have written.
    init?(field: String) {
        let words = field.split(separator: " ").prefix(PeopleList.shownLimit + 1).compactMap { UInt32($0) }.map(
            Int.init
        )
        guard let count = words.first, count > 0 else { return nil }
        self.count = count
        numbers = Array(words.dropFirst())
    }

    /// What stands in the field: the count and the lines.
    var field: String { ([count] + numbers).map(String.init).joined(separator: " ") }

    /// A sentence that has the count as `{n}` and the lines as `{lines}`.
    func sentence(_ key: String, _ texts: Texts) -> String {
        let lines = numbers.map { Texts.number($0) }.joined(separator: ", ") + (count > numbers.count ? " …" : "")
        return texts.counted(key, count).replacing("{lines}", with: lines)
    }
}

extension ComposeForm {
    /// The lines of a file that name nobody.
    var fileBadLines: BadLineNumbers? { BadLineNumbers(field: self[.badLines]) }

    /// What of its lists is left out, where that is what its box says.
    var leftOut: [BadLineNumbers] {
        guard kind == .users else { return [] }
        return [fileBadLines, BadLineNumbers(PeopleList(typed: self[.users]))].compactMap(\.self)
    }
}
