import Synchronization

/// Ids that the simulator gives: UUIDs in lower case, none twice in a process. Not secret, so that one need not cost a
/// look at the system's random numbers, which was a fifth of an answer.
enum AnswerID {
    private static let seed = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))
    private static let count = Atomic<UInt64>(0)

    /// A new id, of version 4 by its form (RFC 9562, section 5.4).
    static func make() -> String {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        // Different for every number, because each step can be undone: an odd factor, and a sum.
        let low = (number &* 0x9E37_79B9_7F4A_7C15 &+ seed.1) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return text(high: seed.0 & 0xFFFF_FFFF_FFFF_0FFF | 0x4000, low: low)
    }

    private static func text(high: UInt64, low: UInt64) -> String {
        let digits: StaticString = "0123456789abcdef"
        return String(unsafeUninitializedCapacity: 36) { text in
            var end = 0
            for place in 0..<32 {
                if place == 8 || place == 12 || place == 16 || place == 20 {
                    text[end] = UInt8(ascii: "-")
                    end += 1
                }
                let half = place < 16 ? high : low
                text[end] = digits.utf8Start[Int(half >> (60 - 4 * UInt64(place % 16)) & 15)]
                end += 1
            }
            return end
        }
    }
}
