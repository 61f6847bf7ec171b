import AsyncHTTPClient
public import Logging
public import MartletCore
import MartletWire
import Synchronization

/// The key sets of identity providers, so that a user token costs no request.
///
/// A fetched set is used for ten minutes. A token that names an unknown key brings the next fetch forward, at most
/// once a minute. While a provider cannot be reached its last set is used for up to six hours after its fetch. All who
/// need the same set wait for one fetch. At most ``bound`` sets are kept and ``flights`` fetches run at a time.
public final class KeySetCache: Sendable {
    /// How many sets are kept, fetched and inline each: one for each app of a large installation.
    static let bound = 1000
    /// How many fetches run at a time.
    static let flights = 16

    private struct State {
        var fetched = RecentValues<KeySetEntry>(bound: KeySetCache.bound)
        var inline = RecentValues<KeySet>(bound: KeySetCache.bound)
        var flights: [KeySetURL: Task<KeySet?, Never>] = [:]
    }

    private enum Step {
        case use(KeySet)
        case wait(Task<KeySet?, Never>)
        case unavailable
    }

    private let state = Mutex(State())
    private let clock: any WallClock
    private let logger: Logger
    private let fetch: @Sendable (KeySetURL) async throws -> KeySet

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - privateHosts: which hosts key sets may be fetched from.
    ///   - clock: what the ages of sets are measured with.
    ///   - logger: where fetches that failed are reported.
    public convenience init(
        privateHosts: PrivateHostPolicy,
        clock: any WallClock,
        logger: Logger
    ) {
        let resolver = NameResolver()
        let fetch = KeySetFetch(
            privateHosts: privateHosts,
            eventLoopGroup: HTTPClient.defaultEventLoopGroup,
            resolve: { try await resolver.addresses(of: $0) }
        )
        self.init(clock: clock, logger: logger) { try await fetch($0) }
    }

    /// An empty cache around what fetches.
    init(clock: any WallClock, logger: Logger, fetch: @escaping @Sendable (KeySetURL) async throws -> KeySet) {
        self.clock = clock
        self.logger = logger
        self.fetch = fetch
    }

    /// The set that is published at a URL.
    ///
    /// - Parameters:
    ///   - url: where, as the app has it.
    ///   - kid: the key that is looked for; the set may lack it all the same.
    /// - Throws: `Failure` with ``ErrorCode/overloaded`` when there is no set and none can be had,
    ///   ``ErrorCode/unauthorized`` when the URL is none.
    func keys(at url: String, containing kid: String?) async throws(Failure) -> KeySet {
        guard let url = try? KeySetURL(url, field: "identity") else {
            throw .userToken("This app's key set URL is not usable.", hint: "Store the app's identity again.")
        }
        switch state.withLock({ step(&$0, url, kid) }) {
        case .use(let keys):
            return keys
        case .wait(let flight):
            if let keys = await flight.value { return keys }
            let now = clock.now()
            if case .use(let keys)? = state.withLock({ $0.fetched[url.text]?.fallback(at: now) }) { return keys }
        case .unavailable:
            break
        }
        throw Failure(
            .overloaded,
            "The identity provider's keys cannot be fetched now.",
            hint: "Try again in a minute; the server's log says what is wrong with the app's key set URL."
        )
    }

    /// A set that stands in the app's identity; read once and kept.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unauthorized`` when it is not a key set.
    func keys(inline json: String) async throws(Failure) -> KeySet {
        if let known = state.withLock({ $0.inline[json] }) { return known }
        do throws(Failure) {
            let keys = try await KeySet(json: Array(json.utf8))
            state.withLock { $0.inline[json] = keys }
            return keys
        } catch {
            throw .userToken("This app's key set is not usable.", hint: "Store the app's identity again.")
        }
    }

    private func step(_ state: inout State, _ url: KeySetURL, _ kid: String?) -> Step {
        let now = clock.now()
        var entry = state.fetched[url.text] ?? KeySetEntry()
        switch entry.decision(for: kid, at: now) {
        case .use(let keys):
            // Right after a rotation the set on its way has the key that this one lacks.
            if !keys.contains(kid: kid), let flight = state.flights[url] { return .wait(flight) }
            return .use(keys)
        case .unavailable:
            return state.flights[url].map(Step.wait) ?? .unavailable
        case .fetch:
            if let flight = state.flights[url] { return .wait(flight) }
            guard state.flights.count < KeySetCache.flights else {
                if case .use(let keys) = entry.fallback(at: now) { return .use(keys) }
                return .unavailable
            }
            entry.begin(at: now)
            state.fetched[url.text] = entry
            // Its own task, because it must outlive the request that happened to come first.
            let flight = Task { await self.fly(to: url) }
            state.flights[url] = flight
            return .wait(flight)
        }
    }

    private func fly(to url: KeySetURL) async -> KeySet? {
        var found: KeySet?
        do {
            found = try await fetch(url)
        } catch {
            let reason = (error as? FetchError)?.description ?? "\(type(of: error))"
            logger.warning("key set not fetched", metadata: ["host": "\(url.host.text)", "reason": "\(reason)"])
        }
        let now = clock.now()
        state.withLock { state in
            state.flights[url] = nil
            guard let found else { return }
            var entry = state.fetched[url.text] ?? KeySetEntry()
            entry.succeed(found, at: now)
            state.fetched[url.text] = entry
        }
        return found
    }
}
