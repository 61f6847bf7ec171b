package import Foundation

/// The time of the city: the machine's own, or one that runs faster for a week in two minutes.
package struct TransitClock: Sendable {
    /// A clock that runs faster than the machine's, the same in every process that is given the same numbers.
    package struct Simulation: Sendable, Hashable, Codable {
        /// When it began by the machine's clock, in seconds since 1970.
        package var began: Double
        /// What it showed then.
        package var from: Double
        /// Its seconds in one of the machine's.
        package var speed: Double

        package init(began: Double, from: Double, speed: Double) {
            self.began = began
            self.from = from
            self.speed = speed
        }

        /// `BEGAN/FROM/SPEED`, as commands take it.
        package init?(_ text: String) {
            let parts = text.split(separator: "/").compactMap { Double($0) }
            guard parts.count == 3, parts[2] > 0 else { return nil }
            self.init(began: parts[0], from: parts[1], speed: parts[2])
        }

        package var text: String { "\(began)/\(from)/\(speed)" }

        /// What it shows at a time of the machine's clock.
        package func shown(at machine: Double) -> Double { from + (machine - began) * speed }

        /// When it shows a time, by the machine's clock.
        package func machineTime(of shown: Double) -> Double { began + (shown - from) / speed }
    }

    package var now: @Sendable () -> Date

    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    package static let system = TransitClock { Date() }

    package static func simulated(_ simulation: Simulation) -> TransitClock {
        TransitClock { Date(timeIntervalSince1970: simulation.shown(at: Date().timeIntervalSince1970)) }
    }
}
