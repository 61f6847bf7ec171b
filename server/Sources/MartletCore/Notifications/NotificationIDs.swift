import Foundation
public import MartletWire
import Synchronization

/// The source of the ids of notifications, and of the keys of their rows and batches: from time and random bits, so that
/// processes need not ask the database for them.
///
/// A key is the millisecond since 2020 above 21 random bits, and a notification's id (a UUID of version 7) begins with
/// the same 69 bits: whoever has the id has the key. Keys of one source strictly increase, also while its clock stands
/// or is set back a little. Two processes draw the same one about once in 47 s at 10,000 a second each; the store finds out, and
/// another one is drawn.
public final class NotificationIDs: Sendable {
    /// For how far keys go on from the last one where the clock was set back: a day. Ours: corrections of a clock are
    /// smaller; after a larger one, keys are of the new time again.
    private static let timeout: Int64 = 86_400_000 << 21

    private let last = Mutex<Int64>(0)

    /// A source of its own for each kind of row.
    public init() {}

    /// Goes on after a key that was drawn before the process started.
    package func follow(_ key: Int64) { last.withLock { $0 = max($0, key) } }

    /// A notification's id.
    public func next(at now: Timestamp) -> PublicID { PublicID(key: nextKey(at: now)) }

    /// The key of a row.
    package func nextKey(at now: Timestamp) -> Int64 {
        let drawn = NotificationIDs.firstKey(of: now) | Int64.random(in: 0..<1 << 21)
        return last.withLock { last in
            last = last - drawn > Self.timeout ? drawn : max(drawn, last + 1)
            return last
        }
    }

    /// The smallest key that is drawn at a moment: a span of time is a range of keys.
    package static func firstKey(of moment: Timestamp) -> Int64 { (moment.rawValue - PublicID.keyEpoch) << 21 }

    /// The moment at which a key was drawn.
    package static func moment(of key: Int64) -> Timestamp { Timestamp(milliseconds: (key >> 21) + PublicID.keyEpoch) }
}

extension PublicID {
    /// Midnight before 2020, UTC, in milliseconds since 1970: with it keys are positive until 2159.
    fileprivate static let keyEpoch: Int64 = 1_577_836_800_000

    /// An id that begins with a key's bits.
    package init(key: Int64) {
        let time = UInt64(bitPattern: (key >> 21) + PublicID.keyEpoch)
        let tail = UInt64(bitPattern: key) & 0x1F_FFFF
        let random = UInt64.random(in: 0..<1 << 53)
        self.init(
            high: time << 16 | 0x7000 | tail >> 9,
            low: 0x8000_0000_0000_0000 | (tail & 0x1FF) << 53 | random
        )
    }

    /// The key that it begins with. Of another UUID it is some number.
    package var key: Int64 {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            let high = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self).bigEndian
            let low = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
            let tail = (high & 0xFFF) << 9 | low >> 53 & 0x1FF
            return (Int64(high >> 16) - PublicID.keyEpoch) << 21 | Int64(tail)
        }
    }
}

/// Another notification has the key that an id begins with: draw another id. Nothing was written.
public struct NotificationIDTaken: Error {
    /// A source of its own for each kind of row.
    public init() {}
}
