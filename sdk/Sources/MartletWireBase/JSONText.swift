/// JSON text as it is written, without a tree of boxes in between: a payload and a stored document are made for every
/// request, and Foundation's encoder took a tenth of what a request costs.
public struct JSONText: Sendable, Hashable {
    /// A number that JSON cannot hold: infinity, or none.
    public struct NumberError: Error {}

    /// What was written.
    public private(set) var bytes: [UInt8] = []

    /// No text yet.
    public init() {}

    /// The bytes as a string.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes a value; the members of an object by ascending name, so that equal values are equal bytes.
    ///
    /// - Throws: ``NumberError``.
    public mutating func write(_ value: JSONValue) throws(NumberError) {
        switch value {
        case .null: write(literal: "null")
        case .bool(let value): write(literal: value ? "true" : "false")
        case .integer(let value): bytes.append(contentsOf: value.description.utf8)
        case .number(let value): try write(value)
        case .decimal(let text): bytes.append(contentsOf: text.utf8)
        case .string(let text): write(text)
        case .array(let elements):
            write(literal: "[")
            for (index, element) in elements.enumerated() {
                if index > 0 { write(literal: ",") }
                try write(element)
            }
            write(literal: "]")
        case .object(let members):
            write(literal: "{")
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { write(literal: ",") }
                write(member.key)
                write(literal: ":")
                try write(member.value)
            }
            write(literal: "}")
        }
    }

    /// Writes a string with its quotes, escaped as RFC 8259, section 7, asks for and no further.
    public mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { units in
            // As a rule nothing is escaped.
            guard units.contains(where: Self.isEscaped) else { return bytes.append(contentsOf: units) }
            for unit in units { if Self.isEscaped(unit) { escape(unit) } else { bytes.append(unit) } }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes what is JSON already, such as a bracket or a comma.
    public mutating func write(literal: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Writes text that is JSON already.
    public mutating func write(raw text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func write(_ number: Double) throws(NumberError) {
        guard number.isFinite else { throw NumberError() }
        bytes.append(contentsOf: Self.text(of: number).utf8)
    }

    /// A finite number as it is written.
    static func text(of number: Double) -> String {
        let text = number.description
        return String(text.dropLast(text.hasSuffix(".0") ? 2 : 0))
    }

    private static func isEscaped(_ unit: UInt8) -> Bool {
        unit < 0x20 || unit == UInt8(ascii: "\"") || unit == UInt8(ascii: "\\")
    }

    private mutating func escape(_ unit: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch unit {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(unit)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            let digits: StaticString = "0123456789abcdef"
            write(literal: "u00")
            bytes.append(digits.utf8Start[Int(unit >> 4)])
            bytes.append(digits.utf8Start[Int(unit & 15)])
        }
    }
}
