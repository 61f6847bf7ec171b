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
    }

    /// A line that names nobody.
    struct BadLine: Sendable, Hashable {
        var number: Int
        /// The beginning of what stands there.
        var text: String
        var problem: Problem
    }

    /// Those who are named, in their order, each once.
    private(set) var people: [String] = []
    /// The first lines that name nobody.
    private(set) var badLines: [BadLine] = []
    private(set) var badCount = 0
    /// How many lines name somebody again.
    private(set) var repeatedCount = 0
    /// Whether there were columns that nobody looked at.
    private(set) var hasMoreColumns = false

    /// How many bad lines are shown.
    static let shownLimit = 20

    /// What was typed: one person a line, or several with commas between them.
    init(typed text: String) {
        var reader = SeparatedValues(text, separators: [","])
        var seen: Set<[UInt8]> = []
        while let row = reader.next() {
            for cell in row.cells where !cell.isEmpty { add(cell, at: row.number, &seen) }
        }
    }

    /// A file of comma-separated values (RFC 4180), also with semicolons or tabs: people stand in the first column, below
    /// a heading or without one.
    init(file text: String) {
        var reader = SeparatedValues(text, separators: [",", ";", "\t"])
        var seen: Set<[UInt8]> = []
        var isFirst = true
        while let row = reader.next() {
            let cell = row.cells[0]
            defer { isFirst = false }
            if isFirst, Self.headings.contains(cell.lowercased()) { continue }
            if row.cells.count > 1 { hasMoreColumns = true }
            if cell.isEmpty {
                if row.cells.contains(where: { !$0.isEmpty }) { addBad(cell, at: row.number, .isEmpty) }
            } else {
                add(cell, at: row.number, &seen)
            }
        }
    }

    /// What stands above a column of people.
    private static let headings: Set<String> = [
        "user", "users", "user_id", "user id", "userid", "user_ids", "id", "external_id", "ユーザー", "ユーザーid",
    ]

    private mutating func add(_ text: String, at line: Int, _ seen: inout Set<[UInt8]>) {
        if let problem = Self.problem(of: text) { return addBad(text, at: line, problem) }
        if seen.insert(Array(text.utf8)).inserted { people.append(text) } else { repeatedCount += 1 }
    }

    private mutating func addBad(_ text: String, at line: Int, _ problem: Problem) {
        badCount += 1
        guard badLines.count < Self.shownLimit else { return }
        badLines.append(BadLine(number: line, text: String(text.prefix(60)), problem: problem))
    }

    private static func problem(of text: String) -> Problem? {
        if text.unicodeScalars.contains("\u{FFFD}") { return .isUnreadable }
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
            let isPlain = !person.contains { $0 == "," || $0 == "\"" }
            return isPlain ? person : "\"" + person.replacing("\"", with: "\"\"") + "\""
        }
        .joined(separator: "\n")
    }
}

/// Reads separated values row by row. A pure value.
private struct SeparatedValues {
    /// The cells of a line that is not blank, without spaces around them.
    struct Row {
        var number: Int
        var cells: [String]
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

    mutating func next() -> Row? {
        while position < scalars.count {
            let number = line
            let cells = readLine()
            if cells.count > 1 || !cells[0].isEmpty { return Row(number: number, cells: cells) }
        }
        return nil
    }

    private mutating func readLine() -> [String] {
        var cells: [String] = []
        var cell = String.UnicodeScalarView()
        var isQuoted = false
        while position < scalars.count {
            let scalar = scalars[position]
            position += 1
            if scalar == "\"" {
                if !isQuoted, cell.allSatisfy({ $0 == " " }) {
                    isQuoted = true
                    cell = String.UnicodeScalarView()
                } else if isQuoted, position < scalars.count, scalars[position] == "\"" {
                    position += 1
                    cell.append(scalar)
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
                cells.append(Self.trimmed(cell))
                cell = String.UnicodeScalarView()
            } else {
                cell.append(scalar)
            }
        }
        return cells + [Self.trimmed(cell)]
    }

    private static func trimmed(_ cell: String.UnicodeScalarView) -> String {
        let blank: Set<Unicode.Scalar> = [" ", "\t", "\u{A0}", "\u{3000}"]
        let begin = cell.drop { blank.contains($0) }
        guard let end = begin.lastIndex(where: { !blank.contains($0) }) else { return "" }
        return String(String.UnicodeScalarView(begin[...end]))
    }
}
