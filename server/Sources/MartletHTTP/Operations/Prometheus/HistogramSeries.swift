import CoreMetrics
import Synchronization

/// Upper bounds of a histogram's buckets, ascending, without the last one, which has no bound.
struct Buckets: Sendable {
    let bounds: [Double]
    /// The bounds as text.
    let texts: [String]

    private init(_ bounds: [Double]) {
        self.bounds = bounds
        texts = bounds.map(MetricName.number)
    }

    /// Seconds, from a store's commit in memory to the longest wait that a request is given: Prometheus's own defaults
    /// with two below and two above.
    static let seconds = Buckets([
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
    ])

    /// Amounts (sizes of batches, bytes of payloads): three steps for each power of ten.
    static let amounts = Buckets([
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 1_000_000,
    ])
}

/// How often values fell into each bucket: a timer, or a recorder that aggregates.
final class HistogramSeries: Series, TimerHandler, RecorderHandler {
    private struct State {
        var counts: [UInt64]
        var sum = 0.0
    }

    private let buckets: Buckets
    // One lock, so that the count and the buckets of one reading agree; it is held for a few additions.
    private let state: Mutex<State>

    init(_ buckets: Buckets) {
        self.buckets = buckets
        state = Mutex(State(counts: [UInt64](repeating: 0, count: buckets.bounds.count + 1)))
    }

    /// Counts a duration as seconds; a negative one, from a clock that was set back, as none at all.
    func recordNanoseconds(_ duration: Int64) { record(Double(max(duration, 0)) / 1e9) }

    /// Counts a value.
    func record(_ value: Int64) { record(Double(value)) }

    /// Counts a value; what is no finite number would spoil the sum and is dropped.
    func record(_ value: Double) {
        guard value.isFinite else { return }
        // A bound belongs to its bucket.
        var index = 0
        while index < buckets.bounds.count, value > buckets.bounds[index] { index += 1 }
        state.withLock {
            $0.counts[index] += 1
            $0.sum += value
        }
    }

    func write(name: String, labels: String, to text: inout String) {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        histogram(name, labels, bounds: buckets.texts, counts: counts, sum: sum, to: &text)
    }
}
