import MartletCore
import Synchronization

/// Remembers the addresses of names for a moment, so that a hundred messages to one host ask its name servers once.
final class DNSCache: Sendable {
    private struct Answer {
        var addresses: [IPAddress]
        var until: Timestamp
    }

    /// For how long an answer counts. Ours: a name that moved is followed within seconds.
    static let lifetime: Duration = .seconds(10)
    /// How many names; one more, and it begins anew.
    static let limit = 1_000

    private let resolve: @Sendable (String) async throws -> [IPAddress]
    private let clock: any WallClock
    private let known = Mutex<[String: Answer]>([:])

    /// An empty memory before a resolver.
    init(clock: any WallClock, resolve: @escaping @Sendable (String) async throws -> [IPAddress]) {
        self.clock = clock
        self.resolve = resolve
    }

    /// All addresses of a name.
    ///
    /// - Throws: what the resolver throws; that is not remembered.
    func addresses(of name: String) async throws -> [IPAddress] {
        let now = clock.now()
        // Not longer either where the clock was set back.
        if let answer = known.withLock({ $0[name] }), now < answer.until, answer.until <= now + Self.lifetime {
            return answer.addresses
        }
        let addresses = try await resolve(name)
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
            known[name] = Answer(addresses: addresses, until: now + Self.lifetime)
        }
        return addresses
    }
}
