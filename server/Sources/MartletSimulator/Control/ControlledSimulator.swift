/// A simulator whose routes another's control API can have beside its own.
package protocol ControlledSimulator: Sendable {
    /// What it brings to a control API.
    var control: SimulatorControl { get }
}

/// The routes of a simulator, for whoever serves them.
package struct SimulatorControl: Sendable {
    let routes: any ControlRouteSet
}

extension ControlledSimulator {
    var controlRoutes: any ControlRouteSet { control.routes }
}
