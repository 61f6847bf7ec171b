import MartletFilter
import MartletWire
import Testing

@testable import MartletCore

@Suite struct PolicyIndexCacheTests {
    static let topic = RowID<Topic>(1)

    static func message(_ line: String) -> TopicMessage {
        TopicMessage(attributes: ["line": .init(type: "String", value: line)])
    }

    static func policy(_ row: Int64, _ text: String) -> PolicyIndexCache.Policy {
        PolicyIndexCache.Policy(row: row, filter: SubscriptionFilter(stored: text, scope: .messageAttributes))
    }

    static func line(_ row: Int64) -> PolicyIndexCache.Policy { policy(row, #"{"line":["\#(row)"]}"#) }

    @Test("policies are loaded once, later ones after the last that is there")
    func loadsWhatIsMissing() {
        let cache = PolicyIndexCache()
        #expect(cache.last(of: Self.topic) == 0)
        var asked: [Int64] = []
        for (stored, line, expected) in [([3, 5], "5", [5]), ([3, 5], "3", [3]), ([3, 5, 9], "9", [9])]
            as [([Int64], String, Set<Int64>)]
        {
            let found = cache.matches(Self.message(line), of: Self.topic, count: stored.count) { last in
                asked.append(last)
                return stored.filter { $0 > last }.map(Self.line)
            }
            #expect(found == expected)
        }
        #expect(asked == [0, 5, 5])
        #expect(cache.last(of: Self.topic) == 9)
    }

    @Test("a policy that cannot be read matches nothing and hides no other")
    func passesOverTheUnreadable() {
        let found = PolicyIndexCache().matches(Self.message("2"), of: Self.topic, count: 2) { _ in
            [Self.policy(1, "{"), Self.line(2)]
        }
        #expect(found == [2])
    }

    @Test("an index most of whose policies were dropped is made anew")
    func beginsAnew() {
        let cache = PolicyIndexCache()
        var stored = (1...1_200).map { Self.line(Int64($0)) }
        let load = { (last: Int64) in stored.filter { $0.row > last } }
        #expect(cache.matches(Self.message("7"), of: Self.topic, count: 1_200, load: load) == [7])
        stored.removeFirst(1_150)
        #expect(cache.matches(Self.message("7"), of: Self.topic, count: 50, load: load) == [])
        #expect(cache.matches(Self.message("1200"), of: Self.topic, count: 50, load: load) == [1_200])
    }

    @Test("topics that were asked for longest ago make room")
    func makesRoom() {
        let cache = PolicyIndexCache(limit: 100)
        for topic in 1...40 as ClosedRange<Int64> {
            _ = cache.matches(Self.message("1"), of: RowID(topic), count: 5) { _ in
                (1...5).map { Self.line($0) }
            }
        }
        let kept = (1...40).filter { cache.last(of: RowID($0)) > 0 }
        #expect(kept.count * 6 <= 100)
        #expect(kept.contains(40) && kept.contains(39) && !kept.contains(1))
    }

    @Test("a load that fails leaves what was there")
    func failingLoad() {
        struct Trouble: Error {}
        let cache = PolicyIndexCache()
        _ = cache.matches(Self.message("1"), of: Self.topic, count: 1) { _ in [Self.line(1)] }
        #expect(throws: Trouble.self) {
            _ = try cache.matches(Self.message("1"), of: Self.topic, count: 2) { _ in throw Trouble() }
        }
        #expect(cache.matches(Self.message("1"), of: Self.topic, count: 1) { _ in [] } == [1])
    }
}
