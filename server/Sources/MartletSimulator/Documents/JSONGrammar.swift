/// Decides whether bytes are JSON (RFC 8259) without building anything.
///
/// Written for the simulator because a check per push must cost less than the push itself.
struct JSONGrammar {
    /// Values nested deeper than this are refused; a push of 5,120 bytes has no use for more.
    static let maximumDepth = 128

    private let bytes: UnsafeRawBufferPointer
    private var index = 0
    private var depth = 0
    private var isASCII = true

    /// Whether the bytes are one JSON object in valid UTF-8, with nothing but white space around it.
    static func isObject(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var grammar = JSONGrammar(bytes: bytes)
        grammar.skipSpace()
        guard grammar.peek == UInt8(ascii: "{"), grammar.value() else { return false }
        grammar.skipSpace()
        guard grammar.index == bytes.count else { return false }
        return grammar.isASCII || String(validating: bytes, as: UTF8.self) != nil
    }

    private init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func value() -> Bool {
        switch peek {
        case UInt8(ascii: "{"): container(closing: UInt8(ascii: "}"), hasNames: true)
        case UInt8(ascii: "["): container(closing: UInt8(ascii: "]"), hasNames: false)
        case UInt8(ascii: "\""): string()
        case UInt8(ascii: "t"): word("true")
        case UInt8(ascii: "f"): word("false")
        case UInt8(ascii: "n"): word("null")
        default: number()
        }
    }

    private mutating func container(closing end: UInt8, hasNames: Bool) -> Bool {
        index += 1
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { return false }
        skipSpace()
        if take(end) { return true }
        while true {
            skipSpace()
            if hasNames {
                guard peek == UInt8(ascii: "\""), string() else { return false }
                skipSpace()
                guard take(UInt8(ascii: ":")) else { return false }
                skipSpace()
            }
            guard value() else { return false }
            skipSpace()
            if take(end) { return true }
            guard take(UInt8(ascii: ",")) else { return false }
        }
    }

    private mutating func string() -> Bool {
        index += 1
        while let byte = peek {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"): guard escape() else { return false }
            case 0..<0x20: return false
            case 0x80...: isASCII = false
            default: continue
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard let byte = peek else { return false }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        case UInt8(ascii: "u"):
            guard index + 4 <= bytes.count else { return false }
            for _ in 0..<4 {
                guard bytes[index].isHexDigit else { return false }
                index += 1
            }
            return true
        default:
            return false
        }
    }

    private mutating func word(_ text: StaticString) -> Bool {
        guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount where bytes[index + offset] != text.utf8Start[offset] { return false }
        index += text.utf8CodeUnitCount
        return true
    }

    private mutating func number() -> Bool {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { guard digits() else { return false } }
        if take(UInt8(ascii: ".")) { guard digits() else { return false } }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            index += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
            guard digits() else { return false }
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = index
        while let byte = peek, byte.isDigit { index += 1 }
        return index > start
    }
}

extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var isHexDigit: Bool {
        isDigit || (self >= UInt8(ascii: "a") && self <= UInt8(ascii: "f"))
            || (self >= UInt8(ascii: "A") && self <= UInt8(ascii: "F"))
    }
}
