import MartletCore
import MartletWire

/// A list of people, checked line by line. A pure value.
struct PeopleList: Sendable, Hashable {
    /// What is wrong with a line.
    enum Problem: String, Sendable, Hashable {
        case isEmpty = "empty"
        case isTooLong = "too_long"
        case hasControlCharacters = "control"
        /// It is no UTF-8.
        case isUnreadable = "encoding"
        /// The whole file has 16 bits a character.
        case isUTF16 = "utf16"
    }

    /// A line that names nobody.
    struct BadLine: Sendable, Hashable {
        var number: Int
        /// The beginning of what stands there.
        var text: String
        var problem: Problem
    }

    /// Those who are named, in their order, each once; of a list that is too long, the first.
    private(set) var people: [String] = []
    /// The first lines that name nobody.
    private(set) var badLines: [BadLine] = []
    private(set) var badCount = 0
    /// How many are named. Those of a list that is too long are counted as often as they are named: they are not kept.
    private(set) var count = 0
    /// How many lines name somebody again.
    private(set) var repeatedCount = 0
    /// Whether there were columns that nobody looked at.
    private(set) var hasMoreColumns = false

    /// How many bad lines are shown.
    static let shownLimit = 20
    /// How many characters are shown of a bad line.
    private static let excerpt = 60

    /// Whether more people are named than a notification may name.
    var isTooLong: Bool { count > Audience.limit }

    /// What was typed: one person a line, or several with commas between them.
    init(typed text: String) {
        var reader = SeparatedValues(text, separators: [","])
        var seen: Set<[UInt8]> = []
        while let cell = reader.next() {
            if !cell.text.isEmpty { add(cell.text, at: cell.line, &seen) }
        }
    }

    /// A file of comma-separated values (RFC 4180), also with semicolons or tabs: people stand in the first column, below
    /// a heading or without one.
    init(file text: String) {
        var reader = SeparatedValues(text, separators: [",", ";", "\t"])
        guard !Self.isUTF16(text) else {
            addBad("", at: 1, .isUTF16)
            return
        }
        var seen: Set<[UInt8]> = []
        var isFirst = true
        while let row = reader.nextRow() {
            let cell = row.first
            defer { isFirst = false }
            if isFirst, Self.headings.contains(cell.lowercased()) { continue }
            if row.hasMore { hasMoreColumns = true }
            if !cell.isEmpty {
                add(cell, at: row.line, &seen)
            } else if row.saysMore {
                addBad(cell, at: row.line, .isEmpty)
            }
        }
    }

    /// Whether a file that was read as UTF-8 is UTF-16: it begins with a byte order mark of that, which is no UTF-8, or
    /// has a NUL beside each character of ASCII, which in Japanese may be only the ends of lines.
    private static func isUTF16(_ text: String) -> Bool {
        let begin = Array(text.unicodeScalars.prefix(1_000))
        if begin.starts(with: ["\u{FFFD}", "\u{FFFD}"]) { return true }
        let ends = begin.indices.filter { begin[$0] == "\n" || begin[$0] == "\r" }
        let wideEnds = ends.count(where: { end in
            begin[max(end - 1, 0)] == "\0" || begin[min(end + 1, begin.count - 1)] == "\0"
        })
        // Half of them: half a character of Japanese may look like the end of a line.
        if wideEnds > 0, wideEnds * 2 >= ends.count { return true }
        return begin.count(where: { $0 == "\0" }) * 4 >= begin.count && !begin.isEmpty
    }

    /// What stands above a column of people.
    private static let headings: Set<String> = [
        "user", "users", "user_id", "user id", "userid", "user_ids", "id", "external_id", "ユーザー", "ユーザーid",
    ]

    private mutating func add(_ text: String, at line: Int, _ seen: inout Set<[UInt8]>) {
        if let problem = Self.problem(of: text) { return addBad(text, at: line, problem) }
        if isTooLong {
            count += 1
        } else if seen.insert(Array(text.utf8)).inserted {
            count += 1
            people.append(text)
        } else {
            repeatedCount += 1
        }
    }

    private mutating func addBad(_ text: String, at line: Int, _ problem: Problem) {
        badCount += 1
        guard badLines.count < Self.shownLimit else { return }
        // Scalars, of which a character may have any number.
        let begin = text.unicodeScalars.prefix(Self.excerpt).filter { $0.value >= 0x20 }
        badLines.append(BadLine(number: line, text: String(String.UnicodeScalarView(begin)), problem: problem))
    }

    private static func problem(of text: String) -> Problem? {
        // A text of 16 bits a character has a NUL beside each of ASCII's.
        if text.unicodeScalars.contains(where: { $0 == "\u{FFFD}" || $0 == "\0" }) { return .isUnreadable }
        if text.utf8.count > 256 { return .isTooLong }
        do throws(Failure) {
            try User.validate(id: text, field: "users")
            return nil
        } catch {
            return .hasControlCharacters
        }
    }

    /// The list as it is typed: one person a line.
    var text: String {
        people.map { person in
            let isPlain = !person.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }
            return isPlain ? person : CSVRow.quoted(person)
        }
        .joined(separator: "\n")
    }
}

/// Reads separated values, one cell after the other: of a line of any length no more than a cell is kept. A pure value.
private struct SeparatedValues {
    /// A cell without spaces around it.
    struct Cell {
        var line: Int
        var text: String
        /// Whether it is the last of its line.
        var isLast: Bool
    }

    /// What is told of a line that is not blank.
    struct Row {
        var line: Int
        var first: String
        /// Whether there are other cells, and whether something stands in one of them.
        var hasMore: Bool
        var saysMore = false
    }

    private let scalars: [Unicode.Scalar]
    private let separators: Set<Unicode.Scalar>
    private var position = 0
    private var line = 1

    init(_ text: String, separators: Set<Unicode.Scalar>) {
        let unmarked =
            text.unicodeScalars.first == "\u{FEFF}" ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
        scalars = Array(unmarked)
        self.separators = separators
    }

    mutating func nextRow() -> Row? {
        while let cell = next() {
            var row = Row(line: cell.line, first: cell.text, hasMore: !cell.isLast)
            var isOver = cell.isLast
            while !isOver, let other = next() {
                row.saysMore = row.saysMore || !other.text.isEmpty
                isOver = other.isLast
            }
            if row.hasMore || !row.first.isEmpty { return row }
        }
        return nil
    }

    mutating func next() -> Cell? {
        guard position < scalars.count else { return nil }
        let number = line
        var cell = String.UnicodeScalarView()
        var (isQuoted, isBlank, isLast) = (false, true, true)
        while position < scalars.count {
            let scalar = scalars[position]
            position += 1
            if scalar == "\"" {
                if !isQuoted, isBlank {
                    isQuoted = true
                    cell = String.UnicodeScalarView()
                } else if isQuoted, position < scalars.count, scalars[position] == "\"" {
                    position += 1
                    cell.append(scalar)
                    isBlank = false
                } else if isQuoted {
                    isQuoted = false
                } else {
                    cell.append(scalar)
                }
            } else if scalar == "\n" || scalar == "\r" {
                // A name has no line break: a quotation mark that is never closed does not take the rest of the list.
                if scalar == "\r", position < scalars.count, scalars[position] == "\n" { position += 1 }
                line += 1
                break
            } else if !isQuoted, separators.contains(scalar) {
                isLast = false
                break
            } else {
                cell.append(scalar)
                isBlank = isBlank && scalar == " "
            }
        }
        return Cell(line: number, text: Self.trimmed(cell), isLast: isLast)
    }

    private static func trimmed(_ cell: String.UnicodeScalarView) -> String {
        let blank: Set<Unicode.Scalar> = [" ", "\t", "\u{A0}", "\u{3000}"]
        let begin = cell.drop { blank.contains($0) }
        guard let end = begin.lastIndex(where: { !blank.contains($0) }) else { return "" }
        return String(String.UnicodeScalarView(begin[...end]))
    }
}
