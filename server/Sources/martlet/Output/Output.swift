import Foundation
import MartletCore
import MartletWire

/// Where commands print: tables for people, or JSON for programs, on standard output.
struct Output: Sendable {
    /// Whether programs read it.
    var isJSON: Bool
    /// Whether tables are as wide as what is in them, on a terminal too.
    var isWide = false

    /// Prints one thing as pairs, or as `{"data":{…}}`.
    func show<Data: Encodable & Sendable>(_ data: Data, pairs: [(String, String?)]) throws {
        if isJSON { try json(Item(data)) } else { lines(Table.pairs(pairs)) }
    }

    /// Prints a list as a table, or as `{"data":[…],"next":"…"}`.
    func show<Element: Encodable & Sendable>(
        _ list: List<Element>,
        columns: [Column<Element>],
        empty: String
    ) throws {
        if isJSON { return try json(list) }
        if list.data.isEmpty { return lines([empty]) }
        table(Table(list.data, columns: columns))
        if let next = list.next { lines(["", "There is more: --cursor \(next)"]) }
    }

    /// Prints a sentence for people; programs get `data` instead.
    func say(_ sentence: String, data: some Encodable & Sendable) throws {
        if isJSON { try json(Item(data)) } else { lines([sentence]) }
    }

    /// Prints a document as indented JSON with sorted keys.
    func json(_ document: some Encodable) throws {
        write(try JSONText(indented: document).text + "\n")
    }

    /// Prints a document as JSON on one line.
    func jsonLine(_ document: some Encodable) throws {
        write(try JSONText(document).text + "\n")
    }

    /// Prints a table; on a terminal one that fits it. What reads a pipe gets whole ids.
    func table(_ table: Table) { lines(table.lines(fitting: columns)) }

    /// How wide what is printed may be; `nil` where it is as wide as it is.
    var columns: Int? { isWide ? nil : Terminal.columns }

    /// Prints lines.
    func lines(_ lines: [String]) { write(lines.map { $0 + "\n" }.joined()) }

    /// Prints text as it is.
    func write(_ text: String) { StandardStream.output(text) }
}
