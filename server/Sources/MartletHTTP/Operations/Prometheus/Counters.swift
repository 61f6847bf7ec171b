import CoreMetrics
import Synchronization

/// One line of numbers under a metric's name.
protocol Series: AnyObject, Sendable {
    /// Appends its lines.
    ///
    /// - Parameters:
    ///   - name: the metric's name.
    ///   - labels: what stands between the braces, possibly nothing.
    func write(name: String, labels: String, to text: inout String)
}

extension Series {
    /// Appends one line.
    func line(_ name: String, _ labels: String, _ value: String, to text: inout String) {
        text += name
        if !labels.isEmpty {
            text += "{"
            text += labels
            text += "}"
        }
        text += " "
        text += value
        text += "\n"
    }

    /// Appends the lines of a histogram: for each bucket how many values are in it or in one before.
    ///
    /// - Parameters:
    ///   - bounds: the upper bounds as text, without the last bucket's.
    func histogram(
        _ name: String,
        _ labels: String,
        bounds: [String],
        counts: [UInt64],
        sum: Double,
        to text: inout String
    ) {
        let separator = labels.isEmpty ? "" : ","
        var total: UInt64 = 0
        for (count, bound) in zip(counts, bounds + ["+Inf"]) {
            total += count
            line(name + "_bucket", "\(labels)\(separator)le=\"\(bound)\"", String(total), to: &text)
        }
        line(name + "_sum", labels, MetricName.number(sum), to: &text)
        line(name + "_count", labels, String(total), to: &text)
    }
}

/// A whole number that only grows.
final class CounterSeries: Series, CounterHandler {
    private let value = Atomic<UInt64>(0)

    /// Adds; a negative amount is no count and is dropped.
    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        value.wrappingAdd(UInt64(amount), ordering: .relaxed)
    }

    /// Starts at zero again, which Prometheus takes for a restart.
    func reset() { value.store(0, ordering: .relaxed) }

    func write(name: String, labels: String, to text: inout String) {
        line(name, labels, String(value.load(ordering: .relaxed)), to: &text)
    }
}

/// A number in 64 bits that several threads add to without a lock.
struct AtomicDouble: ~Copyable, Sendable {
    private let bits = Atomic<UInt64>(0)

    /// The present number.
    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    /// Replaces the number.
    func store(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    /// Adds to the number.
    func add(_ amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (done, found) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if done { return }
            old = found
        }
    }
}

/// A number that only grows, with fractions.
final class FloatingPointCounterSeries: Series, FloatingPointCounterHandler {
    private let value = AtomicDouble()

    /// Adds; what is negative, infinite or no number is dropped.
    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        value.add(amount)
    }

    /// Starts at zero again, which Prometheus takes for a restart.
    func reset() { value.store(0) }

    func write(name: String, labels: String, to text: inout String) {
        line(name, labels, MetricName.number(value.value), to: &text)
    }
}

/// A number that goes up and down: a meter, or a recorder that does not aggregate.
final class GaugeSeries: Series, MeterHandler, RecorderHandler {
    private let value = AtomicDouble()

    /// Replaces the number.
    func set(_ value: Int64) { self.value.store(Double(value)) }
    /// Replaces the number.
    func set(_ value: Double) { self.value.store(value) }
    /// Adds; what is no finite number is dropped, because nothing would bring the gauge back from it.
    func increment(by amount: Double) { if amount.isFinite { value.add(amount) } }
    /// Subtracts; what is no finite number is dropped.
    func decrement(by amount: Double) { if amount.isFinite { value.add(-amount) } }
    /// Replaces the number.
    func record(_ value: Int64) { set(value) }
    /// Replaces the number.
    func record(_ value: Double) { set(value) }

    func write(name: String, labels: String, to text: inout String) {
        line(name, labels, MetricName.number(value.value), to: &text)
    }
}
