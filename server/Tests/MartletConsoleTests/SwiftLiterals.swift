/// The texts in quotation marks of a Swift source, with `{1}`, `{2}` in the places of what is filled in. Those that are
/// joined with a plus sign are one.
struct SwiftLiterals {
    struct Literal: Hashable {
        var text: String
        /// Within the parentheses of which of the calls that were asked about it stands.
        var call: String?
    }

    private let bytes: [UInt8]
    private let calls: Set<String>
    private var index = 0
    /// For each parenthesis that is open, the call that it is of.
    private var open: [String?] = []
    private var found: [(text: [UInt8], call: String?, end: Int)] = []

    // Bytes that no source has.
    private static let (place, joint, line) = (UInt8(0), UInt8(1), UInt8(2))

    /// The literals of a source, and in which of these calls they stand.
    static func all(in source: String, calls: Set<String>) -> [Literal] {
        var reader = SwiftLiterals(source, calls)
        reader.read()
        return reader.found.map { Literal(text: numbered($0.text), call: $0.call) }
    }

    private init(_ source: String, _ calls: Set<String>) {
        (bytes, self.calls) = (Array(source.utf8), calls)
    }

    private func starts(with text: StaticString, at place: Int) -> Bool {
        text.withUTF8Buffer { bytes[min(place, bytes.count)...].starts(with: $0) }
    }

    private mutating func read() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "/") where starts(with: "//", at: index): skip(to: "\n")
            case UInt8(ascii: "/") where starts(with: "/*", at: index): skip(to: "*/")
            case UInt8(ascii: "\""): add(from: index)
            case UInt8(ascii: "#") where hashes > 0: add(from: index)
            case UInt8(ascii: "("):
                open.append(name(before: index))
                index += 1
            case UInt8(ascii: ")"):
                _ = open.popLast()
                index += 1
            default: index += 1
            }
        }
    }

    private mutating func skip(to end: StaticString) {
        while index < bytes.count, !starts(with: end, at: index) { index += 1 }
        index += end.utf8CodeUnitCount
    }

    /// How many number signs stand before a quotation mark here; 0 where there is none behind them.
    private var hashes: Int {
        let count = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
        return starts(with: "\"", at: index + count) ? count : 0
    }

    /// The call whose parenthesis this is, where it is one that was asked about.
    private func name(before end: Int) -> String? {
        let isName = { (byte: UInt8) in
            byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
        }
        let begin = bytes[..<end].lastIndex { !isName($0) }.map { $0 + 1 } ?? 0
        let name = String(decoding: bytes[begin..<end], as: UTF8.self)
        return calls.contains(name) ? name : nil
    }

    private mutating func add(from begin: Int) {
        let text = literal()
        let gap = found.last.map { bytes[$0.end..<begin].filter { $0 != 0x20 && $0 != 0x0A } }
        if let last = found.indices.last, gap == [UInt8(ascii: "+")] {
            found[last].text += text
            found[last].end = index
        } else {
            found.append((text, open.compactMap(\.self).last, index))
        }
    }

    /// Reads a literal to its end.
    private mutating func literal() -> [UInt8] {
        let count = hashes
        index += count
        let isLong = starts(with: "\"\"\"", at: index)
        let marks = [UInt8](repeating: UInt8(ascii: "\""), count: isLong ? 3 : 1)
        let sign = [UInt8](repeating: UInt8(ascii: "#"), count: count)
        let (end, escape) = (marks + sign, [UInt8(ascii: "\\")] + sign)
        index += marks.count
        var text: [UInt8] = []
        while index < bytes.count, !bytes[index...].starts(with: end) {
            if bytes[index...].starts(with: escape) {
                index += escape.count
                text += escaped()
            } else {
                text.append(isLong && bytes[index] == 0x0A ? Self.line : bytes[index])
                index += 1
            }
        }
        index += end.count
        return isLong ? Self.unindented(text) : text
    }

    /// Reads what follows a backslash.
    private mutating func escaped() -> [UInt8] {
        let byte = bytes[index]
        guard byte != UInt8(ascii: "(") else {
            skipInterpolation()
            return [Self.place]
        }
        index += 1
        switch byte {
        case 0x0A: return [Self.joint]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            let digits = bytes[index...].dropFirst().prefix { $0 != UInt8(ascii: "}") }
            index += digits.count + 2
            let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
            return scalar.map { Array(String($0).utf8) } ?? []
        default: return [byte]
        }
    }

    private mutating func skipInterpolation() {
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                _ = literal()
                continue
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            index += 1
            if depth == 0 { return }
        }
    }

    /// A text of several lines without the indentation of its end.
    private static func unindented(_ text: [UInt8]) -> [UInt8] {
        guard let last = text.lastIndex(of: line), let first = text.firstIndex(of: line), first < last else {
            return []
        }
        let indentation = text[(last + 1)...]
        var plain: [UInt8] = []
        var rest = text[first..<last]
        while let byte = rest.popFirst() {
            guard byte == line || byte == joint else {
                plain.append(byte)
                continue
            }
            if byte == line, !plain.isEmpty { plain.append(0x0A) }
            if rest.starts(with: indentation) { rest = rest.dropFirst(indentation.count) }
        }
        return plain
    }

    private static func numbered(_ text: [UInt8]) -> String {
        var numbered: [UInt8] = []
        var count = 0
        for byte in text {
            if byte == place {
                count += 1
                numbered += "{\(count)}".utf8
            } else {
                numbered.append(byte)
            }
        }
        return String(decoding: numbered, as: UTF8.self)
    }
}
