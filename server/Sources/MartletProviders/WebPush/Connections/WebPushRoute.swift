import MartletCore
import MartletTransport
import MartletWire
import NIOSSL
import Synchronization

/// The way to one origin: HTTP/2 where the other side speaks it, HTTP/1.1 else.
final class WebPushRoute: Sendable {
    /// How requests go.
    enum Way: Sendable {
        case http2(HTTP2ClientPool)
        case http1(WebPushHTTP1)
    }

    /// Whose it is.
    let service: Environment
    /// Most connections.
    let connections: Int
    private let configuration: HTTP2ClientConfiguration
    private let http1: WebPushHTTP1
    private let context: ProviderContext
    private let protocols: WebPushProtocols
    private let origin: String

    private struct State {
        var way: Way?
        var finding: Task<Way, any Error>?
        var isClosed = false
        /// What became of connections that are not those of the way.
        var past = ConnectionTraffic.none
    }

    private let state = Mutex(State())

    /// A route without connections.
    ///
    /// - Throws: `Failure` where the trusted certificates cannot be read.
    init(
        _ endpoint: WebPushEndpoint,
        settings: WebPushSettings,
        protocols: WebPushProtocols,
        resolve: @escaping @Sendable (String) async throws -> [IPAddress],
        _ context: ProviderContext
    ) throws(Failure) {
        let mapped = settings.origins[endpoint.origin]
        let address = mapped?.address ?? ServerAddress(host: endpoint.host, port: 443)
        let tls = try TLSConfiguration.client(trusting: mapped?.trust)
        (origin, service) = (endpoint.origin, endpoint.service)
        connections = WebPushService.connections(endpoint.service)
        configuration = HTTP2ClientConfiguration(
            to: address,
            tls: tls,
            settings,
            keptFields: WebPushAnswer.fields,
            isJudged: mapped == nil
        )
        http1 = WebPushHTTP1(
            address: address,
            tls: tls,
            // Whoever maps an origin is the operator.
            privateHosts: mapped == nil ? settings.privateHosts : nil,
            connections: connections,
            settings: settings,
            resolve: resolve,
            group: context.group
        )
        (self.protocols, self.context) = (protocols, context)
    }

    /// How requests go; the first who asks finds out by a handshake, unless it is known from before.
    ///
    /// - Throws: `HTTP2ConnectError` where there is no connection.
    func way() async throws -> Way {
        let found = state.withLock { state -> (way: Way?, finding: Task<Way, any Error>?) in
            if let way = state.way { return (way, nil) }
            let finding = state.finding ?? Task { try await self.findWay() }
            state.finding = finding
            return (nil, finding)
        }
        if let way = found.way { return way }
        guard let finding = found.finding else { throw CancellationError() }
        return try await finding.value
    }

    private func findWay() async throws -> Way {
        defer { state.withLock { $0.finding = nil } }
        if let known = protocols[origin] { return adopt(isHTTP2: known) }
        do throws(HTTP2ConnectError) {
            let connection = try await HTTP2ClientConnection.connect(
                configuration,
                group: context.group,
                logger: context.logger
            )
            state.withLock { $0.past.opened += 1 }
            await connection.close()
            protocols[origin] = true
            return adopt(isHTTP2: true)
        } catch {
            guard error.phase == .alpn else {
                state.withLock { $0.past.failures[error.phase.rawValue, default: 0] += 1 }
                throw error
            }
            protocols[origin] = false
            return adopt(isHTTP2: false)
        }
    }

    private func adopt(isHTTP2: Bool) -> Way {
        let pool = isHTTP2 ? makePool() : nil
        let way = pool.map(Way.http2) ?? .http1(http1)
        let isClosed = state.withLock { state in
            if !state.isClosed { state.way = way }
            return state.isClosed
        }
        if isClosed, let pool { Task { await pool.shutdown() } }
        return way
    }

    private func makePool() -> HTTP2ClientPool {
        HTTP2ClientPool(
            HTTP2ClientPoolConfiguration(connection: configuration, maxConnections: connections),
            group: context.group,
            logger: context.logger
        )
    }

    /// Finds out again with the next push, where the other side does not speak HTTP/2 any more.
    func forgetIfChanged() {
        let pool = state.withLock { state -> HTTP2ClientPool? in
            guard case .http2(let pool)? = state.way, pool.status.history.failures[.alpn, default: 0] > 0 else {
                return nil
            }
            state.way = nil
            state.past += ConnectionTraffic(pool.status).history
            return pool
        }
        guard let pool else { return }
        protocols[origin] = nil
        Task { await pool.shutdown() }
    }

    /// Its connections.
    var traffic: ConnectionTraffic {
        let (way, past, isFinding) = state.withLock { ($0.way, $0.past, $0.finding != nil) }
        var traffic = past
        traffic += http1.traffic
        if case .http2(let pool)? = way { traffic += ConnectionTraffic(pool.status) }
        if isFinding { traffic.states[.connecting, default: 0] += 1 }
        return traffic
    }

    /// Closes its connections; what is in flight has ten seconds.
    func close() async {
        let way = state.withLock { state in
            state.isClosed = true
            defer { state.way = nil }
            return state.way
        }
        if case .http2(let pool)? = way { await pool.shutdown() }
        http1.close()
    }
}

/// Which origins speak HTTP/2, remembered for an hour, so that a push need not try.
final class WebPushProtocols: Sendable {
    private static let lifetime: Duration = .seconds(3_600)
    /// How many origins; one more, and it begins anew.
    private static let limit = 1_024

    private let clock: any WallClock
    private let known = Mutex<[String: (isHTTP2: Bool, until: Timestamp)]>([:])

    init(clock: any WallClock) { self.clock = clock }

    subscript(origin: String) -> Bool? {
        get {
            let now = clock.now()
            return known.withLock { known in
                known[origin].flatMap { now < $0.until && $0.until <= now + Self.lifetime ? $0.isHTTP2 : nil }
            }
        }
        set {
            let until = clock.now() + Self.lifetime
            known.withLock { known in
                if known.count >= Self.limit { known = [:] }
                known[origin] = newValue.map { ($0, until) }
            }
        }
    }
}
