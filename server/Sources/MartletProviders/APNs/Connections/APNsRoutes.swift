import MartletCore
import MartletTransport
import MartletWire
import Synchronization

/// The routes of all credentials: opened when first used, shared, closed when replaced or idle.
final class APNsRoutes: Sendable {
    private struct State {
        var table: RouteTable<APNsRouteKey, APNsRoute>
        var isShutDown = false
    }

    private let open: @Sendable (OpenedCredential, APNsAddress) throws(Failure) -> APNsRoute
    private let state: Mutex<State>

    /// No routes yet.
    ///
    /// - Parameters:
    ///   - limit: how many are kept open.
    ///   - open: makes one; called without any lock held, because it parses keys and certificates.
    init(
        limit: Int,
        open: @escaping @Sendable (OpenedCredential, APNsAddress) throws(Failure) -> APNsRoute
    ) {
        self.open = open
        state = Mutex(State(table: RouteTable(limit: limit)))
    }

    /// Lends a route for as long as `body` runs.
    ///
    /// - Throws: `Failure` when the credential cannot be used, or after ``shutdown()``.
    func withRoute<Result: Sendable>(
        for opened: OpenedCredential,
        at now: Timestamp,
        _ body: (APNsRoute) async -> Result
    ) async throws(Failure) -> Result {
        let (id, route) = try lend(opened, at: now)
        let result = await body(route)
        if let last = state.withLock({ $0.table.release(id) }) { close([last]) }
        return result
    }

    private typealias Table = RouteTable<APNsRouteKey, APNsRoute>

    private func lend(_ opened: OpenedCredential, at now: Timestamp) throws(Failure) -> (Table.ID, APNsRoute) {
        let key = try APNsRouteKey(opened)
        let queue = opened.credential.queue
        if let known = try lend(key, queue, now, made: nil) { return known }
        let made = try open(opened, key.address)
        let lent: (Table.ID, APNsRoute)?
        do { lent = try lend(key, queue, now, made: made) } catch {
            close([made])
            throw error
        }
        guard let lent else { throw Failure(.internalError, "A route that was made could not be lent.") }
        // Somebody else was faster.
        if lent.1 !== made { close([made]) }
        return lent
    }

    /// A route that is open or has just been made; `nil` when there is neither.
    private func lend(
        _ key: APNsRouteKey,
        _ queue: DeliveryQueue,
        _ now: Timestamp,
        made: APNsRoute?
    ) throws(Failure) -> (Table.ID, APNsRoute)? {
        let taken = try state.withLock { (state) throws(Failure) in
            guard !state.isShutDown else { throw Failure(.overloaded, "The server is shutting down.") }
            return state.table.acquire(key, for: queue, at: now, made: made)
        }
        guard let taken else { return nil }
        close(taken.closing)
        return (taken.id, taken.route)
    }

    /// The routes that queues use.
    var byQueue: [DeliveryQueue: APNsRoute] { state.withLock { $0.table.routes } }

    /// How many routes are open.
    var count: Int { state.withLock { $0.table.count } }

    /// Closes all routes; what is in flight has ten seconds.
    func shutdown() async {
        let routes = state.withLock { state in
            state.isShutDown = true
            return state.table.removeAll()
        }
        await withTaskGroup(of: Void.self) { group in
            for route in routes { group.addTask { await route.pool.shutdown() } }
        }
    }

    /// Not waited for: the pool takes no more work and closes within its own deadline.
    private func close(_ routes: [APNsRoute]) {
        for route in routes { Task { await route.pool.shutdown() } }
    }
}
