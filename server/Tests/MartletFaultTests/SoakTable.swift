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
    private var failures = 0
    /// What came of the last run.
    private(set) var lastLine = ""

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
        lastLine = result.line
        for problem in audit.problems.prefix(5) { fail(result.name, problem) }
    }

    /// Notes that a case could not be run on this machine.
    mutating func leaveOut(_ name: String, _ reason: String) {
        lastLine = "\(name): left out: \(reason)"
        if !notes.contains(lastLine) { notes.append(lastLine) }
    }

    /// Notes that a run did not come to its end, or that something was not as it must be.
    mutating func fail(_ name: String, _ reason: Any) {
        lastLine = "\(name): FAILED: \(reason)"
        failures += 1
        notes.append(lastLine)
    }

    /// Whether nothing went wrong.
    var isClean: Bool { failures == 0 && lost == 0 && doubled == 0 && !rows.isEmpty }

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
        let unfinished = failures == 0 ? [] : ["\(failures) failures"]
        return (lines + [""] + notes + unfinished + ["lost \(lost), doubled \(doubled)"]).joined(separator: "\n")
    }
}
