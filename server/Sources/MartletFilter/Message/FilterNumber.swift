/// A decimal number, cut after its sixth decimal, of any size.
///
/// Amazon SNS documents five decimals and ±10⁹, and compares more: 100.123456789 equals 100.1234567. Cutting after six
/// agrees with every recorded answer.
enum FilterNumber: Hashable, Sendable {
    /// A number in millionths, below 10¹⁸ of them.
    case millionths(Int64)
    /// A larger one: 0.DIGITS × 10^exponent, without zeros at either end of the digits.
    case large(isNegative: Bool, exponent: Int, digits: [UInt8])

    /// Reads digits with a sign, a fraction and an exponent, all but the digits optional; `nil` for all else.
    init?(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        var isNegative = false
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            rest.removeFirst()
        }
        let whole = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(whole.count)
        var fraction: ArraySlice<UInt8> = []
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard !whole.isEmpty || !fraction.isEmpty, let shift = Self.exponent(rest) else { return nil }
        if shift == 0, whole.count <= 12, let value = Self.small(whole, fraction) {
            self = .millionths(isNegative ? -value : value)
        } else {
            self.init(isNegative, digits: Array(whole) + fraction, point: whole.count + shift)
        }
    }

    /// What follows `e`, kept within what the reader's arithmetic can hold; 0 for nothing, `nil` for nonsense.
    private static func exponent(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first else { return 0 }
        guard first == UInt8(ascii: "e") || first == UInt8(ascii: "E") else { return nil }
        var digits = bytes.dropFirst()
        let sign = digits.first
        if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { digits.removeFirst() }
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let size = digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 1_000_000_000_000) }
        return sign == UInt8(ascii: "-") ? -size : size
    }

    /// At most twelve digits and six decimals, in millionths.
    private static func small(_ whole: ArraySlice<UInt8>, _ fraction: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for digit in whole { value = value * 10 + Int64(digit - 0x30) }
        for digit in fraction.prefix(6) { value = value * 10 + Int64(digit - 0x30) }
        for _ in min(6, fraction.count)..<6 { value *= 10 }
        return value
    }

    private init(_ isNegative: Bool, digits all: [UInt8], point: Int) {
        let zeros = all.prefix { $0 == 0x30 }.count
        let exponent = point - zeros
        var digits = all[zeros...].prefix(max(0, exponent + 6))
        while digits.last == 0x30 { digits.removeLast() }
        guard !digits.isEmpty else {
            self = .millionths(0)
            return
        }
        guard exponent + 6 <= 18 else {
            self = .large(isNegative: isNegative, exponent: exponent, digits: Array(digits))
            return
        }
        var value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        for _ in digits.count..<exponent + 6 { value *= 10 }
        self = .millionths(isNegative ? -value : value)
    }

    /// In millionths, the largest and the smallest integer standing for all that are beyond.
    var clamped: Int64 {
        switch self {
        case .millionths(let value): value
        case .large(let isNegative, _, _): isNegative ? .min : .max
        }
    }
}

extension FilterNumber: Comparable {
    static func < (one: FilterNumber, other: FilterNumber) -> Bool {
        switch (one, other) {
        case (.millionths(let one), .millionths(let other)): return one < other
        case (.large(let isNegative, _, _), .millionths): return isNegative
        case (.millionths, .large(let isNegative, _, _)): return !isNegative
        case (.large(let negative, let size, let digits), .large(let otherNegative, let otherSize, let others)):
            guard negative == otherNegative else { return negative }
            let isSmaller = size == otherSize ? digits.lexicographicallyPrecedes(others) : size < otherSize
            return negative ? !isSmaller && one != other : isSmaller
        }
    }
}

/// Numbers between two bounds, of which one may be missing.
struct NumberRange: Hashable, Sendable {
    /// One end of a range.
    struct Bound: Hashable, Sendable {
        var number: FilterNumber
        /// Whether the number itself belongs to the range.
        var isIncluded: Bool
    }

    var bottom: Bound?
    var top: Bound?

    func contains(_ number: FilterNumber) -> Bool {
        if let bottom, number < bottom.number || (number == bottom.number && !bottom.isIncluded) { return false }
        if let top, number > top.number || (number == top.number && !top.isIncluded) { return false }
        return true
    }
}
