/// A simulated push service: what it looks at, answers and knows. Its ports, script, record and control API are those of
/// `Simulator`, the same for all.
package protocol SimulatedService: AnyObject, Sendable {
    /// Which requests a rule looks at, and what it can do.
    associatedtype Condition: RuleCondition
    /// A request as the log keeps it.
    associatedtype Record: LoggedRecord
    /// What is kept of an open connection.
    associatedtype Connection: Sendable
    /// What only this service is told at the start.
    associatedtype Settings: ServiceSettings

    init(_ configuration: SimulatorConfiguration<Self>, clock: SimulatorClock) throws

    var scripted: ScriptedService<Self> { get }

    /// What it brings to a control API.
    var control: SimulatorControl { get }

    /// Binds its ports; those of which `scripted` holds the listener are closed with the simulator.
    ///
    /// - Throws: what the system says of a port.
    func listen(_ configuration: SimulatorConfiguration<Self>, with setup: ListenerSetup) async throws

    /// Forgets what happened: requests, rules and what waits. What was registered stays.
    func reset()

    /// Closes the ports that `scripted` does not hold.
    func shutdown() async
}

extension SimulatedService {
    package func shutdown() async {}
}

/// What a service is told at the start beside what all are.
package protocol ServiceSettings: Sendable {
    init()
}

/// The routes of a simulator, for whoever serves them.
package struct SimulatorControl: Sendable {
    let routes: any ControlRouteSet
}
