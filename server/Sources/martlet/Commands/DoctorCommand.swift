import ArgumentParser
import MartletWire

/// `martlet doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks settings, data directory, keys, clock, server and credentials, and says what to change.",
        discussion: """
            What concerns a data directory is checked where there is one on this machine; what concerns the server and \
            its credentials is asked of the server, with an admin key. It returns 1 when there is a problem.

            Examples:
              martlet doctor --data /var/lib/martlet
              martlet doctor --server https://push.example.com --json
            """
    )

    @Option(help: "Only this app's credentials.")
    var app: String?
    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        var findings: [Finding] = []
        let settings = try await connection.settings()
        findings += await MachineCheck(settings: settings).findings()
        // Both look at the database's settings.
        let found = await ServerCheck(connection: connection, app: app).findings()
        findings += found.filter { !findings.contains($0) }
        if connection.json {
            try connection.output.json(List(findings))
        } else {
            show(findings)
        }
        if findings.contains(where: { $0.level == .problem }) { throw ExitCode(1) }
    }

    private func show(_ findings: [Finding]) {
        let columns = connection.output.columns
        let rows = findings.map { [$0.level.rawValue, $0.subject, $0.message] as [String?] }
        var table = Table(head: ["LEVEL", "SUBJECT", "FOUND"], rows: rows)
        if let columns, table.lines.contains(where: { TextWidth.columns(of: $0) > columns }) {
            // It would lose its end, which nobody can do without: it stands below its subject.
            table.head = ["LEVEL", "FOUND"]
            table.rows = findings.flatMap { finding -> [[String?]] in
                let found = TextWidth.wrapped(finding.message, columns: columns - "problem".count - 2)
                let subject: [String?] = [finding.level.rawValue, finding.subject]
                return [subject] + found.map { ["", $0] as [String?] }
            }
        }
        connection.output.table(table)
        let advice = findings.filter { $0.level != .ok }.compactMap { finding in
            finding.advice.map { TextWidth.printable("\(finding.subject): \($0)") }
        }
        let lines = advice.flatMap { text -> [String] in
            let parts = TextWidth.wrapped(text, columns: columns.map { $0 - 4 })
            return ["  " + parts[0]] + parts.dropFirst().map { "    " + $0 }
        }
        if !advice.isEmpty { connection.output.lines(["", "What to change:"] + lines) }
        let problems = findings.filter { $0.level == .problem }.count
        let warnings = findings.filter { $0.level == .warning }.count
        connection.output.lines([
            "", "\(problems) problem\(problems == 1 ? "" : "s"), \(warnings) warning\(warnings == 1 ? "" : "s")",
        ])
    }
}
