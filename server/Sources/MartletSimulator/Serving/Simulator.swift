package import Logging
import NIOCore
import NIOPosix
import NIOSSL

/// A stand-in for a push service: TLS, HTTP, the service's checks and answers, and scripted trouble.
///
/// What it received and how it behaves is controlled by the methods here and, the same, over HTTP at `controlPort`.
package final class Simulator<Service: SimulatedService>: Sendable {
    /// Port of the service.
    package let port: Int
    /// Port of its own control API (plain HTTP); 0 when it has none.
    package let controlPort: Int
    /// Signs its certificate, unless that came from files.
    package let authority: SimulatorAuthority

    let service: Service
    private let host: String
    private let controlServer: ControlServer?
    private let group: MultiThreadedEventLoopGroup

    /// Binds all ports and serves until `shutdown`.
    ///
    /// - Parameter others: what the control API controls too; it is not shut down with this one.
    /// - Throws: `SimulatorError` for a setting that cannot be used, else what the system says of a port or file.
    package static func start(
        _ configuration: SimulatorConfiguration<Service> = SimulatorConfiguration(),
        clock: SimulatorClock = .system,
        logger: Logger = Logger(label: "martlet.simulator") { _ in SwiftLogNoOpLogHandler() },
        beside others: [SimulatorControl] = []
    ) async throws -> Simulator {
        var configuration = configuration
        let authority = try configuration.authority ?? SimulatorAuthority()
        configuration.authority = authority
        let service = try Service(configuration, clock: clock)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, configuration.threads))
        do {
            let tls = try configuration.certificate.serverTLS(
                authority: authority,
                authorityPath: configuration.authorityPath
            )
            let setup = ListenerSetup(host: configuration.host, tls: tls, group: group, logger: logger)
            try await service.listen(configuration, with: setup)
            var control: ControlServer?
            if let port = configuration.controlPort {
                let routes = ([service.control] + others).map(\.routes)
                control = try await .start(host: configuration.host, port: port, routes: routes, logger: logger)
            }
            return Simulator(service, configuration.host, authority, control, group)
        } catch {
            await closePorts(of: service, group)
            throw error
        }
    }

    private init(
        _ service: Service,
        _ host: String,
        _ authority: SimulatorAuthority,
        _ control: ControlServer?,
        _ group: MultiThreadedEventLoopGroup
    ) {
        self.service = service
        self.host = host
        self.authority = authority
        self.controlServer = control
        self.group = group
        port = service.scripted.listeners().first?.port ?? 0
        controlPort = control?.port ?? 0
    }

    /// Closes all ports and connections and frees the threads.
    package func shutdown() async {
        await controlServer?.shutdown()
        await Self.closePorts(of: service, group)
    }

    private static func closePorts(of service: Service, _ group: MultiThreadedEventLoopGroup) async {
        await service.shutdown()
        for listener in service.scripted.listeners() { await listener.shutdown() }
        try? await group.shutdownGracefully()
    }

    /// Where requests go: `https://host:port`.
    package var url: String { "https://\(host):\(port)" }

    /// The authority to trust, as PEM.
    package var authorityPEM: String { authority.certificatePEM }

    /// What it brings to another's control API.
    package var control: SimulatorControl { service.control }
}

// What the control API does, for programs that hold the simulator itself.
extension Simulator {
    /// Adds a rule after the others.
    ///
    /// - Returns: its id; `nil` when 10,000 rules are in force.
    @discardableResult
    package func add(_ rule: ServiceRule<Service.Condition>) -> Int? {
        service.scripted.withRules { $0.add(rule)?.id }
    }

    /// The rules in order, with how often each matched and fired.
    package var rules: [ScriptedRuleState<Service.Condition>] { service.scripted.withRules { $0.rules } }

    package func removeRules() {
        service.scripted.withRules { $0.removeAll() }
    }

    /// Forgets requests, rules and what waits, and what else the service says; keeps what was registered.
    package func reset() {
        service.reset()
    }

    /// Counts of all requests received.
    package var receivedCounts: ReceivedCounts { service.scripted.withLog { $0.counts } }

    /// Takes no new connections, on all ports or on the environment's.
    package func stopListening(_ mode: ListenerMode = .refuse, environment: APNsEnvironment? = nil) async {
        for listener in service.scripted.listeners(environment) { await listener.stop(mode) }
    }

    /// Takes connections again.
    ///
    /// - Throws: what the system says of the port.
    package func resumeListening(environment: APNsEnvironment? = nil) async throws {
        for listener in service.scripted.listeners(environment) { try await listener.start() }
    }
}

extension Simulator where Service.Connection == OpenHTTPConnection {
    /// Received requests numbered above `after`, oldest first.
    package func received(after: Int = 0, limit: Int = 1_000) -> [Service.Record.Document] {
        service.scripted.received(after: after, limit: limit)
    }

    /// Resets all connections.
    package func abortConnections() {
        _ = service.scripted.connections.abort(nil)
    }
}
