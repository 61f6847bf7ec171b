/// The bytes of a string, compared byte by byte: Swift's own comparison takes composed and decomposed letters for equal,
/// and a filter policy does not.
///
/// Half of a surrogate pair, which JSON can name and UTF-8 cannot, is kept as its three bytes.
struct Text: Hashable, Sendable {
    var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    init(_ string: String) { bytes = Array(string.utf8) }

    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(UInt8(0xFF))
    }

    /// As a string; what is no character becomes U+FFFD.
    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The parts between the full stops: a key `a.b` is the same as `b` within `a`.
    var steps: [Text] {
        guard bytes.contains(UInt8(ascii: ".")) else { return [self] }
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Text(Array($0)) }
    }

    /// In lower case, letter by letter.
    var folded: Text {
        if bytes.allSatisfy({ $0 < 0x80 }) {
            return Text(bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
        }
        return Text(string.lowercased())
    }

    /// How many UTF-16 code units these bytes are, which is what Java counts.
    static func units(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
    }
}

extension Text: ExpressibleByStringLiteral {
    init(stringLiteral value: StaticString) { bytes = value.withUTF8Buffer { Array($0) } }
}
