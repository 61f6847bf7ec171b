/// Where in the index of a key a pattern is found, by what a value must have for the pattern to match.
///
/// A place may hold more patterns than those that match, because every find is tried; never fewer.
enum Anchor {
    /// The hash of the whole value.
    case exact(Int)
    /// The hash of the string in lower case.
    case folded(Int)
    /// The hash of the first bytes, and how many they are.
    case prefix(Int, Int)
    /// The hash of the last bytes, and how many they are.
    case suffix(Int, Int)
    case numbers(Int64, Int64)
    case v4(Int64, Int64)
    case v6(Int64, Int64)
    /// Any value.
    case present

    /// How many bytes of a prefix or a suffix are looked at, which bounds the look-ups for a value.
    static let affixLimit = 32

    /// Where a pattern is found; `nil` for ``Pattern/absent``, which no value leads to.
    init?(_ pattern: Pattern) {
        switch pattern {
        case .equals(let scalar): self = .exact(scalar.hashValue)
        case .ignoringCase(let text): self = .folded(text.hashValue)
        case .prefix(let text): self = Self.prefix(of: text.bytes)
        case .suffix(let text): self = Self.suffix(of: text.bytes)
        case .wildcard(let wildcard):
            if wildcard.stars == 0 {
                self = .exact(Scalar.text(Text(wildcard.parts[0])).hashValue)
            } else if let first = wildcard.parts.first, !first.isEmpty {
                self = Self.prefix(of: first)
            } else {
                self = Self.suffix(of: wildcard.parts.last ?? [])
            }
        case .numbers(let range):
            self = .numbers(range.bottom?.number.clamped ?? .min, range.top?.number.clamped ?? .max)
        case .addresses(let range):
            self =
                range.first.isV6
                ? .v6(Self.key(range.first), Self.key(range.last)) : .v4(Self.key(range.first), Self.key(range.last))
        case .anythingBut, .anythingButPrefix, .anythingButWildcard, .present: self = .present
        case .absent: return nil
        }
    }

    /// How few values lead there, the best first.
    var rank: Int {
        switch self {
        case .exact: 0
        case .folded: 1
        case .prefix(_, let count), .suffix(_, let count): count > 3 ? 2 : 5
        case .v4, .v6: 3
        case .numbers(let low, let high): low == .min || high == .max ? 5 : 4
        case .present: 6
        }
    }

    private static func prefix(of bytes: [UInt8]) -> Anchor {
        let start = bytes.prefix(affixLimit)
        return start.isEmpty ? .present : .prefix(hash(start), start.count)
    }

    private static func suffix(of bytes: [UInt8]) -> Anchor {
        let end = bytes.suffix(affixLimit)
        return end.isEmpty ? .present : .suffix(hash(end), end.count)
    }

    /// The hash of some bytes, with the seed of this process.
    static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// An address in the order of integers: all of IPv4, the upper half of IPv6.
    static func key(_ address: IPAddress) -> Int64 {
        address.isV6 ? Int64(bitPattern: address.high ^ (1 << 63)) : Int64(address.low)
    }
}
