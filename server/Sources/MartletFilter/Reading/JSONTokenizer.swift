/// Cuts a JSON text (RFC 8259) into tokens, one for each call, without recursion and with a bounded depth.
struct JSONTokenizer {
    /// What a call finds.
    enum Token {
        case startObject, endObject, startArray, endArray, name, string, number, yes, no, null, end
    }

    /// How deep arrays and objects may nest: Jackson's `StreamReadConstraints.DEFAULT_MAX_DEPTH`.
    static let depthLimit = 1_000

    /// What may come next.
    private enum Expectation {
        case value, valueOrEnd, name, nameOrEnd, separator, nothing
    }

    let bytes: [UInt8]
    private(set) var position = 0
    /// The bytes of the last token: without its quotes if it is a name or a string.
    private(set) var range = 0..<0
    /// Whether the last name or string holds a backslash, or a byte that is not ASCII.
    private(set) var hasEscape = false
    private(set) var isASCII = true
    /// Where the open arrays and objects begin.
    private var open: [Int] = []
    private var expectation = Expectation.value

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// How many arrays and objects are open.
    var depth: Int { open.count }

    /// The next token, ``Token/end`` after the last.
    mutating func next() throws(JSONSyntaxError) -> Token {
        skipSpace()
        switch expectation {
        case .value: return try value()
        case .valueOrEnd:
            if byte == UInt8(ascii: "]") { return close(.endArray) }
            return try value()
        case .name: return try name()
        case .nameOrEnd:
            if byte == UInt8(ascii: "}") { return close(.endObject) }
            return try name()
        case .separator: return try separated()
        case .nothing:
            guard byte == nil else { throw unexpected("expected the end of the text") }
            return .end
        }
    }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private var isInObject: Bool { open.last.map { bytes[$0] == UInt8(ascii: "{") } ?? false }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func separated() throws(JSONSyntaxError) -> Token {
        switch byte {
        case UInt8(ascii: ",")?:
            position += 1
            expectation = isInObject ? .name : .value
            return try next()
        case UInt8(ascii: "}")?:
            guard isInObject else { throw mismatch() }
            return close(.endObject)
        case UInt8(ascii: "]")?:
            guard !isInObject else { throw mismatch() }
            return close(.endArray)
        case nil: throw unfinished()
        default: throw unexpected("was expecting comma to separate \(isInObject ? "Object" : "Array") entries")
        }
    }

    private mutating func close(_ token: Token) -> Token {
        range = position..<position + 1
        position += 1
        open.removeLast()
        settle()
        return token
    }

    private mutating func settle() { expectation = open.isEmpty ? .nothing : .separator }

    private mutating func start(_ token: Token) throws(JSONSyntaxError) -> Token {
        range = position..<position + 1
        open.append(position)
        position += 1
        guard open.count <= Self.depthLimit else {
            throw error(
                "Document nesting depth (\(open.count)) exceeds the maximum allowed (\(Self.depthLimit), from "
                    + "`StreamReadConstraints.getMaxNestingDepth()`)"
            )
        }
        expectation = token == .startObject ? .nameOrEnd : .valueOrEnd
        return token
    }

    private mutating func name() throws(JSONSyntaxError) -> Token {
        guard let byte else { throw unfinished() }
        guard byte == UInt8(ascii: "\"") else { throw unexpected("was expecting double-quote to start field name") }
        try string(orEndsWith: " in field name")
        skipSpace()
        guard self.byte == UInt8(ascii: ":") else {
            guard self.byte != nil else { throw unfinished() }
            throw unexpected("was expecting a colon to separate field name and value")
        }
        position += 1
        expectation = .value
        return .name
    }

    private mutating func value() throws(JSONSyntaxError) -> Token {
        guard let byte else {
            guard open.isEmpty else { throw unfinished() }
            throw error("No content to map due to end-of-input")
        }
        switch byte {
        case UInt8(ascii: "{"): return try start(.startObject)
        case UInt8(ascii: "["): return try start(.startArray)
        case UInt8(ascii: "\""):
            try string(orEndsWith: ": was expecting closing quote for a string value")
            settle()
            return .string
        case UInt8(ascii: "-"), 0x30...0x39:
            try number()
            settle()
            return .number
        default: return try word()
        }
    }
}

extension JSONTokenizer {
    private mutating func word() throws(JSONSyntaxError) -> Token {
        let start = position
        while let byte, Self.isNamePart(byte) { position += 1 }
        range = start..<position
        if position == start { throw unexpected("expected a valid value \(JSONSyntaxError.values)") }
        defer { settle() }
        // Compared byte by byte, so that nothing is allocated for a word that is one of the three.
        if bytes[range].elementsEqual("true".utf8) { return .yes }
        if bytes[range].elementsEqual("false".utf8) { return .no }
        if bytes[range].elementsEqual("null".utf8) { return .null }
        // Jackson cuts what it quotes at 256 characters.
        let word = String(decoding: bytes[range].prefix(256), as: UTF8.self) + (range.count > 256 ? "..." : "")
        throw error("Unrecognized token '\(word)': was expecting \(JSONSyntaxError.values)")
    }

    /// Whether Java takes it for a part of an identifier; all that is not ASCII counts.
    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
        default: false
        }
    }

    private mutating func number() throws(JSONSyntaxError) {
        let start = position
        if byte == UInt8(ascii: "-") {
            position += 1
            guard let byte, (0x30...0x39).contains(byte) else {
                throw odd("expected digit (0-9) to follow minus sign, for valid numeric value")
            }
        }
        if byte == UInt8(ascii: "0") {
            position += 1
            if let byte, (0x30...0x39).contains(byte) {
                throw error("Invalid numeric value: Leading zeroes not allowed")
            }
        }
        digits()
        if byte == UInt8(ascii: ".") {
            position += 1
            guard digits() else { throw odd("Decimal point not followed by a digit") }
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            guard digits() else { throw odd("Exponent indicator not followed by a digit") }
        }
        range = start..<position
    }

    @discardableResult
    private mutating func digits() -> Bool {
        let start = position
        while let byte, (0x30...0x39).contains(byte) { position += 1 }
        return position > start
    }

    private mutating func string(orEndsWith words: String) throws(JSONSyntaxError) {
        position += 1
        let start = position
        var all: UInt8 = 0
        hasEscape = false
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                range = start..<position
                isASCII = all < 0x80
                position += 1
                return
            }
            if byte < 0x20 {
                position += 1
                throw error(
                    "Illegal unquoted character (\(JSONSyntaxError.describe([byte]))): has to be escaped using "
                        + "backslash to be included in string value"
                )
            }
            all |= byte
            position += 1
            if byte == UInt8(ascii: "\\") {
                hasEscape = true
                try escape()
            }
        }
        throw error("Unexpected end-of-input\(words)")
    }

    private mutating func escape() throws(JSONSyntaxError) {
        guard let byte else { throw error("Unexpected end-of-input in character escape sequence") }
        switch byte {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: position += 1
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard let digit = self.byte else {
                    throw error("Unexpected end-of-input in character escape sequence")
                }
                guard Character(UnicodeScalar(digit)).isHexDigit else {
                    throw unexpected("expected a hex-digit for character escape sequence")
                }
                position += 1
            }
        default:
            position += 1
            throw error("Unrecognized character escape \(JSONSyntaxError.describe(bytes[(position - 1)...]))")
        }
    }

    private func error(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(reason: reason, offset: position) }

    private func unexpected(_ words: String) -> JSONSyntaxError {
        error("Unexpected character (\(JSONSyntaxError.describe(bytes[position...]))): \(words)")
    }

    private func odd(_ words: String) -> JSONSyntaxError {
        guard byte != nil else { return unfinished() }
        return error(
            "Unexpected character (\(JSONSyntaxError.describe(bytes[position...]))) in numeric value: \(words)"
        )
    }

    private func unfinished() -> JSONSyntaxError {
        guard let start = open.last else { return error("Unexpected end-of-input") }
        return error(
            "Unexpected end-of-input: expected close marker for \(Self.kind(bytes[start])) (start marker at \(place(start)))"
        )
    }

    private func mismatch() -> JSONSyntaxError {
        let start = open.last ?? 0
        let found = Character(UnicodeScalar(bytes[position]))
        let expected = isInObject ? "}" : "]"
        var error = error(
            "Unexpected close marker '\(found)': expected '\(expected)' (for \(Self.kind(bytes[start])) starting at "
                + "\(place(start)))"
        )
        error.offset += 1
        return error
    }

    private func place(_ offset: Int) -> String {
        "[Source: \(JSONSyntaxError.redacted); \(JSONSyntaxError.place(offset, in: bytes))]"
    }

    private static func kind(_ byte: UInt8) -> String { byte == UInt8(ascii: "{") ? "Object" : "Array" }
}
