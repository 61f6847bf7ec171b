import MartletCore

/// A metric whose numbers are looked at when somebody asks, in place of being kept by the registry: a label that is
/// gone is gone from it.
public struct MetricSample: Sendable {
    /// The metric with its series.
    private(set) var family: MetricFamily
    /// How many numbers were over the bound of series and are not in it.
    private(set) var dropped = 0

    /// A metric without numbers.
    ///
    /// - Parameter name: as it stands in the text, of no metric that the registry keeps.
    public init(_ name: String, _ kind: MetricKind, _ help: String) {
        family = MetricFamily(name: name, kind: kind, help: help)
    }

    /// Adds a number without labels.
    public mutating func add(_ number: some BinaryInteger) { add([], number) }

    /// Adds a number; a second one under the same labels is dropped.
    public mutating func add(_ labels: [(String, String)], _ number: some BinaryInteger) {
        add(labels, FixedNumber(value: Double(number)))
    }

    /// Adds a duration, in seconds.
    mutating func add(_ labels: [(String, String)], _ duration: Duration) {
        add(labels, FixedNumber(value: Double(max(0, duration.milliseconds)) / 1000))
    }

    /// Adds a histogram.
    mutating func add(_ labels: [(String, String)], _ counts: DurationCounts) {
        add(labels, FixedHistogram(counts: counts))
    }

    private mutating func add(_ labels: [(String, String)], _ series: some Series) {
        let labels = MetricName.labels(labels, reserved: family.kind.reservedLabel)
        if !family.add(series, labels: labels, bound: PrometheusRegistry.seriesBound) { dropped += 1 }
    }
}

/// A number that was read.
private final class FixedNumber: Series {
    private let value: Double

    init(value: Double) { self.value = value }

    func write(name: String, labels: String, to text: inout String) {
        line(name, labels, MetricName.number(value), to: &text)
    }
}

/// A histogram of seconds that was read.
private final class FixedHistogram: Series {
    private let counts: DurationCounts

    private static let bounds = DurationCounts.bounds.map { MetricName.number(Double($0) / 1e9) }

    init(counts: DurationCounts) { self.counts = counts }

    func write(name: String, labels: String, to text: inout String) {
        let sum = Double(counts.nanoseconds) / 1e9
        histogram(name, labels, bounds: Self.bounds, counts: counts.counts, sum: sum, to: &text)
    }
}
