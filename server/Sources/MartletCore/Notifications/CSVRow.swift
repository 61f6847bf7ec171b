/// A line of CSV (RFC 4180) that no spreadsheet runs: texts come from phones, users and providers.
package enum CSVRow {
    /// A line with its line break; a cell of `nil` is empty.
    package static func line(_ cells: [String?]) -> String {
        cells.map { $0.map { field($0) } ?? "" }.joined(separator: ",") + "\r\n"
    }

    /// A text in quotation marks, those in it twice. By scalars: a mark with an accent is another character and still one.
    package static func quoted(_ text: String) -> String {
        var scalars = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars {
            if scalar == "\"" { scalars.append(scalar) }
            scalars.append(scalar)
        }
        scalars.append("\"")
        return String(scalars)
    }

    /// A text as a field.
    ///
    /// - Parameter keepsFormulas: whether a text that a spreadsheet reads as a formula stays as it is.
    package static func field(_ text: String, keepsFormulas: Bool = false) -> String {
        var text = text
        // What spreadsheets begin a formula with; a tab or a line break before it does not keep them from it.
        if !keepsFormulas, let first = text.unicodeScalars.first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) {
            text = "'" + text
        }
        // Some programs end a field at a semicolon or a tab too, outside quotation marks, and would find a formula behind.
        guard text.unicodeScalars.contains(where: { "\",;\t\r\n".unicodeScalars.contains($0) }) else { return text }
        return quoted(text)
    }
}
