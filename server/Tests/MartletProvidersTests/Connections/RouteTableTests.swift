import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

@Suite("Routes")
struct RouteTableTests {
    private let start = Timestamp(milliseconds: 1_700_000_000_000)

    private func queue(_ app: Int64) -> DeliveryQueue {
        DeliveryQueue(app: RowID(app), platform: .apns, environment: .production)
    }

    /// A table whose routes are called by their key.
    private struct Harness {
        var table = RouteTable<String, String>(limit: 2)
        var made: [String] = []
        var closed: [String] = []

        mutating func acquire(_ key: String, _ queue: DeliveryQueue, _ now: Timestamp) -> RouteTable<String, String>.ID
        {
            if let known = table.acquire(key, for: queue, at: now, made: nil) {
                closed += known.closing
                return known.id
            }
            made.append(key)
            let taken = table.acquire(key, for: queue, at: now, made: key)!  // one was given
            closed += taken.closing
            return taken.id
        }

        mutating func release(_ id: RouteTable<String, String>.ID) {
            if let last = table.release(id) { closed.append(last) }
        }

        mutating func use(_ key: String, _ queue: DeliveryQueue, _ now: Timestamp) { release(acquire(key, queue, now)) }
    }

    @Test("apps with the same key share a route")
    func shared() {
        var harness = Harness()
        harness.use("a", queue(1), start)
        harness.use("a", queue(2), start)
        #expect(harness.made == ["a"])
        #expect(harness.table.count == 1)
    }

    @Test("of two that are made at the same time the first is used by both")
    func madeTwice() {
        var table = RouteTable<String, Int>(limit: 2)
        let none = table.acquire("a", for: queue(1), at: start, made: nil)
        let first = table.acquire("a", for: queue(1), at: start, made: 1)
        let second = table.acquire("a", for: queue(2), at: start, made: 2)
        #expect(none == nil)
        #expect(first?.route == 1)
        #expect(second?.route == 1)
        #expect(table.count == 1)
    }

    @Test("a replaced credential closes the old route, but not for those who still use it")
    func replaced() {
        var harness = Harness()
        harness.use("a", queue(1), start)
        harness.use("a", queue(2), start)
        harness.use("b", queue(1), start)
        #expect(harness.closed == [])
        harness.use("b", queue(2), start)
        #expect(harness.closed == ["a"])
        #expect(harness.table.count == 1)
    }

    @Test("a replaced route is closed when its last push is over, and is not found before")
    func replacedInUse() {
        var harness = Harness()
        let first = harness.acquire("a", queue(1), start)
        let second = harness.acquire("a", queue(1), start)
        harness.use("b", queue(1), start)
        #expect(harness.closed == [])
        harness.release(first)
        #expect(harness.closed == [])
        harness.use("a", queue(1), start)
        #expect(harness.made == ["a", "b", "a"])
        #expect(harness.closed == ["b"])
        harness.release(second)
        #expect(harness.closed == ["b", "a"])
        #expect(harness.table.count == 1)
    }

    @Test("beyond the limit the one unused for longest is closed, those in use stay")
    func limit() {
        var harness = Harness()
        let held = harness.acquire("a", queue(1), start)
        harness.use("b", queue(2), start + .seconds(1))
        harness.use("c", queue(3), start + .seconds(2))
        #expect(harness.closed == ["b"])
        harness.release(held)
        harness.use("c", queue(3), start + .seconds(3))
        harness.use("d", queue(4), start + .seconds(4))
        #expect(harness.closed == ["b", "a"])
    }

    @Test("a route that was not used for more than a day is closed")
    func idle() {
        var harness = Harness()
        harness.use("a", queue(1), start)
        harness.use("b", queue(2), start + .seconds(86_400))
        #expect(harness.closed == [])
        harness.use("b", queue(2), start + .seconds(86_401))
        #expect(harness.closed == ["a"])
    }

    @Test("all routes are given out at the end, and a late release closes nothing twice")
    func end() {
        var harness = Harness()
        let id = harness.acquire("a", queue(1), start)
        harness.use("b", queue(2), start)
        #expect(Set(harness.table.removeAll()) == ["a", "b"])
        #expect(harness.table.release(id) == nil)
    }
}
