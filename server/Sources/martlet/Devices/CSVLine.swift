import MartletWire

/// One row of CSV (RFC 4180). Nothing that is imported has a line break inside of a field, so a row is a line, and a
/// quotation mark that is not closed spoils no other.
enum CSVLine {
    private static let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))

    /// The fields of a line without its line break.
    ///
    /// - Throws: `CommandFailure` when quotation marks are not where they have to be, or the line is not UTF-8.
    static func fields(_ line: [UInt8]) throws(CommandFailure) -> [String] {
        var fields: [String] = []
        var rest = line[...]
        while true {
            let bytes = rest.first == quote ? try quoted(&rest) : try plain(&rest)
            guard let field = String(validating: bytes, as: UTF8.self) else {
                throw .unreadableLine("The line is not UTF-8.")
            }
            fields.append(field)
            guard rest.first == comma else { return fields }
            rest.removeFirst()
        }
    }

    private static func plain(_ rest: inout ArraySlice<UInt8>) throws(CommandFailure) -> [UInt8] {
        let bytes = rest.prefix { $0 != comma }
        guard !bytes.contains(quote) else {
            throw .unreadableLine("A field with a quotation mark has to begin and end with one.")
        }
        rest.removeFirst(bytes.count)
        return Array(bytes)
    }

    private static func quoted(_ rest: inout ArraySlice<UInt8>) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        rest.removeFirst()
        while let end = rest.firstIndex(of: quote) {
            bytes += rest[..<end]
            rest = rest[(end + 1)...]
            // Of two quotation marks in a row one is meant.
            guard rest.first == quote else {
                guard rest.isEmpty || rest.first == comma else {
                    throw .unreadableLine("Only a comma may follow a closing quotation mark.")
                }
                return bytes
            }
            bytes.append(quote)
            rest.removeFirst()
        }
        throw .unreadableLine("A quotation mark is not closed in its line.")
    }
}

extension CommandFailure {
    /// A line of a file that cannot be read.
    static func unreadableLine(_ message: String) -> CommandFailure {
        CommandFailure(ErrorBody.Detail(code: .malformedRequest, message: message))
    }
}
