/// A table for people: a head, rows, columns two spaces apart.
struct Table {
    /// The columns' titles.
    var head: [String]
    /// The rows; a cell of `nil` is shown as a dash.
    var rows: [[String?]]

    /// The lines, without spaces at their ends.
    var lines: [String] {
        let cells = [head] + rows.map { row in row.map { TextWidth.printable($0 ?? "–") } }
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

extension Table {
    /// Pairs of a name and a value, one a line; pairs without a value are left out.
    static func pairs(_ pairs: [(String, String?)]) -> [String] {
        let known = pairs.compactMap { name, value in value.map { (name, TextWidth.printable($0)) } }
        let width = known.map { TextWidth.columns(of: $0.0) }.max() ?? 0
        return known.map { name, value in
            name + String(repeating: " ", count: width - TextWidth.columns(of: name) + 2) + value
        }
    }
}
