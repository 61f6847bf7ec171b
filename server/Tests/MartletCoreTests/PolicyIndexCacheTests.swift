import MartletFilter
import MartletWire
import Synchronization
import Testing

@testable import MartletCore

@Suite struct PolicyIndexCacheTests {
    static let topic = RowID<Topic>(1)

    static func message(_ line: Int) -> TopicMessage {
        TopicMessage(attributes: ["line": .init(type: "String", value: String(line))])
    }

    static func policy(_ row: Int64, _ text: String) -> PolicyIndexCache.Policy {
        PolicyIndexCache.Policy(row: row, filter: SubscriptionFilter(stored: text, scope: .messageAttributes))
    }

    static func line(_ row: Int64) -> PolicyIndexCache.Policy { policy(row, #"{"line":["\#(row)"]}"#) }

    /// The policies of a store, which notes from where they are read.
    final class TokenStore: Sendable {
        private let state: Mutex<(policies: [PolicyIndexCache.Policy], reads: [Int64])>

        init(_ rows: some Sequence<Int64>) { state = Mutex((rows.map(PolicyIndexCacheTests.line), [])) }

        var extent: PolicyIndexCache.Extent {
            state.withLock { .init(count: $0.policies.count, last: $0.policies.last?.row ?? 0) }
        }
        var reads: [Int64] { state.withLock(\.reads) }

        func set(_ rows: some Sequence<Int64>) {
            let policies = rows.map(PolicyIndexCacheTests.line)
            state.withLock { $0.policies = policies }
        }

        func load(_ after: Int64, _ limit: Int) -> [PolicyIndexCache.Policy] {
            state.withLock { state in
                state.reads.append(after)
                return Array(state.policies.filter { $0.row > after }.prefix(limit))
            }
        }

        func bringIn(_ cache: PolicyIndexCache) async throws {
            try await cache.update(PolicyIndexCacheTests.topic, to: extent) { [self] in load($0, $1) }
        }
    }

    @Test("policies are loaded once, later ones after the last that is there")
    func loadsWhatIsMissing() async throws {
        let cache = PolicyIndexCache()
        let tokenStore = TokenStore([3, 5])
        #expect(cache.last(of: Self.topic) == 0)
        #expect(cache.matches(Self.message(5), of: Self.topic, tokenStore.extent) == nil)
        for _ in 0..<2 { try await tokenStore.bringIn(cache) }
        #expect(cache.matches(Self.message(5), of: Self.topic, tokenStore.extent) == [5])
        #expect(cache.matches(Self.message(3), of: Self.topic, tokenStore.extent) == [3])
        tokenStore.set([3, 5, 9])
        #expect(cache.matches(Self.message(3), of: Self.topic, tokenStore.extent) == nil)
        try await tokenStore.bringIn(cache)
        #expect(cache.matches(Self.message(9), of: Self.topic, tokenStore.extent) == [9])
        #expect(tokenStore.reads == [0, 5])
        #expect(cache.last(of: Self.topic) == 9)
    }

    @Test("a topic without policies needs no index")
    func none() {
        let none = PolicyIndexCache.Extent(count: 0, last: 0)
        #expect(PolicyIndexCache().matches(Self.message(1), of: Self.topic, none) == [])
    }

    @Test("many policies are loaded part by part")
    func parts() async throws {
        let cache = PolicyIndexCache()
        let size = Int64(PolicyIndexCache.partSize)
        let tokenStore = TokenStore(1...2 * size)
        try await tokenStore.bringIn(cache)
        #expect(cache.matches(Self.message(Int(size) + 1), of: Self.topic, tokenStore.extent) == [size + 1])
        #expect(tokenStore.reads == [0, size, 2 * size])
    }

    @Test("those who need the same policies at the same time have them loaded once")
    func together() async throws {
        let cache = PolicyIndexCache()
        let tokenStore = TokenStore(1...20)
        try await withThrowingDiscardingTaskGroup { group in
            for line in 1...20 {
                group.addTask {
                    try await tokenStore.bringIn(cache)
                    #expect(cache.matches(Self.message(line), of: Self.topic, tokenStore.extent) == [Int64(line)])
                }
            }
        }
        #expect(tokenStore.reads == [0])
    }

    @Test("while policies are brought in, messages are matched with those that are there")
    func matchesMeanwhile() async throws {
        let cache = PolicyIndexCache()
        let tokenStore = TokenStore([1])
        try await tokenStore.bringIn(cache)
        let known = tokenStore.extent
        tokenStore.set([1, 2])
        try await cache.update(Self.topic, to: tokenStore.extent) { after, limit in
            #expect(cache.matches(Self.message(1), of: Self.topic, known) == [1])
            #expect(cache.matches(Self.message(1), of: Self.topic, tokenStore.extent) == nil)
            return tokenStore.load(after, limit)
        }
        #expect(cache.matches(Self.message(2), of: Self.topic, tokenStore.extent) == [2])
    }

    @Test("a policy that was made after somebody else's look is brought in too")
    func afterTheOther() async throws {
        let cache = PolicyIndexCache()
        let tokenStore = TokenStore([1])
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let extent = tokenStore.extent
        let first = Task {
            try await cache.update(Self.topic, to: extent) { after, limit in
                let found = tokenStore.load(after, limit)
                begin.yield()
                for await _ in ended { break }
                return found
            }
        }
        for await _ in begun { break }
        tokenStore.set([1, 2])
        let second = Task { try await tokenStore.bringIn(cache) }
        end.yield()
        try await first.value
        try await second.value
        #expect(cache.matches(Self.message(2), of: Self.topic, tokenStore.extent) == [2])
        #expect(tokenStore.reads == [0, 1])
    }

    @Test("a policy that was dropped before it was loaded is not waited for")
    func dropped() async throws {
        let cache = PolicyIndexCache()
        let tokenStore = TokenStore([1, 2])
        let extent = tokenStore.extent
        tokenStore.set([1])
        try await cache.update(Self.topic, to: extent) { tokenStore.load($0, $1) }
        #expect(cache.matches(Self.message(1), of: Self.topic, extent) == [1])
        #expect(cache.last(of: Self.topic) == 2)
    }

    @Test("a policy that cannot be read matches nothing and hides no other")
    func passesOverTheUnreadable() async throws {
        let cache = PolicyIndexCache()
        let extent = PolicyIndexCache.Extent(count: 2, last: 2)
        try await cache.update(Self.topic, to: extent) { _, _ in [Self.policy(1, "{"), Self.line(2)] }
        #expect(cache.matches(Self.message(2), of: Self.topic, extent) == [2])
    }

    @Test("an index most of whose policies were dropped is made anew")
    func beginsAnew() async throws {
        let cache = PolicyIndexCache()
        let tokenStore = TokenStore(1...1_200)
        try await tokenStore.bringIn(cache)
        #expect(cache.matches(Self.message(7), of: Self.topic, tokenStore.extent) == [7])
        tokenStore.set(1_151...1_200)
        #expect(cache.matches(Self.message(7), of: Self.topic, tokenStore.extent) == nil)
        #expect(cache.last(of: Self.topic) == 0)
        try await tokenStore.bringIn(cache)
        #expect(cache.matches(Self.message(7), of: Self.topic, tokenStore.extent) == [])
        #expect(cache.matches(Self.message(1_200), of: Self.topic, tokenStore.extent) == [1_200])
    }

    @Test("topics that were asked for longest ago make room")
    func makesRoom() async throws {
        let cache = PolicyIndexCache(limit: 100)
        for topic in 1...40 as ClosedRange<Int64> {
            let extent = PolicyIndexCache.Extent(count: 5, last: 5)
            try await cache.update(RowID(topic), to: extent) { _, _ in (1...5).map { Self.line($0) } }
        }
        let kept = (1...40).filter { cache.last(of: RowID($0)) > 0 }
        #expect(kept.count * 6 <= 100)
        #expect(kept.contains(40) && kept.contains(39) && !kept.contains(1))
    }

    @Test("a load that fails leaves what was there, and the next one begins again")
    func failingLoad() async throws {
        struct Trouble: Error {}
        let cache = PolicyIndexCache()
        let tokenStore = TokenStore([1])
        try await tokenStore.bringIn(cache)
        tokenStore.set([1, 2])
        await #expect(throws: Trouble.self) {
            try await cache.update(Self.topic, to: tokenStore.extent) { _, _ in throw Trouble() }
        }
        #expect(cache.last(of: Self.topic) == 1)
        try await tokenStore.bringIn(cache)
        #expect(cache.matches(Self.message(2), of: Self.topic, tokenStore.extent) == [2])
    }
}
