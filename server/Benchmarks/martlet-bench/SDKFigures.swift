import Foundation
import MartletWire

/// P9: what the SDK spends, measured by a program of its own package, `martlet-sdk-bench`.
///
/// What a phone spends only a phone can say; these are figures of this machine, with the same code.
struct SDKFigures {
    /// The figures are the medians that the program prints, in milliseconds; the goals are those of P9.
    static let goals = [
        (name: "configure", key: "configure_ms", goal: 1.0),
        (name: "from the system's call to the handler", key: "handler_ms", goal: 1.0),
        (name: "registration, the server takes 1 s", key: "registration_ms", goal: 3_000.0),
        (name: "1,000 queued events, one write", key: "events_1000_ms", goal: 10.0),
    ]

    /// Where `scripts/bench` has built it.
    static let variable = "MARTLET_SDK_BENCH"

    func rows() throws -> [Row] {
        let figures = try figures()
        let rows = try Self.goals.map { goal in
            let milliseconds = try Self.number(goal.key, in: figures)
            return Row(
                "P9 SDK, \(goal.name)",
                ours: "\(milliseconds.text(3)) ms",
                goal: "< \(goal.goal.text(0)) ms",
                isMet: milliseconds < goal.goal,
                note: ""
            )
        }
        let single = try Self.number("events_one_by_one_ms", in: figures)
        return rows + [
            Row("P9 SDK, 1,000 events, a write each", ours: "\(single.text(3)) ms", goal: "", isMet: nil, note: "")
        ]
    }

    private func figures() throws -> [String: JSONValue] {
        guard let path = ProcessInfo.processInfo.environment[Self.variable] else {
            throw BenchmarkError("\(Self.variable) does not say where martlet-sdk-bench is; `make bench` does")
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0, let figures = try JSONValue(json: text).objectValue else {
            throw BenchmarkError("martlet-sdk-bench failed")
        }
        return figures
    }

    private static func number(_ key: String, in figures: [String: JSONValue]) throws -> Double {
        guard let number = figures[key]?.doubleValue else { throw BenchmarkError("martlet-sdk-bench gave no \(key)") }
        return number
    }
}
