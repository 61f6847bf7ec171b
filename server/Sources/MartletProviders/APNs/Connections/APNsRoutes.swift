import Logging
import MartletCore
import MartletTransport
import MartletWire
import NIOCore
import Synchronization

/// The routes of all credentials: opened when first used, shared, closed when replaced or idle.
final class APNsRoutes: Sendable {
    private struct State {
        var table: RouteTable<APNsRouteKey, APNsRoute>
        var isShutDown = false
    }

    private let settings: APNsSettings
    private let shelf: ProviderTokenShelf?
    private let group: any EventLoopGroup
    private let logger: Logger
    private let state: Mutex<State>

    init(settings: APNsSettings, shelf: ProviderTokenShelf?, group: any EventLoopGroup, logger: Logger) {
        self.settings = settings
        self.shelf = shelf
        self.group = group
        self.logger = logger
        state = Mutex(State(table: RouteTable(limit: settings.routes)))
    }

    /// Lends a route for as long as `body` runs.
    ///
    /// - Throws: `Failure` when the credential cannot be used, or after ``shutdown()``.
    func withRoute<Result: Sendable>(
        for opened: OpenedCredential,
        at now: Timestamp,
        _ body: (APNsRoute) async -> Result
    ) async throws(Failure) -> Result {
        let key = try APNsRouteKey(opened)
        let credential = opened.credential
        let lane = Lane(app: credential.app, platform: credential.platform, environment: credential.environment)
        let (settings, shelf, group, logger) = (settings, shelf, group, logger)
        let (id, route, closing) = try state.withLock { (state) throws(Failure) in
            guard !state.isShutDown else { throw Failure(.overloaded, "The server is shutting down.") }
            return try state.table.acquire(key, for: lane, at: now) { () throws(Failure) -> APNsRoute in
                try APNsRoute(
                    opened,
                    address: key.address,
                    settings: settings,
                    shelf: shelf,
                    group: group,
                    logger: logger
                )
            }
        }
        close(closing)
        let result = await body(route)
        if let last = state.withLock({ $0.table.release(id) }) { close([last]) }
        return result
    }

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
