import Foundation
import MartletCore
import MartletWire

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
    /// How long a point is.
    var step: Duration

    var size = Size.wide

    /// For how much room it is drawn: a picture that is scaled down has words that nobody can read.
    enum Size: String, CaseIterable, Sendable {
        case wide, narrow

        fileprivate var width: Int { self == .wide ? 760 : 300 }
        /// How many times stand below the bars.
        fileprivate var labels: Int { self == .wide ? 6 : 3 }
    }

    private static let height = 170, bottom = 22, top = 8

    /// The number at the top.
    private var most: Int { Self.scale(points.map(\.total).max() ?? 0) }
    /// Where the bars begin: what the number beside them leaves.
    private var left: Int { 14 + 8 * Texts.number(most).count }

    /// The picture for each width of a window, one of which is shown.
    static func pictures(of points: [ChartPoint], step: Duration, title: String) -> String {
        Size.allCases.map { Chart(points: points, step: step, size: $0).svg(title: title) }.joined()
    }

    /// The picture.
    ///
    /// - Parameter title: what a screen reader says; the numbers stand in a table behind it.
    func svg(title: String) -> String {
        let (most, left) = (most, left)
        let area = (width: size.width - left, height: Self.height - Self.bottom - Self.top)
        let slot = Double(area.width) / Double(max(1, points.count))
        var parts: [String] = []
        for (index, point) in points.enumerated() {
            let x = Double(left) + Double(index) * slot
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
            <line class="axis" x1="\(left)" y1="\(base)" x2="\(size.width)" y2="\(base)"/>\
            <text x="\(left - 6)" y="\(Self.top + 10)" text-anchor="end">\(Texts.number(most))</text>\
            <text x="\(left - 6)" y="\(base)" text-anchor="end">0</text>
            """
        let label = PageText().escapeText(title)
        return """
            <svg class="chart \(size)-chart" viewBox="0 0 \(size.width) \(Self.height)" role="img" aria-label="\(label)">\
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

    /// The times below some of the bars, in UTC; the page's script writes the reader's own.
    private var times: String {
        let slot = Double(size.width - left) / Double(max(1, points.count))
        let stride = max(1, (points.count + size.labels - 1) / size.labels)
        return points.indices.filter { $0.isMultiple(of: stride) }.map { index in
            let x = Double(left) + (Double(index) + 0.5) * slot
            let at = points[index].at
            let moment = isOfDays ? "" : " data-at=\"\(at.rawValue)\"\(isOfSeconds ? " data-seconds" : "")"
            return """
                <text x="\(Self.text(x))" y="\(Self.height - 6)" text-anchor="middle"\(moment)>\(label(at))</text>
                """
        }.joined()
    }

    private var isOfDays: Bool { step >= .seconds(86_400) }
    /// Whether points that follow each other are in the same minute.
    private var isOfSeconds: Bool { step < .seconds(60) }

    /// A day, or a time of day.
    private func label(_ moment: Timestamp) -> String {
        let local = LocalMoment(moment, in: .gmt)
        if isOfDays { return String(local.text.prefix(10).suffix(5)) }
        let second = moment.rawValue / 1_000 % 60
        return local.text.suffix(5) + (isOfSeconds ? ":\(second < 10 ? "0" : "")\(second)" : "")
    }

    private static func text(_ value: Double) -> String { String((value * 10).rounded() / 10) }
}
