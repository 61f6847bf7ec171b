import ArgumentParser
import MartletWire

/// Whether and how rows are written as CSV (RFC 4180).
struct CSVOptions: ParsableArguments {
    @Flag(help: "Print CSV (RFC 4180), the columns' names first.")
    var csv = false
    @Flag(
        help: ArgumentHelp(
            "Keep texts that a spreadsheet reads as formulas.",
            discussion: "Without it, such a text gets an apostrophe in front, because phones write these texts."
        )
    )
    var raw = false

    /// A row with its line break.
    func line(_ values: [JSONValue]) -> String { values.map(field).joined(separator: ",") + "\r\n" }

    private func field(_ value: JSONValue) -> String {
        guard case .string(var text) = value else { return value.cell ?? "" }
        // What spreadsheets begin a formula with; a tab or a line break before it does not keep them from it.
        if !raw, let first = text.unicodeScalars.first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) {
            text = "'" + text
        }
        // Some programs end a field at a semicolon or a tab too, outside quotation marks, and would find a formula behind.
        guard text.unicodeScalars.contains(where: { "\",;\t\r\n".unicodeScalars.contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
