import MartletTransport
import NIOCore
import Synchronization

/// What the listeners and connections of one simulator share.
final class SimulatedService: Sendable {
    private struct Rulings {
        var registry: APNsRegistry
        var rules: RuleBook
    }

    private struct Connections {
        var open: [Int: NIOLoopBound<APNsConnection>] = [:]
        var seen = 0
    }

    let clock: SimulatorClock
    /// The phones that took a token here.
    let devices = DeviceLines<DeviceMailbox>()
    /// SETTINGS_MAX_CONCURRENT_STREAMS of a new connection.
    let streamsBeforeAuthentication: Int
    /// SETTINGS_MAX_CONCURRENT_STREAMS of a connection that has shown who it is.
    let maxConcurrentStreams: Int
    private let rulings: Mutex<Rulings>
    private let log: Mutex<ReceivedLog>
    private let connections = Mutex(Connections())
    private let listeners = Mutex<[(environment: APNsEnvironment, listener: SimulatorListener)]>([])
    private let trust: CertificateTrust

    init(_ configuration: APNsSimulatorConfiguration, trust: CertificateTrust, clock: SimulatorClock) {
        var registry = APNsRegistry()
        for key in configuration.keys { registry.register(key) }
        for app in configuration.apps { registry.register(app) }
        for device in configuration.devices { registry.register(device) }
        registry.knownTokensOnly = configuration.knownTokensOnly
        registry.tokenInterval = configuration.minimumTokenInterval.components.seconds
        registry.countsUpdatesAcrossConnections = configuration.countsTokenUpdatesAcrossConnections
        registry.checksTokenTimes = configuration.checksTokenTimes
        var rules = RuleBook(seed: configuration.seed)
        for rule in configuration.rules { _ = rules.add(rule) }
        rulings = Mutex(Rulings(registry: registry, rules: rules))
        log = Mutex(ReceivedLog(limit: configuration.receivedLimit))
        streamsBeforeAuthentication = configuration.streamsBeforeAuthentication
        maxConcurrentStreams = configuration.maxConcurrentStreams
        self.trust = trust
        self.clock = clock
    }

    // MARK: Pushes

    /// What the checks say of a push, and the rule that fires for it.
    func judge(
        _ check: APNsCheck,
        from connection: Int,
        known identity: inout ConnectionIdentity
    ) -> (verdict: Verdict, rule: SimulatorRule?) {
        rulings.withLock { rulings in
            let verdict = check.verdict(on: &identity, in: &rulings.registry)
            if rulings.rules.rules.isEmpty { return (verdict, nil) }
            let subject = RuleSubject(
                token: verdict.deviceToken,
                topic: check.request.topic,
                pushType: check.request.pushType,
                environment: check.environment,
                connection: connection,
                isAccepted: verdict.refusal == nil
            )
            let rule = rulings.rules.rule(for: subject)
            if rule?.action.isExpiredToken == true { identity.expireToken(in: &rulings.registry) }
            return (verdict, rule)
        }
    }

    func record(_ push: PackedPush) {
        log.withLock { $0.append(push) }
        if push.isAccepted { devices.deliver(push, to: PackedPush.token(in: push.path), now: push.time) }
    }

    func identity(of certificate: [UInt8]) -> CertificateIdentity {
        trust.accepts(certificate)
            ? CertificateIdentity(derBytes: certificate) : CertificateIdentity(topics: [], environments: [])
    }

    // MARK: Registry, rules and log

    func withRegistry<Result: Sendable>(_ body: (inout APNsRegistry) throws -> Result) rethrows -> Result {
        try rulings.withLock { try body(&$0.registry) }
    }

    func withRules<Result: Sendable>(_ body: (inout RuleBook) -> Result) -> Result {
        rulings.withLock { body(&$0.rules) }
    }

    func withLog<Result: Sendable>(_ body: (inout ReceivedLog) -> Result) -> Result {
        log.withLock { body(&$0) }
    }

    // MARK: Connections and listeners

    /// Numbers a new connection; called on its event loop.
    func add(_ connection: APNsConnection, on eventLoop: any EventLoop) -> Int {
        let bound = NIOLoopBound(connection, eventLoop: eventLoop)
        return connections.withLock { connections in
            connections.seen += 1
            connections.open[connections.seen] = bound
            return connections.seen
        }
    }

    func removeConnection(_ id: Int) {
        connections.withLock { _ = $0.open.removeValue(forKey: id) }
    }

    var connectionsSeen: Int { connections.withLock { $0.seen } }

    /// Runs `body` for the connection, or for all, on their event loops.
    ///
    /// - Returns: what it gave for each, in the order of their numbers.
    func onConnections<Result: Sendable>(
        _ id: Int?,
        _ body: @escaping @Sendable (APNsConnection) -> Result
    ) async -> [Result] {
        let chosen = connections.withLock { connections in
            connections.open.filter { id == nil || $0.key == id }.sorted { $0.key < $1.key }.map(\.value)
        }
        var results: [Result] = []
        for bound in chosen {
            // An event loop that was shut down has no connection left to speak of.
            if let result = try? await bound.eventLoop.submit({ body(bound.value) }).get() { results.append(result) }
        }
        return results
    }

    func add(_ listener: SimulatorListener, for environment: APNsEnvironment) {
        listeners.withLock { $0.append((environment, listener)) }
    }

    /// The listener of the environment, or all.
    func listeners(_ environment: APNsEnvironment?) -> [(environment: APNsEnvironment, listener: SimulatorListener)] {
        listeners.withLock { $0.filter { environment == nil || $0.environment == environment } }
    }
}
