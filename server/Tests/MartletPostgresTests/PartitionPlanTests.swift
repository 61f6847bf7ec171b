import MartletCore
import MartletWire
import Testing

@testable import MartletPostgres

@Suite struct PartitionPlanTests {
    /// A day by its distance from 25 November 2026.
    private static func day(_ distance: Int64) -> UTCDay { UTCDay(number: 20_782 + distance) }

    private static func days(_ distances: ClosedRange<Int64>) -> [UTCDay] { distances.map(day) }

    struct Case: Sendable {
        var name: String
        var existing: [UTCDay]
        /// Days from today's midnight.
        var bound: Double?
        var created: [UTCDay]
        var dropped: [UTCDay]
    }

    static let cases = [
        Case(name: "a new table", existing: [], bound: nil, created: days(0...7), dropped: []),
        Case(name: "all is there", existing: days(-3...7), bound: nil, created: [], dropped: []),
        Case(name: "a day later", existing: days(-3...6), bound: nil, created: days(7...7), dropped: []),
        Case(name: "a gap", existing: days(0...2) + days(4...7), bound: nil, created: days(3...3), dropped: []),
        Case(
            name: "a bound at midnight",
            existing: days(-5...7),
            bound: -3,
            created: [],
            dropped: days(-5 ... -4)
        ),
        Case(
            name: "a bound within a day, which stays",
            existing: days(-5...7),
            bound: -2.001,
            created: [],
            dropped: days(-5 ... -4)
        ),
        Case(
            name: "a bound after all of them",
            existing: days(-9 ... -8),
            bound: -3,
            created: days(0...7),
            dropped: days(-9 ... -8)
        ),
        Case(name: "nearly too many", existing: days(-97...0), bound: nil, created: days(1...2), dropped: []),
        Case(name: "too many", existing: days(-120 ... -1), bound: -119, created: [], dropped: days(-120 ... -120)),
    ]

    @Test("which days are made and dropped", arguments: cases)
    func plan(_ example: Case) {
        let noon = Self.day(0).start + .seconds(43_200)
        let bound = example.bound.map { Self.day(0).start + .milliseconds(Int64($0 * 86_400_000)) }
        let plan = PartitionPlan(now: noon, existing: Set(example.existing), bound: bound)
        #expect(plan.created == example.created, "\(example.name)")
        #expect(plan.dropped == example.dropped, "\(example.name)")
    }

    @Test("a day of the retention's bound is deleted row by row a day after it could be dropped")
    func rowBound() {
        #expect(PartitionPlan.rowBound(Self.day(0).start) == Self.day(-1).start)
        #expect(PartitionPlan.rowBound(Self.day(1).start - .milliseconds(1)) == Self.day(-1).start)
    }

    @Test("a day has its name and its range of keys")
    func day() throws {
        let moment = Timestamp(try #require(UTCTime("2026-11-25T23:59:59.999Z")))
        let day = UTCDay(moment)
        #expect(day == Self.day(0))
        #expect(day.name == "20261125")
        #expect(UTCDay(name: "20261125") == day)
        #expect(["default", "2026112", "20261131", "2026112x", ""].allSatisfy { UTCDay(name: $0) == nil })
        let ids = NotificationIDs()
        #expect(day.keys.contains(ids.nextKey(at: day.start)))
        #expect(day.keys.contains(ids.nextKey(at: moment)))
        #expect(!day.keys.contains(ids.nextKey(at: moment + .milliseconds(1))))
        #expect(UTCDay(Timestamp(milliseconds: -1)).number == -1)
    }
}
