import Foundation

/// What came of one kind of attack: how often it was tried, and what got through.
struct Tally {
    /// What was attacked.
    let name: String
    /// How many attempts there were.
    private(set) var attempts = 0
    /// A line for each attempt that got through.
    private(set) var through: [String] = []
    /// Figures for people.
    private(set) var figures: [String] = []

    init(_ name: String) { self.name = name }

    /// Counts an attempt.
    ///
    /// - Parameter what: says what got through when it was not held off.
    mutating func attempt(heldOff: Bool, _ what: @autoclosure () -> String) {
        attempts += 1
        if !heldOff { through.append(what()) }
    }

    /// Notes a figure.
    mutating func figure(_ text: String) { figures.append(text) }

    /// The lines that are printed of it.
    var lines: [String] {
        let name = name.padding(toLength: 24, withPad: " ", startingAt: 0)
        let attempts = String(attempts)
        let padding = String(repeating: " ", count: max(0, 6 - attempts.count))
        return ["\(name)\(padding)\(attempts) attempts, \(through.count) got through"]
            + figures.map { "    \($0)" } + through.prefix(40).map { "    GOT THROUGH: \($0)" }
    }
}

/// Why an attack could not be made, which is no success of the server's.
struct AttackFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
