extension JSONTokenizer {
    /// The last name or string, its escapes replaced.
    ///
    /// - Throws: what is not UTF-8. Half of a surrogate pair that is written as an escape is none of it.
    func text() throws(JSONSyntaxError) -> Text {
        if !isASCII, String(validating: bytes[range], as: UTF8.self) == nil {
            throw JSONSyntaxError(reason: "Invalid UTF-8 in a string", offset: range.lowerBound)
        }
        guard hasEscape else { return Text(Array(bytes[range])) }
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                index += 1
                continue
            }
            let escape = bytes[index + 1]
            guard escape == UInt8(ascii: "u") else {
                text.append(Self.unescaped(escape))
                index += 2
                continue
            }
            var code = unit(at: index + 2)
            index += 6
            if (0xD800..<0xDC00).contains(code), index + 6 <= range.upperBound, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] == UInt8(ascii: "u"), (0xDC00..<0xE000).contains(unit(at: index + 2))
            {
                code = 0x10000 + (code - 0xD800) << 10 + (unit(at: index + 2) - 0xDC00)
                index += 6
            }
            Self.append(code, to: &text)
        }
        return Text(text)
    }

    private static func unescaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }

    /// The four hexadecimal digits from there, which the tokenizer has seen to be such.
    private func unit(at index: Int) -> UInt32 {
        bytes[index..<index + 4].reduce(0) { $0 << 4 | UInt32(Character(UnicodeScalar($1)).hexDigitValue ?? 0) }
    }

    private static func append(_ code: UInt32, to text: inout [UInt8]) {
        switch code {
        case ..<0x80: text.append(UInt8(code))
        case ..<0x800: text += [UInt8(0xC0 | code >> 6), UInt8(0x80 | code & 0x3F)]
        case ..<0x10000:
            text += [UInt8(0xE0 | code >> 12), UInt8(0x80 | code >> 6 & 0x3F), UInt8(0x80 | code & 0x3F)]
        default:
            text += [
                UInt8(0xF0 | code >> 18), UInt8(0x80 | code >> 12 & 0x3F), UInt8(0x80 | code >> 6 & 0x3F),
                UInt8(0x80 | code & 0x3F),
            ]
        }
    }
}
