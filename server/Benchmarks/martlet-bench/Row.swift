import Foundation

/// One line of the table.
struct Row {
    /// What was measured, beginning with its number, such as `P2 durable path, 100,000 endpoints`.
    var name: String
    /// Our figure, with its unit.
    var ours: String
    /// What it is measured beside, with its unit.
    var floor: String
    /// The ratio, or what else is compared with the goal.
    var ratio: String
    /// What is to be reached.
    var goal: String
    /// Whether it is; `nil` for a line that only tells.
    var isMet: Bool?
    /// What else to know.
    var note: String

    /// A line that compares two costs in microseconds.
    init(_ name: String, ours: Double, floor: Double, goal: Double, note: String) {
        let ratio = ours / floor
        self.init(name, ours: "\(ours.text(2)) µs", floor: "\(floor.text(2)) µs", ratio: ratio, goal: goal, note: note)
    }

    /// A line with a ratio that is to be at most the goal.
    init(_ name: String, ours: String, floor: String, ratio: Double, goal: Double, note: String) {
        self.name = name
        self.ours = ours
        self.floor = floor
        self.ratio = ratio.text(2)
        self.goal = "≤ \(goal.text(goal < 1 ? 2 : 1))"
        isMet = ratio <= goal
        self.note = note
    }

    /// A line of any other kind.
    init(_ name: String, ours: String, floor: String = "", ratio: String = "", goal: String, isMet: Bool?, note: String)
    {
        self.name = name
        self.ours = ours
        self.floor = floor
        self.ratio = ratio
        self.goal = goal
        self.isMet = isMet
        self.note = note
    }

    /// The head of the table.
    static let head = line("what", "ours", "floor", "ratio", "goal", "")

    /// The line as it is printed.
    var line: String {
        let mark = isMet.map { $0 ? "met" : "MISSED" } ?? ""
        return Row.line(name, ours, floor, ratio, goal, [mark, note].filter { !$0.isEmpty }.joined(separator: "; "))
    }

    private static func line(
        _ name: String,
        _ ours: String,
        _ floor: String,
        _ ratio: String,
        _ goal: String,
        _ rest: String
    ) -> String {
        column(name, 48) + column(ours, 13) + column(floor, 13) + column(ratio, 8) + column(goal, 12) + rest
    }

    private static func column(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}

extension Double {
    /// With that many digits behind the point.
    func text(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}

extension [Double] {
    /// The middle one; of an even count the upper of the two.
    var median: Double { sorted()[count / 2] }

    /// The value below which this part of all lies.
    func percentile(_ part: Double) -> Double { sorted()[Swift.min(count - 1, Int(Double(count) * part))] }
}
