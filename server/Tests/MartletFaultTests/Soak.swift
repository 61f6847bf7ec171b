import Foundation

/// The long form, as `scripts/soak` asks for it.
enum Soak {
    private static let environment = ProcessInfo.processInfo.environment

    /// For how long; `nil` is the short form.
    static let minutes = environment["MARTLET_SOAK_MINUTES"].flatMap { Int($0) }
    /// The cases whose names contain what `MARTLET_SOAK_CASE` says, in either form; without it all of them.
    static let cases = FaultCase.all.filter { trouble in
        guard let part = environment["MARTLET_SOAK_CASE"], !part.isEmpty else { return true }
        return trouble.name.contains(part)
    }

    /// Whether cases that the machine does not allow may be missing.
    static let mayLeaveOut = environment["MARTLET_SOAK_MAY_LEAVE_OUT"] == "1"

    /// Says how far it is.
    static func tell(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    /// Where the script shows the table from.
    private static let path = environment["MARTLET_SOAK_REPORT"]

    /// Leaves the table as it stands, so that it is there whatever happens next.
    static func keep(_ table: SoakTable) throws {
        guard let path else { return }
        try Data((table.text + "\n").utf8).write(to: URL(filePath: path), options: .atomic)
    }

    /// Leaves the table, or shows it where there is no script.
    static func report(_ table: SoakTable) throws {
        try keep(table)
        if path == nil { tell(table.text) }
    }
}

extension FaultResult {
    /// What came of it, on one line.
    var line: String {
        let figures = [
            "accepted \(audit.accepted)", "rejected \(audit.rejected)", "dead \(audit.dead)",
            "repeats \(audit.repeats)",
            "lost \(audit.lost)", "doubled \(audit.doubled)", "peak \(Int(peakMegabytes)) MB",
            "\(duration.components.seconds) s",
        ]
        return "\(name): " + figures.joined(separator: ", ")
    }
}
