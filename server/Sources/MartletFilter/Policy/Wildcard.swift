/// A pattern in which `*` stands for any run of bytes, none included; matched in one pass over the text.
struct Wildcard: Hashable, Sendable {
    /// What stands between the stars, one more than there are stars.
    private(set) var parts: [[UInt8]] = [[]]
    /// For each part between two stars, how much of it a failed comparison leaves matched (Knuth, Morris and Pratt).
    private var fallbacks: [[Int32]] = []

    /// How many stars there are.
    var stars: Int { parts.count - 1 }

    /// Reads a pattern; `\*` and `\\` stand for the star and the backslash themselves.
    ///
    /// - Throws: what is wrong, in event-ruler's words, which count bytes from the quote before the pattern.
    init(_ text: Text) throws(Defect) {
        var index = 0
        let bytes = text.bytes
        while index < bytes.count {
            let byte = bytes[index]
            let next = index + 1 < bytes.count ? bytes[index + 1] : nil
            if byte == UInt8(ascii: "*") {
                if next == byte { throw Defect(reason: "Consecutive wildcard characters at pos \(index + 1)") }
                parts.append([])
            } else if byte == UInt8(ascii: "\\") {
                guard let next, next == byte || next == UInt8(ascii: "*") else {
                    throw Defect(reason: "Invalid escape character at pos \(index + 1)")
                }
                parts[parts.count - 1].append(next)
                index += 1
            } else {
                parts[parts.count - 1].append(byte)
            }
            index += 1
        }
        // Patterns with more stars are refused, so their tables are not needed.
        if stars <= FilterLimits.stars { fallbacks = parts.dropFirst().dropLast().map(Self.fallback) }
    }

    /// Why a text is no pattern.
    struct Defect: Error {
        var reason: String
    }

    /// Whether the whole text is one that the pattern stands for.
    func matches(_ text: Text) -> Bool {
        guard let first = parts.first, let last = parts.last else { return false }
        guard stars > 0 else { return text.bytes == first }
        guard text.bytes.count >= first.count + last.count, text.bytes.starts(with: first),
            text.bytes.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = text.bytes[first.count..<text.bytes.count - last.count]
        for (part, fallback) in zip(parts.dropFirst().dropLast(), fallbacks) {
            guard let end = Self.end(of: part, fallback, in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }

    /// Where the first occurrence ends.
    private static func end(of part: [UInt8], _ fallback: [Int32], in text: ArraySlice<UInt8>) -> Int? {
        guard !part.isEmpty else { return text.startIndex }
        var matched = 0
        for index in text.indices {
            while matched > 0, text[index] != part[matched] { matched = Int(fallback[matched - 1]) }
            if text[index] == part[matched] { matched += 1 }
            if matched == part.count { return index + 1 }
        }
        return nil
    }

    private static func fallback(_ part: [UInt8]) -> [Int32] {
        var table = [Int32](repeating: 0, count: part.count)
        var matched = 0
        for index in part.indices.dropFirst() {
            while matched > 0, part[index] != part[matched] { matched = Int(table[matched - 1]) }
            if part[index] == part[matched] { matched += 1 }
            table[index] = Int32(matched)
        }
        return table
    }
}
