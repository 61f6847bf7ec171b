import MartletCore
package import MartletTransport
import MartletWire
import Synchronization

/// One authenticated way to a provider.
package protocol ProviderRoute: AnyObject, Sendable {
    /// Its connections.
    var pool: HTTP2ClientPool { get }
}

/// The routes of all credentials at one provider: opened when first used, shared, closed when replaced or idle.
package final class Routes<Route: ProviderRoute>: Sendable {
    private typealias Table = RouteTable<RouteKey, Route>

    private struct State {
        var table: RouteTable<RouteKey, Route>
        var isShutDown = false
    }

    private let address: @Sendable (Credential) throws(Failure) -> ServerAddress
    private let open: @Sendable (OpenedCredential, ServerAddress) throws(Failure) -> Route
    private let state: Mutex<State>

    /// No routes yet.
    ///
    /// - Parameters:
    ///   - limit: how many are kept open.
    ///   - address: where a credential's pushes go.
    ///   - open: makes one; called without any lock held, because it parses keys and certificates.
    init(
        limit: Int,
        address: @escaping @Sendable (Credential) throws(Failure) -> ServerAddress,
        open: @escaping @Sendable (OpenedCredential, ServerAddress) throws(Failure) -> Route
    ) {
        self.address = address
        self.open = open
        state = Mutex(State(table: RouteTable(limit: limit)))
    }

    /// Lends a route for as long as `body` runs.
    ///
    /// - Throws: `Failure` when the credential cannot be used, or after ``shutdown()``.
    func withRoute<Result: Sendable>(
        for opened: OpenedCredential,
        at now: Timestamp,
        _ body: (Route) async -> Result
    ) async throws(Failure) -> Result {
        let (id, route) = try lend(opened, at: now)
        let result = await body(route)
        giveBack(id)
        return result
    }

    /// Takes back a route that was lent.
    func giveBack(_ id: RouteTable<RouteKey, Route>.ID) {
        if let last = state.withLock({ $0.table.release(id) }) { close([last]) }
    }

    /// Lends a route until it is given back.
    ///
    /// - Throws: as ``withRoute(for:at:_:)``.
    func lend(_ opened: OpenedCredential, at now: Timestamp) throws(Failure) -> (RouteTable<RouteKey, Route>.ID, Route)
    {
        let key = RouteKey(opened, at: try address(opened.credential))
        let queue = opened.credential.queue
        if let known = try lend(key, queue, now, made: nil) { return known }
        let made = try open(opened, key.address)
        let lent: (Table.ID, Route)?
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
        _ key: RouteKey,
        _ queue: DeliveryQueue,
        _ now: Timestamp,
        made: Route?
    ) throws(Failure) -> (Table.ID, Route)? {
        let taken = try state.withLock { (state) throws(Failure) in
            guard !state.isShutDown else { throw Failure(.overloaded, "The server is shutting down.") }
            return state.table.acquire(key, for: queue, at: now, made: made)
        }
        guard let taken else { return nil }
        close(taken.closing)
        return (taken.id, taken.route)
    }

    /// The routes that queues use.
    var byQueue: [DeliveryQueue: Route] { state.withLock { $0.table.routes } }

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
    private func close(_ routes: [Route]) {
        for route in routes { Task { await route.pool.shutdown() } }
    }
}

/// What may share connections: the same secret at the same address, whichever app it belongs to.
struct RouteKey: Sendable, Hashable {
    let address: ServerAddress
    /// SHA-256 of the secret, so that a wrong key with the same id does not share.
    let secret: SecretHash
    let keyID: String?
    let teamID: String?
    let trust: String?
    /// Apart, because private addresses are open to one and not to the other.
    let isURLOfOthers: Bool

    /// The key of an opened credential whose pushes go to this address.
    init(_ opened: OpenedCredential, at address: ServerAddress) {
        let credential = opened.credential
        self.address = address
        secret = opened.secretHash
        keyID = credential.summary.keyID
        teamID = credential.summary.teamID
        trust = credential.trust
        isURLOfOthers = credential.isURLOfOthers
    }

    /// The secret alone: the rest seldom differs where it does not, and a certificate is long.
    func hash(into hasher: inout Hasher) { hasher.combine(secret) }
}
