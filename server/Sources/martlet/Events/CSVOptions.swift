import ArgumentParser
import MartletCore
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
        guard case .string(let text) = value else { return value.cell ?? "" }
        return CSVRow.field(text, keepsFormulas: raw)
    }
}
