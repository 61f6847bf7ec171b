import MartletWire
import Testing

@testable import MartletCore

@Suite("A page of a timeline")
struct TimelineTests {
    static func entry(_ at: Int64, _ what: String = "accepted") -> TimelineEntry {
        TimelineEntry(at: Timestamp(milliseconds: at), kind: .delivery, what: what)
    }

    static func filter(since: Int64? = nil) -> TimelineFilter {
        TimelineFilter(app: RowID(1), user: "ann", since: since.map(Timestamp.init(milliseconds:)))
    }

    static func position(_ moment: Int64, skipped: Int = 0) -> TimelinePosition {
        TimelinePosition(Timestamp(milliseconds: moment), skipped: skipped)
    }

    @Test("a position is its key", arguments: [(0, 0), (1_800_000_000_000, 0), (1 << 42, 7), (5, 1_048_575)])
    func key(_ moment: Int64, _ skipped: Int) {
        let position = Self.position(moment, skipped: skipped)
        #expect(TimelinePosition(key: position.key) == position)
    }

    @Test("a page ends among things of one moment, and the next one goes on there")
    func ties() {
        let part = TimelinePart([Self.entry(5, "a"), Self.entry(5, "c"), Self.entry(5, "b"), Self.entry(4, "d")])
        let first = Self.position(9).page(of: part, Self.filter(), count: 2)
        #expect(first.items.map(\.what) == ["a", "b"])
        let second = first.next.map { TimelinePosition(key: $0).page(of: part, Self.filter(), count: 1) }
        #expect(second?.items.map(\.what) == ["c"])
        let third = second?.next.map { TimelinePosition(key: $0).page(of: part, Self.filter(), count: 5) }
        #expect(third?.items.map(\.what) == ["d"])
        #expect(third?.next == nil)
    }

    @Test("what may have gaps waits for the next page, which begins there")
    func horizon() {
        var part = TimelinePart([Self.entry(8), Self.entry(3)], horizon: Timestamp(milliseconds: 3))
        part.add(TimelinePart([Self.entry(6), Self.entry(5)], horizon: Timestamp(milliseconds: 5)))
        let page = Self.position(9).page(of: part, Self.filter(), count: 10)
        #expect(page.items.map(\.at.rawValue) == [8, 6])
        #expect(page.next == Self.position(5).key)
    }

    @Test("a moment with more than is looked at is passed over after what was read of it")
    func crowdedMoment() {
        let part = TimelinePart([Self.entry(5)], horizon: Timestamp(milliseconds: 5))
        let page = Self.position(5).page(of: part, Self.filter(), count: 10)
        #expect(page.items.count == 1)
        #expect(page.next == Self.position(4).key)
    }

    @Test("it ends where less is asked for than was looked at")
    func since() {
        let part = TimelinePart([Self.entry(8), Self.entry(6)], horizon: Timestamp(milliseconds: 5))
        let page = Self.position(9).page(of: part, Self.filter(since: 7), count: 10)
        #expect(page.items.map(\.at.rawValue) == [8])
        #expect(page.next == nil)
    }
}
