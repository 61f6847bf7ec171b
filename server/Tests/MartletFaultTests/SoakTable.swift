/// What came of all runs, a line for each case.
struct SoakTable {
    private struct Row {
        var runs = 0
        var deliveries = 0
        var accepted = 0
        var rejected = 0
        var dead = 0
        var repeats = 0
        var lost = 0
        var doubled = 0
        var peakMegabytes = 0.0
    }

    private var rows: [String: Row] = [:]
    private var notes: [String] = []
    /// How many runs were not as they must be.
    private var failed = 0
    private var leftOut: Set<String> = []
    /// The case that is being run.
    private var running: String?
    /// What came of the last run.
    private(set) var lastLine = ""

    /// Notes that a run begins: a table that nobody takes further says where it broke off.
    mutating func begin(_ name: String) { running = name }

    /// Adds a run.
    mutating func add(_ result: FaultResult) {
        let audit = result.audit
        var row = rows[result.name] ?? Row()
        row.runs += 1
        row.deliveries += audit.deliveries
        row.accepted += audit.accepted
        row.rejected += audit.rejected
        row.dead += audit.dead
        row.repeats += audit.repeats
        row.lost += audit.lost
        row.doubled += audit.doubled
        row.peakMegabytes = max(row.peakMegabytes, result.peakMegabytes)
        rows[result.name] = row
        end(result.line)
        if audit.isClean { return }
        let problems = audit.problems.isEmpty ? ["lost \(audit.lost), doubled \(audit.doubled)"] : audit.problems
        failed += 1
        notes += problems.prefix(5).map { "\(result.name): FAILED: \($0)" }
        lastLine = ([lastLine] + notes.suffix(min(problems.count, 5))).joined(separator: "\n")
    }

    /// Notes that a case could not be run on this machine.
    mutating func leaveOut(_ name: String, _ reason: String) {
        end("\(name): left out: \(reason)")
        leftOut.insert(name)
        if !notes.contains(lastLine) { notes.append(lastLine) }
    }

    /// Notes that a run did not come to its audit.
    mutating func fail(_ name: String, _ reason: Any) {
        end("\(name): FAILED: \(reason)")
        failed += 1
        notes.append(lastLine)
    }

    private mutating func end(_ line: String) {
        running = nil
        lastLine = line
    }

    /// Whether nothing went wrong.
    ///
    /// - Parameter mayLeaveOut: whether cases may be left out.
    func isClean(mayLeaveOut: Bool) -> Bool {
        failed == 0 && (leftOut.isEmpty || mayLeaveOut) && running == nil && !rows.isEmpty
    }

    /// What it comes to, in two numbers when nothing went wrong and nothing is missing.
    private var verdict: String {
        var parts = ["lost \(lost)", "doubled \(doubled)"]
        if !isClean(mayLeaveOut: false) { parts.append("failed \(failed)") }
        if !leftOut.isEmpty { parts.append("left out \(leftOut.count)") }
        if rows.isEmpty { parts.append("nothing was audited") }
        if let running { parts.append("broke off in '\(running)'") }
        return parts.joined(separator: ", ")
    }

    private var lost: Int { rows.values.reduce(0) { $0 + $1.lost } }
    private var doubled: Int { rows.values.reduce(0) { $0 + $1.doubled } }

    /// The table, notes, and what it comes to.
    var text: String {
        let head = [
            "case", "runs", "deliveries", "accepted", "rejected", "dead", "repeats", "lost", "doubled", "peak MB",
        ]
        let body = FaultCase.all.compactMap { trouble -> [String]? in
            guard let row = rows[trouble.name] else { return nil }
            let numbers = [
                row.runs, row.deliveries, row.accepted, row.rejected, row.dead, row.repeats, row.lost, row.doubled,
                Int(row.peakMegabytes.rounded(.up)),
            ]
            return [trouble.name] + numbers.map { "\($0)" }
        }
        let widths = head.indices.map { column in ([head] + body).map { $0[column].count }.max() ?? 0 }
        let lines = ([head] + body).map { cells in
            cells.indices.map { column in
                let blanks = String(repeating: " ", count: widths[column] - cells[column].count)
                return column == 0 ? cells[column] + blanks : blanks + cells[column]
            }.joined(separator: "  ")
        }
        return (lines + [""] + notes + [verdict]).joined(separator: "\n")
    }
}
