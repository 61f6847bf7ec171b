import MartletTransport
import NIOCore
import Synchronization

/// What all simulated services have: rules, a log of requests, connections and ports.
package final class ScriptedService<Service: SimulatedService>: Sendable {
    let clock: SimulatorClock
    let connections = OpenConnections<Service.Connection>()
    /// For the services that date their answers here.
    let dates = Mutex(HTTPDate())
    private let rules: Mutex<ScriptedRules<Service.Condition>>
    private let log: Mutex<RecordLog<Service.Record>>
    private let held = Mutex<[SimulatorListener]>([])

    init(_ configuration: SimulatorConfiguration<Service>, clock: SimulatorClock) {
        var rules = ScriptedRules<Service.Condition>(seed: configuration.seed)
        for rule in configuration.rules { _ = rules.add(rule) }
        self.rules = Mutex(rules)
        log = Mutex(RecordLog(limit: configuration.receivedLimit))
        self.clock = clock
    }

    /// The rule that fires for a request.
    ///
    /// - Parameter request: made only when there is a rule at all.
    func rule(for request: @autoclosure () -> Service.Condition, isAccepted: Bool) -> ServiceRule<Service.Condition>? {
        rules.withLock { rules in
            rules.rules.isEmpty ? nil : rules.rule(for: request(), isAccepted: isAccepted)
        }
    }

    func withRules<Result: Sendable>(_ body: (inout ScriptedRules<Service.Condition>) -> Result) -> Result {
        rules.withLock { body(&$0) }
    }

    func withLog<Result: Sendable>(_ body: (inout RecordLog<Service.Record>) -> Result) -> Result {
        log.withLock { body(&$0) }
    }

    /// Received requests numbered above `after`, the oldest first.
    func received(
        after: Int,
        limit: Int,
        where matches: (Service.Record) -> Bool = { _ in true }
    ) -> [Service.Record.Document] {
        withLog { $0.packed(after: after, count: limit, where: matches) }.map { $0.unpacked() }
    }

    /// The listener of the environment, or all in the order in which they began.
    func listeners(_ environment: APNsEnvironment? = nil) -> [SimulatorListener] {
        held.withLock { $0.filter { environment == nil || $0.environment == environment } }
    }

    /// Binds a port, which is closed with the simulator.
    func listen(
        _ configuration: HTTP2ServerConfiguration,
        for environment: APNsEnvironment? = nil,
        with setup: ListenerSetup,
        makeHandler: @escaping @Sendable (HTTP2ServerConnection) -> any HTTP2ServerHandler
    ) async throws {
        let listener = try await SimulatorListener(
            configuration,
            environment: environment,
            with: setup,
            makeHandler: makeHandler
        )
        held.withLock { $0.append(listener) }
    }

    /// Stops the ports that a rule is for, without waiting for it.
    func stopListening(_ mode: ListenerMode, _ milliseconds: Int?, environment: APNsEnvironment? = nil) {
        for listener in listeners(environment) { Task { await listener.stop(mode, milliseconds: milliseconds) } }
    }

    /// Forgets requests and rules.
    func reset() {
        withRules { $0.removeAll() }
        withLog { $0.removeAll() }
    }
}
