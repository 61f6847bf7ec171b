import MartletCore

/// The strings that stand at the top of a JSON object, read strictly (RFC 8259) in one pass and without recursion.
///
/// A value that is no string is passed over, and takes with it what stood under its key before: of a key that comes twice
/// the last value counts.
struct JSONTopLevel {
    /// How deep values that are passed over may nest. Ours: what Java's readers take by default.
    static let deepest = 1_000

    private let bytes: [UInt8]
    private var index = 0

    /// Reads a text; `nil` when it is no JSON object.
    static func strings(of text: String) -> [String: String]? {
        var reader = JSONTopLevel(bytes: Array(text.utf8))
        guard let strings = reader.object() else { return nil }
        reader.skipSpace()
        return reader.index == reader.bytes.count ? strings : nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: Character) -> Bool {
        guard next == byte.asciiValue else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func object() -> [String: String]? {
        var strings: [String: String] = [:]
        skipSpace()
        guard take("{") else { return nil }
        skipSpace()
        if take("}") { return strings }
        while true {
            guard let key = keyAndColon() else { return nil }
            if next == UInt8(ascii: "\"") {
                guard let value = string() else { return nil }
                strings[key] = value
            } else {
                guard skipValue() else { return nil }
                strings[key] = nil
            }
            skipSpace()
            if take("}") { return strings }
            guard take(",") else { return nil }
        }
    }

    /// A key, its colon, and the spaces around them.
    private mutating func keyAndColon() -> String? {
        skipSpace()
        guard let key = string() else { return nil }
        skipSpace()
        guard take(":") else { return nil }
        skipSpace()
        return key
    }

    /// Passes over a value of any kind.
    private mutating func skipValue() -> Bool {
        // `true` for each object that is open, `false` for each array.
        var open: [Bool] = []
        while true {
            skipSpace()
            if take("{") {
                skipSpace()
                if !take("}") {
                    guard open.count < Self.deepest, keyAndColon() != nil else { return false }
                    open.append(true)
                    continue
                }
            } else if take("[") {
                skipSpace()
                if !take("]") {
                    guard open.count < Self.deepest else { return false }
                    open.append(false)
                    continue
                }
            } else {
                guard scalar() else { return false }
            }
            guard let isOver = closeValues(&open) else { return false }
            if isOver { return true }
        }
    }

    /// What follows a value: ends of what is open, or a comma; `nil` for anything else.
    private mutating func closeValues(_ open: inout [Bool]) -> Bool? {
        while let isObject = open.last {
            skipSpace()
            if take(",") { return isObject && keyAndColon() == nil ? nil : false }
            guard take(isObject ? "}" : "]") else { return nil }
            open.removeLast()
        }
        return true
    }

    private mutating func scalar() -> Bool {
        switch next {
        case UInt8(ascii: "\""): string() != nil
        case UInt8(ascii: "t"): word("true")
        case UInt8(ascii: "f"): word("false")
        case UInt8(ascii: "n"): word("null")
        default: number()
        }
    }

    private mutating func word(_ word: StaticString) -> Bool {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count,
            bytes[index..<end].elementsEqual(
                UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
            )
        else { return false }
        index = end
        return true
    }

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0") {
            guard digits() else { return false }
        }
        if take(".") {
            guard digits() else { return false }
        }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            guard digits() else { return false }
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = index
        while let byte = next, (0x30...0x39).contains(byte) { index += 1 }
        return index > start
    }

    /// A string with its quotes; a lone surrogate becomes U+FFFD.
    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = next {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): guard escape(into: &text) else { return nil }
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escape(into text: inout [UInt8]) -> Bool {
        guard let byte = next else { return false }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            guard let first = unit() else { return false }
            var units = [first]
            if (0xD800...0xDBFF).contains(first), let second = lowSurrogate() { units.append(second) }
            text += String(decoding: units, as: UTF16.self).utf8
        default: return false
        }
        return true
    }

    private mutating func unit() -> UInt16? {
        guard index + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = Hex.value(byte) else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        index += 4
        return unit
    }

    private mutating func lowSurrogate() -> UInt16? {
        let start = index
        if take("\\"), take("u"), let second = unit(), (0xDC00...0xDFFF).contains(second) { return second }
        index = start
        return nil
    }
}
