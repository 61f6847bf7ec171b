/// The fuzzer's bytes, taken from the front.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The next byte; `nil` at the end.
    mutating func byte() -> UInt8? { rest.popFirst() }

    /// The next bytes, fewer at the end.
    mutating func take(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// The text up to the next line feed, which is dropped; what is not UTF-8 is replaced.
    mutating func line() -> String {
        let line = rest.prefix { $0 != 0x0A }
        rest = rest.dropFirst(line.count + 1)
        return String(decoding: line, as: UTF8.self)
    }
}
