import MartletWire

/// Numbers over time for people: a table with a bar for each step. A pure value.
struct StatisticsLines {
    private typealias Column = (title: String, value: @Sendable (OutcomeCounts) -> Int)

    /// What is always shown, and what is shown where there is any of it.
    private static let columns: [Column] = [
        ("ACCEPTED", { $0.accepted }), ("REJECTED", { $0.rejected }), ("DEAD", { $0.dead }),
        ("NOT MADE", { $0.suppressed }), ("EXPIRED", { $0.expired }), ("CANCELLED", { $0.cancelled }),
        ("SEEN", { $0.deliveries }), ("OPENS", { $0.opens }), ("DISMISSED", { $0.dismissals }),
    ]
    private static let seldom: Set = ["DEAD", "EXPIRED", "CANCELLED", "DISMISSED"]

    /// How wide the longest bar is, in characters.
    private static let width = 20

    private let statistics: StatisticsResponse
    private let columns: Int?

    /// - Parameter columns: how wide the lines may be, for which the bars are shorter.
    init(_ statistics: StatisticsResponse, columns: Int?) { (self.statistics, self.columns) = (statistics, columns) }

    /// The table, with the sums below it.
    var lines: [String] {
        let points = statistics.points
        let counts = points.map(\.counts)
        let shown = Self.columns.filter { column in
            !Self.seldom.contains(column.title) || counts.contains { column.value($0) != 0 }
        }
        let titles = shown.map(\.title)
        var rows: [[String?]] = points.map { point in [label(point.at)] + shown.map { String($0.value(point.counts)) } }
        rows.append(["ALL"] + shown.map { column in String(counts.reduce(0) { $0 + column.value($1) }) })
        rows = Self.aligned(rows, titles)
        let numbers = Table(head: ["FROM"] + titles, rows: rows).lines.map(\.count).max() ?? 0
        let width = columns.map { max(1, min(Self.width, $0 - numbers - 2)) } ?? Self.width
        let most = counts.map(Self.deliveries).max() ?? 0
        for (index, point) in counts.enumerated() { rows[index].append(Self.bar(point, most: most, width: width)) }
        rows[points.count].append("")
        return Table(head: ["FROM"] + titles + [""], rows: rows).lines(fitting: columns)
    }

    /// The beginning of a step, as far as it says something: `2026-03-01 12:00`.
    private func label(_ time: UTCTime) -> String {
        let text = time.description
        let day = String(text.prefix(10))
        return statistics.step == .day ? day : "\(day) \(text.dropFirst(11).prefix(5))"
    }

    /// How many deliveries ended in a step.
    private static func deliveries(_ counts: OutcomeCounts) -> Int {
        counts.accepted + counts.rejected + counts.dead + counts.suppressed + counts.expired + counts.cancelled
    }

    /// A bar as long as the deliveries are many: what was accepted, and what was not. A few among many still show.
    static func bar(_ counts: OutcomeCounts, most: Int, width: Int) -> String {
        let all = deliveries(counts)
        guard all > 0, most > 0 else { return "" }
        let length = max(1, (all * width + most / 2) / most)
        let accepted = min(length, (counts.accepted * length + all / 2) / all)
        return String(repeating: "█", count: accepted) + String(repeating: "░", count: length - accepted)
    }

    /// Rows whose numbers end under each other, and under their titles.
    private static func aligned(_ rows: [[String?]], _ titles: [String]) -> [[String?]] {
        let widths = titles.enumerated().map { index, title in
            rows.reduce(title.count) { max($0, $1[index + 1]?.count ?? 0) }
        }
        return rows.map { row in
            var row = row
            for (index, width) in widths.enumerated() {
                let number = row[index + 1] ?? ""
                row[index + 1] = String(repeating: " ", count: width - number.count) + number
            }
            return row
        }
    }
}
