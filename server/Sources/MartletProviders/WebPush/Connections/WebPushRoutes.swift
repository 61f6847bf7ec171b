import MartletCore
import MartletWire
import Synchronization

/// The ways to all origins: opened when first used, closed when idle or when there are too many.
final class WebPushRoutes: Sendable {
    private struct Entry {
        var route: WebPushRoute
        var users = 0
        var lastUse: Timestamp
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var isShutDown = false
        /// What became of the connections of ways that are closed.
        var past: [Environment: ConnectionTraffic] = [:]
    }

    private let limit: Int
    private let idleLimit: Duration
    private let open: @Sendable (WebPushEndpoint) throws(Failure) -> WebPushRoute
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: how many connections they have together, as far as nobody uses them.
    ///   - open: makes the way to an endpoint's origin.
    init(
        limit: Int,
        idleLimit: Duration,
        open: @escaping @Sendable (WebPushEndpoint) throws(Failure) -> WebPushRoute
    ) {
        (self.limit, self.idleLimit, self.open) = (limit, idleLimit, open)
    }

    /// Lends the way to an endpoint's origin for as long as `body` runs.
    ///
    /// - Throws: `Failure` when there can be none, or after ``shutdown()``.
    func withRoute(
        to endpoint: WebPushEndpoint,
        at now: Timestamp,
        _ body: (WebPushRoute) async -> Void
    ) async throws(Failure) {
        let (route, closing) = try state.withLock { state throws(Failure) in try lend(endpoint, at: now, &state) }
        // Not waited for: a pool takes no more work and closes within its own deadline.
        for idle in closing { Task { await idle.close() } }
        await body(route)
        state.withLock { $0.entries[endpoint.origin]?.users -= 1 }
    }

    private func lend(
        _ endpoint: WebPushEndpoint,
        at now: Timestamp,
        _ state: inout State
    ) throws(Failure) -> (WebPushRoute, closing: [WebPushRoute]) {
        guard !state.isShutDown else { throw Failure(.overloaded, "The server is shutting down.") }
        var entry: Entry
        if let known = state.entries[endpoint.origin] {
            entry = known
        } else {
            entry = Entry(route: try open(endpoint), lastUse: now)
        }
        entry.users += 1
        entry.lastUse = now
        state.entries[endpoint.origin] = entry
        return (entry.route, sweep(at: now, &state))
    }

    /// Takes out what is idle, and what is beyond the limit, the longest unused first. What is in use stays: its number is
    /// bounded by how many pushes are under way.
    private func sweep(at now: Timestamp, _ state: inout State) -> [WebPushRoute] {
        var closing: [WebPushRoute] = []
        var count = state.entries.values.reduce(0) { $0 + $1.route.connections }
        let unused = state.entries.filter { $0.value.users == 0 }.sorted { $0.value.lastUse < $1.value.lastUse }
        for (origin, entry) in unused where count > limit || now - entry.lastUse > idleLimit {
            state.entries[origin] = nil
            state.past[entry.route.service, default: .none] += entry.route.traffic.history
            count -= entry.route.connections
            closing.append(entry.route)
        }
        return closing
    }

    /// The connections to each service that was pushed to.
    var traffic: [Environment: ConnectionTraffic] {
        state.withLock { state in
            state.entries.values.reduce(into: state.past) { all, entry in
                all[entry.route.service, default: .none] += entry.route.traffic
            }
        }
    }

    /// How many origins are open.
    var count: Int { state.withLock { $0.entries.count } }

    /// Closes all; what is in flight has ten seconds.
    func shutdown() async {
        let routes = state.withLock { state in
            state.isShutDown = true
            defer { state.entries = [:] }
            return state.entries.values.map(\.route)
        }
        await withTaskGroup(of: Void.self) { group in
            for route in routes { group.addTask { await route.close() } }
        }
    }
}
