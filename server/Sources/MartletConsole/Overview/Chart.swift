import Foundation
import MartletCore

/// One step of a chart: what came to which end in it.
struct ChartPoint: Sendable, Hashable {
    var at: Timestamp
    var accepted: Int
    var refused: Int
    var notMade: Int

    init(at: Timestamp, accepted: Int, refused: Int, notMade: Int) {
        (self.at, self.accepted, self.refused, self.notMade) = (at, accepted, refused, notMade)
    }

    init(_ at: Timestamp, _ counts: OutcomeCounts) {
        self.init(
            at: at,
            accepted: counts.accepted,
            refused: counts.rejected + counts.dead,
            notMade: counts.suppressed + counts.expired + counts.cancelled
        )
    }

    var total: Int { accepted + refused + notMade }
}

/// Bars over time as SVG, made of numbers alone. A pure value.
struct Chart: Sendable {
    var points: [ChartPoint]
    var step: CountSpan.Step

    private static let width = 760, height = 170, left = 52, bottom = 22, top = 8

    /// The picture.
    ///
    /// - Parameter title: what a screen reader says; the numbers stand in a table behind it.
    func svg(title: String) -> String {
        let most = Self.scale(points.map(\.total).max() ?? 0)
        let area = (width: Self.width - Self.left, height: Self.height - Self.bottom - Self.top)
        let slot = Double(area.width) / Double(max(1, points.count))
        var parts: [String] = []
        for (index, point) in points.enumerated() {
            let x = Double(Self.left) + Double(index) * slot
            var y = Double(Self.height - Self.bottom)
            for (style, count) in [
                ("accepted", point.accepted), ("rejected", point.refused), ("suppressed", point.notMade),
            ] where count > 0 {
                let height = Double(count) / Double(most) * Double(area.height)
                y -= height
                parts.append(
                    """
                    <rect class="\(style)" x="\(Self.text(x + slot * 0.1))" y="\(Self.text(y))" \
                    width="\(Self.text(slot * 0.8))" height="\(Self.text(height))"/>
                    """
                )
            }
        }
        let base = Self.height - Self.bottom
        let axis = """
            <line class="axis" x1="\(Self.left)" y1="\(base)" x2="\(Self.width)" y2="\(base)"/>\
            <text x="\(Self.left - 6)" y="\(Self.top + 10)" text-anchor="end">\(Texts.number(most))</text>\
            <text x="\(Self.left - 6)" y="\(base)" text-anchor="end">0</text>
            """
        let label = PageText().escapeText(title)
        return """
            <svg class="chart" viewBox="0 0 \(Self.width) \(Self.height)" role="img" aria-label="\(label)">\
            \(axis)\(times)\(parts.joined())</svg>
            """
    }

    /// The number at the top: of one or two digits with zeros, the next that is not below the highest bar.
    static func scale(_ most: Int) -> Int {
        if most <= 10 { return max(1, most) }
        var unit = 1
        while unit < Int.max / 100 {
            for step in [12, 15, 20, 25, 30, 40, 50, 60, 80, 100] where most <= unit * step { return unit * step }
            unit *= 10
        }
        return most
    }

    /// How many times stand below the bars.
    private static let labels = 6

    /// The times below some of the bars, in UTC; the page's script writes the reader's own.
    private var times: String {
        let slot = Double(Self.width - Self.left) / Double(max(1, points.count))
        let stride = max(1, (points.count + Self.labels - 1) / Self.labels)
        return points.indices.filter { $0.isMultiple(of: stride) }.map { index in
            let x = Double(Self.left) + (Double(index) + 0.5) * slot
            let at = points[index].at
            let moment = step == .day ? "" : " data-at=\"\(at.rawValue)\""
            return """
                <text x="\(Self.text(x))" y="\(Self.height - 6)" text-anchor="middle"\(moment)>\(label(at))</text>
                """
        }.joined()
    }

    /// A day, or a time of day.
    private func label(_ moment: Timestamp) -> String {
        let local = LocalMoment(moment, in: .gmt)
        return step == .day ? String(local.text.prefix(10).suffix(5)) : String(local.text.suffix(5))
    }

    private static func text(_ value: Double) -> String { String((value * 10).rounded() / 10) }
}
