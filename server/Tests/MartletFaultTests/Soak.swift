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

    /// Says how far it is.
    static func tell(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    /// Leaves the table where the script shows it from.
    static func report(_ table: SoakTable) throws {
        guard let path = environment["MARTLET_SOAK_REPORT"] else { return tell(table.text) }
        try Data((table.text + "\n").utf8).write(to: URL(filePath: path))
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
