/// Reads one JSON text (RFC 8259) strictly: valid UTF-8, no member twice, no U+0000, a bounded depth and
/// number of values.
///
/// It is ours because the standard decoder lets repeated members pass and does not say where a text is broken.
public struct JSONReader {
    /// How deep arrays and objects may nest. A bound of ours, well above what a payload of 4,096 bytes needs.
    public static let depthLimit = 64
    /// How many values a text may hold: a number costs two bytes on the wire and thirty times as much here. A bound of ours,
    /// twice what the largest batches have.
    public static let valueLimit = 100_000

    /// Why bytes are no JSON text.
    public struct SyntaxError: Error, Hashable {
        /// What is wrong, as a sentence without its end.
        public let reason: String
        /// How many bytes stand before it.
        public let position: Int
        /// The line in which it is, the first is 1.
        public let line: Int
    }

    /// What happens to `\u0000` and of half a surrogate pair, which the grammar allows and no text can hold.
    public enum Characters: Sendable {
        /// The whole body is refused.
        case strict
        /// They are read, half a pair as U+FFFD: one of them in one of many parts must not cost the others. Whoever reads
        /// so refuses U+0000 where a text is kept, because PostgreSQL's cannot hold it.
        case tolerant
    }

    private let bytes: [UInt8]
    private let characters: Characters
    private let depthLimit: Int
    private let valueLimit: Int
    private let takesDuplicates: Bool
    private var position = 0
    private var depth = 0
    private var count = 0

    /// Reads a whole text.
    ///
    /// - Parameter takesDuplicates: whether of a member that is there twice the last value counts. It does in texts that are
    ///   sent as they are, which AWS takes so.
    /// - Throws: ``SyntaxError``, naming the byte at which the text is broken.
    public static func read(
        _ bytes: [UInt8],
        characters: Characters = .strict,
        depthLimit: Int = JSONReader.depthLimit,
        valueLimit: Int = JSONReader.valueLimit,
        takesDuplicates: Bool = false
    ) throws(SyntaxError) -> JSONValue {
        var reader = JSONReader(
            bytes: bytes,
            characters: characters,
            depthLimit: depthLimit,
            valueLimit: valueLimit,
            takesDuplicates: takesDuplicates
        )
        let value = try reader.value()
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.broken("Something follows the end of the JSON text") }
        return value
    }

    private init(
        bytes: [UInt8],
        characters: Characters,
        depthLimit: Int,
        valueLimit: Int,
        takesDuplicates: Bool
    ) {
        self.bytes = bytes
        self.characters = characters
        self.depthLimit = depthLimit
        self.valueLimit = valueLimit
        self.takesDuplicates = takesDuplicates
    }

    private func broken(_ reason: String) -> SyntaxError {
        let line = bytes[..<position].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        return SyntaxError(reason: reason, position: position, line: line)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(SyntaxError) -> JSONValue {
        skipSpace()
        count += 1
        guard count <= valueLimit else { throw broken("It has more than \(valueLimit) values") }
        switch next {
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .array(try elements())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw broken("It ends where a value is expected")
        case UInt8(ascii: "-")?: return try number()
        case let byte?:
            guard (0x30...0x39).contains(byte) else { throw broken("There is no value") }
            return try number()
        }
    }

    private mutating func word(_ text: StaticString, _ value: JSONValue) throws(SyntaxError) -> JSONValue {
        let word = text.withUTF8Buffer { Array($0) }
        guard bytes[position...].starts(with: word) else { throw broken("There is no value") }
        position += word.count
        return value
    }

    private mutating func descend() throws(SyntaxError) {
        position += 1
        depth += 1
        guard depth <= depthLimit else { throw broken("It nests deeper than \(depthLimit) levels") }
    }

    private mutating func members() throws(SyntaxError) -> [String: JSONValue] {
        try descend()
        defer { depth -= 1 }
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return members }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw broken("A member's name is expected") }
            let start = position
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw broken("A colon is expected") }
            let value = try value()
            guard members.updateValue(value, forKey: name) == nil || takesDuplicates else {
                position = start
                throw broken("A member is duplicated in an object")
            }
            skipSpace()
            if take(UInt8(ascii: "}")) { return members }
            guard take(UInt8(ascii: ",")) else { throw broken("A comma or a closing brace is expected") }
        }
    }

    private mutating func elements() throws(SyntaxError) -> [JSONValue] {
        try descend()
        defer { depth -= 1 }
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw broken("A comma or a closing bracket is expected") }
        }
    }
}

extension JSONReader {
    private mutating func number() throws(SyntaxError) -> JSONValue {
        let start = position
        var isInteger = true
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) {
            isInteger = false
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let value = Int64(text), text != "-0" { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw broken("A number is out of range") }
        return JSONText.text(of: value) == text ? .number(value) : .decimal(text)
    }

    private mutating func digits() throws(SyntaxError) {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw broken("A digit is expected") }
    }

    private mutating func string() throws(SyntaxError) -> String {
        position += 1
        var text: [UInt8] = []
        while true {
            let start = position
            while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
                position += 1
            }
            if position > start { text.append(contentsOf: bytes[start..<position]) }
            switch next {
            case UInt8(ascii: "\""):
                position += 1
                let string = String(decoding: text, as: UTF8.self)
                // What is not UTF-8 was replaced.
                guard string.utf8.elementsEqual(text) else { throw broken("A string is not valid UTF-8") }
                return string
            case UInt8(ascii: "\\"): try escape(into: &text)
            case nil: throw broken("It ends within a string")
            default: throw broken("A string holds a control character")
            }
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(SyntaxError) {
        position += 1
        guard let byte = next else { throw broken("It ends within a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: try scalar().utf8)
        default: throw broken("A backslash does not begin a valid escape")
        }
    }

    /// `uXXXX`, or two of them that make a surrogate pair (RFC 8259, section 7).
    private mutating func scalar() throws(SyntaxError) -> Unicode.Scalar {
        let code = try codeUnit()
        if (0xD800..<0xDC00).contains(code) {
            let end = position
            if take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), case let low = try codeUnit(),
                let scalar = Self.scalar(high: code, low: low)
            {
                return scalar
            }
            position = end
        } else if code != 0 || characters == .tolerant, let scalar = Unicode.Scalar(code) {
            return scalar
        }
        guard characters == .tolerant else { throw broken("An escape does not name a character") }
        return "\u{FFFD}"
    }

    private static func scalar(high: UInt32, low: UInt32) -> Unicode.Scalar? {
        guard (0xDC00..<0xE000).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func codeUnit() throws(SyntaxError) -> UInt32 {
        guard position + 4 <= bytes.count else { throw broken("It ends within a string") }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: throw broken("An escape has four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }
}
