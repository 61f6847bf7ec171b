/// Which of 4,096 users with successive keys have an item: a bit each, or their offsets where that is shorter. A pure value.
public struct UserSet: Sendable, Hashable {
    /// How many users a set is of.
    public static let size = 4_096

    /// A bit for each user, the lowest bit of a byte first.
    private var bits: [UInt8]

    /// Nobody.
    public init() { bits = [UInt8](repeating: 0, count: Self.bitmapCount) }

    /// A set from its bytes; `nil` for what is none.
    public init?(bytes: [UInt8]) {
        self.init()
        if bytes.count == Self.bitmapCount {
            bits = bytes
            return
        }
        guard bytes.count < Self.bitmapCount, bytes.count % 2 == 0 else { return nil }
        for start in stride(from: 0, to: bytes.count, by: 2) {
            let offset = Int(bytes[start]) | Int(bytes[start + 1]) << 8
            guard offset < Self.size else { return nil }
            insert(offset)
        }
    }

    /// Adds a user by their offset.
    public mutating func insert(_ offset: Int) { bits[offset >> 3] |= 1 << (offset & 7) }

    /// Whether a user is among them.
    public func contains(_ offset: Int) -> Bool { bits[offset >> 3] & 1 << (offset & 7) != 0 }

    /// The offsets, ascending.
    public var offsets: [Int] { (0..<Self.size).filter(contains) }

    /// The shorter of both forms: an offset has two bytes, the low one first. The length says which form it is.
    public var bytes: [UInt8] {
        let count = bits.reduce(0) { $0 + $1.nonzeroBitCount }
        guard count * 2 < Self.bitmapCount else { return bits }
        return offsets.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    /// Whether a user is among those of a set's bytes, which are not copied.
    public static func contains(_ offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if bytes.count == bitmapCount { return bytes[offset >> 3] & 1 << (offset & 7) != 0 }
        var range = 0..<bytes.count / 2
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let found = Int(bytes[2 * middle]) | Int(bytes[2 * middle + 1]) << 8
            if found == offset { return true }
            range = found < offset ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    private static let bitmapCount = size / 8
}

extension UserSet {
    /// In which set a user stands, and where.
    public static func place(of user: RowID<User>) -> (block: Int64, offset: Int) {
        (user.rawValue >> 12, Int(user.rawValue & 0xFFF))
    }

    /// Users as sets, by the sets' numbers.
    public static func sets(of users: [RowID<User>]) -> [(block: Int64, set: UserSet)] {
        var sets: [Int64: UserSet] = [:]
        for user in users {
            let place = place(of: user)
            sets[place.block, default: UserSet()].insert(place.offset)
        }
        return sets.sorted { $0.key < $1.key }.map { (block: $0.key, set: $0.value) }
    }

    /// These and those of another set.
    public mutating func formUnion(_ other: UserSet) {
        for index in bits.indices { bits[index] |= other.bits[index] }
    }
}
