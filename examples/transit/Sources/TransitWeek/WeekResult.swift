/// What came of the week.
package struct WeekResult: Sendable {
    package var audit: WeekAudit
    package var wire: WireTimes
    package var steps: [(step: String, count: Int)]
    package var kills: (matcher: Int, server: Int)
    package var taps: (opened: Int, cold: Int)
    package var banners: Int
    package var feedProblems: [String]

    /// 0 and 0, and nothing else went wrong.
    package var isClean: Bool { audit.isClean }

    /// The table and the verdict.
    package var lines: [String] {
        let times = [0.5, 0.99, 1].map { String(Int((wire.quantile($0) * 1_000).rounded())) + " ms" }
        let rows: [(String, String)] = [
            ("phones", "\(audit.phones)"),
            (
                "versions published",
                "\(audit.versions) (" + steps.map { "\($0.count) \($0.step)" }.joined(separator: ", ") + ")"
            ),
            ("killed", "the matcher \(kills.matcher) times, the server \(kills.server) times"),
            ("pushes at APNs", "\(wire.pushes) (" + statuses + ")"),
            ("published to wire", "median \(times[0]), p99 \(times[1]) (goal: under 2000 ms), longest \(times[2])"),
            ("banners in front", "\(banners)"),
            ("taps", "\(taps.opened) opened the alert, \(taps.cold) of them from a killed app"),
            ("over and still showing", "\(audit.leftShowing)"),
            ("told or not, both right", "\(audit.either)"),
            ("same push again after a crash", "\(audit.repeated)"),
            ("had to be told", "\(audit.due)"),
            ("told once per version", "\(audit.toldOnce)"),
            ("told wrongly", "\(audit.wrongly)"),
            ("never told", "\(audit.never)"),
            ("told twice", "\(audit.twice)"),
        ]
        let width = rows.map(\.0.count).max() ?? 0
        var lines = ["", "Bad feeds, as the matcher's log has them:"] + feedProblems.map { "  \($0)" } + [""]
        lines += rows.map { $0.0 + String(repeating: " ", count: width - $0.0.count + 2) + $0.1 }
        lines += audit.notes.map { "  \($0)" }
        let verdict = isClean ? "Nobody was forgotten and nobody was told twice: 0 and 0." : "It is not 0 and 0."
        return lines + ["", verdict]
    }

    private var statuses: String {
        wire.byStatus.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    }
}
