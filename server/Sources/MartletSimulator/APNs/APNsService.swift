import MartletTransport
package import NIOCore
import Synchronization

/// What the listeners and connections of one simulated APNs share.
package final class APNsService: SimulatedService {
    package typealias Condition = APNsRuleCondition
    package typealias Record = PackedPush
    package typealias Connection = NIOLoopBound<APNsConnection>

    package let scripted: ScriptedService<APNsService>
    /// The phones that took a token here.
    let devices = DeviceLines<PackedPush>()
    /// SETTINGS_MAX_CONCURRENT_STREAMS of a new connection.
    let streamsBeforeAuthentication: Int
    /// SETTINGS_MAX_CONCURRENT_STREAMS of a connection that has shown who it is.
    let maxConcurrentStreams: Int
    private let registry: Mutex<APNsRegistry>
    private let trust: CertificateTrust

    package init(_ configuration: APNsSimulatorConfiguration, clock: SimulatorClock) throws {
        var registry = APNsRegistry()
        for key in configuration.keys { registry.register(key) }
        for app in configuration.apps { registry.register(app) }
        for device in configuration.devices { registry.register(device) }
        registry.knownTokensOnly = configuration.knownTokensOnly
        registry.tokenInterval = configuration.minimumTokenInterval.components.seconds
        registry.countsUpdatesAcrossConnections = configuration.countsTokenUpdatesAcrossConnections
        registry.checksTokenTimes = configuration.checksTokenTimes
        self.registry = Mutex(registry)
        scripted = ScriptedService(configuration, clock: clock)
        streamsBeforeAuthentication = configuration.streamsBeforeAuthentication
        maxConcurrentStreams = configuration.maxConcurrentStreams
        let own = configuration.authority.map { [$0.certificatePEM] } ?? []
        trust = try CertificateTrust(pem: own + configuration.clientAuthorities)
    }

    package var control: SimulatorControl { SimulatorControl(routes: APNsRoutes(service: self)) }

    package func listen(_ configuration: APNsSimulatorConfiguration, with setup: ListenerSetup) async throws {
        var ports = [(configuration.environment, configuration.port)]
        if let port = configuration.sandboxPort { ports.append((.sandbox, port)) }
        for (environment, port) in ports {
            // Apple: HTTP/2 over TLS 1.2 or later.
            let server = HTTP2ServerConfiguration(
                host: setup.host,
                port: port,
                tls: setup.tls,
                clientCertificates: .optionalUnverified,
                maxConcurrentStreams: streamsBeforeAuthentication,
                maxBodyBytes: PackedPush.payloadLimit,
                connectionWindowSize: configuration.connectionWindow
            )
            try await scripted.listen(server, for: environment, with: setup) {
                APNsConnection($0, environment: environment, service: self)
            }
        }
    }

    // MARK: Pushes

    /// What the checks say of a push, and the rule that fires for it.
    func judge(
        _ check: APNsCheck,
        from connection: Int,
        known identity: inout ConnectionIdentity
    ) -> (verdict: Verdict, rule: SimulatorRule?) {
        registry.withLock { registry in
            let verdict = check.verdict(on: &identity, in: &registry)
            let rule = scripted.rule(
                for: APNsRuleCondition(check, verdict, connection: connection),
                isAccepted: verdict.refusal == nil
            )
            if rule?.action.isExpiredToken == true { identity.expireToken(in: &registry) }
            return (verdict, rule)
        }
    }

    func record(_ push: PackedPush) {
        scripted.withLog { $0.append(push) }
        if push.isAccepted { devices.deliver(push, to: PackedPush.token(in: push.path), now: push.time) }
    }

    func identity(of certificate: [UInt8]) -> CertificateIdentity {
        trust.accepts(certificate)
            ? CertificateIdentity(derBytes: certificate) : CertificateIdentity(topics: [], environments: [])
    }

    func withRegistry<Result: Sendable>(_ body: (inout APNsRegistry) throws -> Result) rethrows -> Result {
        try registry.withLock { try body(&$0) }
    }

    // MARK: Control

    /// Runs `body` for the connection, or for all, on their event loops.
    ///
    /// - Returns: what it gave for each, in the order of their numbers.
    func onConnections<Result: Sendable>(
        _ id: Int?,
        _ body: @escaping @Sendable (APNsConnection) -> Result
    ) async -> [Result] {
        var results: [Result] = []
        for (_, bound) in scripted.connections.chosen(id) {
            // An event loop that was shut down has no connection left to speak of.
            if let result = try? await bound.eventLoop.submit({ body(bound.value) }).get() { results.append(result) }
        }
        return results
    }

    /// Forgets received pushes, rules and provider tokens; keeps keys, apps, devices and connections.
    package func reset() {
        scripted.reset()
        withRegistry { $0.forgetTokens() }
        devices.removeWaiting()
    }

    func state() async -> SimulatorState {
        var ports: [SimulatorState.Listener] = []
        for listener in scripted.listeners() {
            guard let environment = listener.environment else { continue }
            ports.append(
                .init(environment: environment, port: listener.port, isListening: await listener.isListening)
            )
        }
        let connections = await onConnections(nil) { $0.summary }
        let rules = scripted.withRules { $0.rules.count }
        return withRegistry { registry in
            SimulatorState(
                listeners: ports,
                connections: connections,
                connectionsSeen: scripted.connections.seen,
                keys: registry.keys.keys.sorted(),
                apps: registry.apps.keys.sorted(),
                tokens: registry.devices.count,
                knownTokensOnly: registry.knownTokensOnly,
                rules: rules,
                signatureChecks: registry.signatureChecks
            )
        }
    }
}
