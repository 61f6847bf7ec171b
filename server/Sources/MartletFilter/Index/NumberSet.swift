/// A set of small numbers, a bit each.
struct NumberSet {
    private var words: [UInt64]

    init(count: Int) { words = [UInt64](repeating: 0, count: count / 64 + 1) }

    func contains(_ number: Int32) -> Bool { words[Int(number) >> 6] & (1 << UInt64(number & 63)) != 0 }

    /// Adds a number; says whether it is new.
    @discardableResult
    mutating func insert(_ number: Int32) -> Bool {
        let bit: UInt64 = 1 << UInt64(number & 63)
        defer { words[Int(number) >> 6] |= bit }
        return words[Int(number) >> 6] & bit == 0
    }

    /// Calls with each number, in their order.
    func forEach(_ body: (Int) -> Void) {
        for (index, word) in words.enumerated() where word != 0 {
            var rest = word
            while rest != 0 {
                body(index << 6 | rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}
