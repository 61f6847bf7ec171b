/// Why a text is not JSON, in the words of Jackson, which Amazon SNS passes on.
struct JSONSyntaxError: Error, Equatable {
    /// What is wrong, without the place.
    var reason: String
    /// Where: the byte at which the reader stood.
    var offset: Int

    /// What Jackson says in place of a source that it does not quote.
    static let redacted = "REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled)"

    /// What a value may be.
    static let values = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"

    /// The reason and the place in this text, as Jackson ends its messages.
    func message(in bytes: [UInt8]) -> String {
        "\(reason)\n at [Source: \(Self.redacted); \(Self.place(offset, in: bytes))]"
    }

    /// Line and column of a byte, both from 1; a column is a UTF-16 code unit.
    static func place(_ offset: Int, in bytes: [UInt8]) -> String {
        let before = bytes.prefix(offset)
        let line = before.reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return "line: \(line), column: \(Text.units(before[start...]) + 1)"
    }

    /// A character as Jackson shows it: `'i' (code 105)`.
    static func describe(_ bytes: ArraySlice<UInt8>) -> String {
        guard let first = bytes.first else { return "(end)" }
        if first < 0x20 || first == 0x7F { return "(CTRL-CHAR, code \(first))" }
        guard let scalar = String(decoding: bytes.prefix(4), as: UTF8.self).unicodeScalars.first else { return "(end)" }
        let code = scalar.value > 0xFFFF ? (scalar.value - 0x10000) >> 10 + 0xD800 : scalar.value
        return code > 255
            ? "'\(scalar)' (code \(code) / 0x\(String(code, radix: 16)))" : "'\(scalar)' (code \(code))"
    }
}
