import MartletCore
import MartletWire

/// A day of UTC, which is a range of the keys that are drawn in it.
struct UTCDay: Hashable, Comparable {
    private static let length: Int64 = 86_400_000

    /// Days since 1970.
    let number: Int64

    init(number: Int64) { self.number = number }

    /// The day of a moment.
    init(_ moment: Timestamp) {
        let (day, rest) = moment.rawValue.quotientAndRemainder(dividingBy: Self.length)
        number = rest < 0 ? day - 1 : day
    }

    /// Reads `20261125`.
    init?(name: some StringProtocol) {
        let digits = Array(name)
        guard digits.count == 8 else { return nil }
        let date = "\(String(digits[..<4]))-\(String(digits[4..<6]))-\(String(digits[6...]))"
        guard let midnight = UTCTime("\(date)T00:00:00Z") else { return nil }
        self.init(Timestamp(midnight))
    }

    /// As `20261125`.
    var name: String { UTCTime(start).description.prefix(10).filter { $0 != "-" } }

    var start: Timestamp { Timestamp(milliseconds: number * Self.length) }

    /// The keys that are drawn in it.
    var keys: Range<Int64> {
        NotificationIDs.firstKey(of: start)..<NotificationIDs.firstKey(of: UTCDay(number: number + 1).start)
    }

    static func < (a: UTCDay, b: UTCDay) -> Bool { a.number < b.number }
}

/// Which days of a table get a partition, and which may lose theirs.
struct PartitionPlan: Equatable {
    /// How many days ahead there is a partition. Ours: a week in which none can be made is noticed.
    static let daysAhead: Int64 = 7
    /// How many partitions a table has at most. Ours: a statement that reads all of them takes a lock for each. Rows of
    /// further days are in the default partition.
    static let limit = 100

    var created: [UTCDay]
    /// All of their time is past; those in which something is open stay nevertheless.
    var dropped: [UTCDay]

    /// - Parameter bound: before which notifications are forgotten; `nil` keeps all of them.
    init(now: Timestamp, existing: Set<UTCDay>, bound: Timestamp?) {
        let today = UTCDay(now).number
        created = (today...today + Self.daysAhead).map(UTCDay.init(number:)).filter { !existing.contains($0) }
        created = Array(created.prefix(max(0, Self.limit - existing.count)))
        dropped = existing.filter { day in bound.map { day < UTCDay($0) } ?? false }.sorted()
    }

    /// Before which moment rows are deleted one by one: a day that can be dropped has a day's time for that, because
    /// each row of it would cost more than the drop.
    static func rowBound(_ bound: Timestamp) -> Timestamp { UTCDay(number: UTCDay(bound).number - 1).start }
}
