/// A table for people: a head, rows, columns two spaces apart.
struct Table {
    /// The columns' titles.
    var head: [String]
    /// The rows; a cell of `nil` is shown as a dash.
    var rows: [[String?]]

    /// The lines, without spaces at their ends.
    var lines: [String] { lines(fitting: nil) }

    /// The lines, each at most so many columns wide if that can be: ids keep their last 12 digits, which differ, then the
    /// widest columns lose their ends, down to `leastWidth`.
    func lines(fitting columns: Int?) -> [String] {
        var cells = [head] + rows.map { row in row.map { TextWidth.printable($0 ?? "–") } }
        if let columns { Self.shorten(&cells, to: columns) }
        var widths = Array(repeating: 0, count: head.count)
        for row in cells {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], TextWidth.columns(of: cell)) }
        }
        return cells.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                guard column < row.count - 1 else { break }
                line += String(repeating: " ", count: widths[column] - TextWidth.columns(of: cell) + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

/// A column of a table: its title, and what of a thing is in it.
typealias Column<Element> = (title: String, value: @Sendable (Element) -> String?)

extension Table {
    /// A row for each thing.
    init<Element>(_ elements: [Element], columns: [Column<Element>]) {
        head = columns.map(\.title)
        rows = elements.map { element in columns.map { $0.value(element) } }
    }

    /// A column that is narrower says nothing any more.
    private static let leastWidth = 8

    private static func shorten(_ cells: inout [[String]], to columns: Int) {
        func widths() -> [Int] {
            cells[0].indices.map { column in cells.map { TextWidth.columns(of: $0[column]) }.max() ?? 0 }
        }
        func excess() -> Int { widths().reduce(2 * (cells[0].count - 1), +) - columns }
        guard excess() > 0 else { return }
        for row in cells.indices.dropFirst() {
            for column in cells[row].indices
            where cells[row][column].wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil {
                cells[row][column] = "…" + cells[row][column].suffix(12)
            }
        }
        while case let excess = excess(), excess > 0 {
            let widths = widths()
            guard let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > leastWidth else {
                return
            }
            // Down to the next widest at most, so that the columns lose alike.
            let next = widths.filter { $0 < widths[widest] }.max() ?? leastWidth
            let width = max(leastWidth, next, widths[widest] - excess)
            for row in cells.indices { cells[row][widest] = TextWidth.prefix(of: cells[row][widest], columns: width) }
            if width == widths[widest] { return }
        }
    }
}

extension Table {
    /// Pairs of a name and a value, one a line, or more where a value's words do not fit; pairs without a value are left
    /// out.
    static func pairs(_ pairs: [(String, String?)], fitting columns: Int? = nil) -> [String] {
        let known = pairs.compactMap { name, value in value.map { (name, TextWidth.printable($0)) } }
        let width = known.map { TextWidth.columns(of: $0.0) }.max() ?? 0
        let room = columns.map { max(leastWidth, $0 - width - 2) }
        return known.flatMap { name, value -> [String] in
            let indent = String(repeating: " ", count: width - TextWidth.columns(of: name) + 2)
            let lines = TextWidth.wrapped(value, columns: room)
            return [name + indent + lines[0]] + lines.dropFirst().map { String(repeating: " ", count: width + 2) + $0 }
        }
    }
}
