/// SplitMix64 (Steele, Lea and Flood, 2014): the same seed gives the same run on every machine.
public struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// The numbers of a seed.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True in so many of a hundred cases.
    public mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// One of some, which are not none.
    public mutating func pick<Item>(_ items: [Item]) -> Item { items[Int.random(in: 0..<items.count, using: &self)] }

    /// Bytes, of which most are of these.
    public mutating func bytes(_ most: Int, of common: [UInt8]) -> [UInt8] {
        (0..<Int.random(in: 0...most, using: &self)).map { _ in
            Int.random(in: 0..<8, using: &self) == 0 ? UInt8.random(in: 0...255, using: &self) : pick(common)
        }
    }
}
