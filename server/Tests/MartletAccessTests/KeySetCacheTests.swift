import Crypto
import MartletCore
import MartletWire
import Testing

@testable import MartletHTTP

@Suite("The cache of key sets")
struct KeySetCacheTests {
    let clock = ManualTime()
    let provider = ScriptedProvider()
    let cache: KeySetCache
    let url = "https://login.example.com/jwks"

    init() async throws {
        let provider = provider
        cache = TokenFixture.cache(clock) { _ in try await provider.fetch() }
        provider.answer(with: try await Self.set("k1"))
    }

    static func set(_ kids: String...) async throws -> KeySet {
        let key = P256.Signing.PrivateKey()
        let keys = kids.map { TokenFixture.jwk(key, kid: $0) }.joined(separator: ",")
        return try await KeySet(json: Array(#"{"keys":[\#(keys)]}"#.utf8))
    }

    @Test("asks once in ten minutes")
    func keepsTenMinutes() async throws {
        for _ in 0..<3 { _ = try await cache.keys(at: url, containing: "k1") }
        clock.advance(by: .seconds(599))
        _ = try await cache.keys(at: url, containing: "k1")
        #expect(provider.fetches == 1)
        clock.advance(by: .seconds(1))
        _ = try await cache.keys(at: url, containing: "k1")
        #expect(provider.fetches == 2)
    }

    @Test("asks for an unknown key at most once a minute")
    func asksForUnknownKeys() async throws {
        _ = try await cache.keys(at: url, containing: "k1")
        for kid in ["a", "b", "c"] { #expect(try await !cache.keys(at: url, containing: kid).contains(kid: kid)) }
        #expect(provider.fetches == 1)
        clock.advance(by: .seconds(60))
        provider.answer(with: try await Self.set("k1", "k2"))
        #expect(try await cache.keys(at: url, containing: "k2").contains(kid: "k2"))
        for kid in ["a", "b", "c"] { _ = try await cache.keys(at: url, containing: kid) }
        #expect(provider.fetches == 2)
    }

    @Test("uses the last set for six hours while the provider is away, and asks again every ten seconds")
    func usesStaleSets() async throws {
        _ = try await cache.keys(at: url, containing: "k1")
        provider.answer(with: nil)
        clock.advance(by: .seconds(600))
        for _ in 0..<3 { #expect(try await cache.keys(at: url, containing: "k1").contains(kid: "k1")) }
        #expect(provider.fetches == 2)
        clock.advance(by: .seconds(10))
        _ = try await cache.keys(at: url, containing: "k1")
        #expect(provider.fetches == 3)
        clock.advance(by: .seconds(6 * 3600 - 611))
        _ = try await cache.keys(at: url, containing: "k1")
        clock.advance(by: .seconds(1))
        #expect(await refusal { try await cache.keys(at: url, containing: "k1") }?.code == .overloaded)
        provider.answer(with: try await Self.set("k1"))
        clock.advance(by: .seconds(10))
        #expect(try await cache.keys(at: url, containing: "k1").contains(kid: "k1"))
    }

    @Test("is unavailable without a set, and does not ask again within ten seconds")
    func failsWithoutSet() async throws {
        provider.answer(with: nil)
        for _ in 0..<3 {
            #expect(await refusal { try await cache.keys(at: url, containing: "k1") }?.code == .overloaded)
        }
        #expect(provider.fetches == 1)
    }

    @Test("asks once for all who wait")
    func sharesFlights() async throws {
        provider.hold()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await cache.keys(at: url, containing: "k1").contains(kid: "k1") }
            await provider.arrivals(1)
            for _ in 0..<20 {
                group.addTask { try await cache.keys(at: url, containing: "k1").contains(kid: "k1") }
            }
            group.addTask {
                provider.release()
                return true
            }
            for try await found in group { #expect(found) }
        }
        #expect(provider.fetches == 1)
    }

    @Test("makes a token of the new key wait for the fetch under way instead of refusing it")
    func waitsForRotation() async throws {
        _ = try await cache.keys(at: url, containing: "k1")
        clock.advance(by: .seconds(60))
        provider.answer(with: try await Self.set("k2"))
        provider.hold()
        let first = Task { try await cache.keys(at: url, containing: "k2").contains(kid: "k2") }
        await provider.arrivals(1)
        // While the fetch is under way, the old key goes on without waiting.
        #expect(try await cache.keys(at: url, containing: "k1").contains(kid: "k1"))
        let second = Task { try await cache.keys(at: url, containing: "k2").contains(kid: "k2") }
        provider.release()
        #expect(try await first.value)
        #expect(try await second.value)
        #expect(provider.fetches == 2)
    }

    @Test("lets a cancelled request leave the others their fetch")
    func survivesCancellation() async throws {
        provider.hold()
        let first = Task { try await cache.keys(at: url, containing: "k1") }
        await provider.arrivals(1)
        first.cancel()
        provider.release()
        #expect(try await cache.keys(at: url, containing: "k1").contains(kid: "k1"))
        #expect(provider.fetches == 1)
    }

    @Test("asks again when the clock was set back")
    func survivesTheClock() async throws {
        _ = try await cache.keys(at: url, containing: "k1")
        clock.advance(by: .seconds(-86400))
        _ = try await cache.keys(at: url, containing: "k1")
        #expect(provider.fetches == 2)
    }

    @Test("a provider that hangs holds up no other until sixteen hang")
    func boundsFlights() async throws {
        let good = try await Self.set("k1")
        let slow = provider
        slow.hold()
        let cache = TokenFixture.cache(clock) { url in
            guard url.host.text == "slow.example.com" else { return good }
            return try await slow.fetch()
        }
        var waiting: [Task<KeySet, any Error>] = []
        func ask(_ path: Int) {
            waiting.append(Task { try await cache.keys(at: "https://slow.example.com/\(path)", containing: "k1") })
        }
        for path in 1..<KeySetCache.flights { ask(path) }
        await slow.arrivals(KeySetCache.flights - 1)
        #expect(try await cache.keys(at: "https://good.example.com/1", containing: "k1").contains(kid: "k1"))
        ask(KeySetCache.flights)
        await slow.arrivals(KeySetCache.flights)
        let failure = await refusal { try await cache.keys(at: "https://good.example.com/2", containing: "k1") }
        #expect(failure?.code == .overloaded)
        #expect(try await cache.keys(at: "https://good.example.com/1", containing: "k1").contains(kid: "k1"))
        slow.release()
        for task in waiting { #expect(try await task.value.contains(kid: "k1")) }
    }

    @Test("forgets what was not used for longest")
    func forgets() {
        var values = RecentValues<Int>(bound: 2)
        values["a"] = 1
        values["b"] = 2
        #expect(values["a"] == 1)
        values["c"] = 3
        #expect(values["b"] == nil)
        #expect(values["a"] == 1)
        #expect(values["c"] == 3)
        #expect(values.count == 2)
    }
}
