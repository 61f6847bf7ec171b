/// A set of numbers below a bound, which gives them back in their order.
struct NumberSet {
    private var bits: [UInt64]

    init(count: Int) { bits = [UInt64](repeating: 0, count: (count + 63) / 64) }

    func contains(_ number: Int) -> Bool { bits[number / 64] & (1 << UInt64(number % 64)) != 0 }

    mutating func insert(_ number: Int) { bits[number / 64] |= 1 << UInt64(number % 64) }

    var numbers: [Int] {
        var numbers: [Int] = []
        for (index, word) in bits.enumerated() where word != 0 {
            var rest = word
            while rest != 0 {
                numbers.append(index * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return numbers
    }
}
