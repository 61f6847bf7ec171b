public import CoreMetrics
import Synchronization

/// Holds what the program counts and measures, and writes it down for Prometheus.
///
/// Counters get `_total` behind their name and timers `_seconds`, as Prometheus's naming practice wants it. Making a
/// metric takes the registry's lock and some allocations; counting and measuring take neither. Two metrics of the same
/// label and the same dimensions are the same series.
///
/// A metric has at most ``seriesBound`` series. Further ones are counted together in one with the label
/// `overflow="true"`, and `martlet_metrics_overflow_total` says how often that happened.
public final class PrometheusRegistry: MetricsFactory, Sendable {
    /// Series of one metric, which is what Prometheus advises as the most for a whole server times ten.
    public static let seriesBound = 10_000
    /// Different metrics; further ones are dropped and counted as overflow.
    public static let familyBound = 2_000
    /// What `Content-Type` says of ``text()``.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private struct State {
        var families: [String: MetricFamily] = [:]
        /// The family for each label, which another metric's name can have made to differ from it.
        var names: [String: String] = [:]
        /// Whose lines stand under a name.
        var owners: [String: String] = [:]
        /// What is read when somebody asks.
        var sources: [@Sendable () -> MetricSample] = []
    }

    private let state = Mutex(State())
    private let help: [String: String]
    private let seriesBound: Int
    private let overflows = CounterSeries()

    /// An empty registry.
    ///
    /// - Parameter help: for metrics' labels, what they mean; others say their label.
    public convenience init(help: [String: String] = [:]) {
        self.init(help: help, seriesBound: PrometheusRegistry.seriesBound)
    }

    /// An empty registry with another bound.
    init(help: [String: String], seriesBound: Int) {
        self.help = help
        self.seriesBound = seriesBound
    }

    /// Has a metric read whenever the text is asked for, while that waits: for what is at hand.
    public func read(_ source: @escaping @Sendable () -> MetricSample) {
        state.withLock { $0.sources.append(source) }
    }

    /// All metrics in the text format 0.0.4, by name and then by labels.
    ///
    /// - Parameter samples: what was read for this text, beside what the registry keeps.
    public func text(with samples: [MetricSample] = []) -> String {
        let (kept, sources) = state.withLock { (Array($0.families.values), $0.sources) }
        let samples = samples + sources.map { $0() }
        overflows.increment(by: Int64(samples.reduce(0) { $0 + $1.dropped }))
        var families = kept + samples.map(\.family)
        var own = MetricFamily(
            name: "martlet_metrics_overflow_total",
            kind: .counter,
            help: "Metrics that exceeded the limit of series or of names."
        )
        _ = own.series("", bound: 1) { overflows }
        families.append(own)
        families.sort { $0.name < $1.name }
        var text = ""
        for family in families { family.write(to: &text) }
        return text
    }

    private func series<S: Series>(
        _ label: String,
        _ dimensions: [(String, String)],
        suffix: String,
        kind: MetricKind,
        make: () -> S
    ) -> S {
        let labels = MetricName.labels(dimensions, reserved: kind.reservedLabel)
        let found: (S, Bool)? = state.withLock { state in
            guard let name = family(&state, label, suffix, kind) else { return nil }
            return state.families[name]?.series(labels, bound: seriesBound, make: make)
        }
        if let (series, isOverflow) = found {
            if isOverflow { overflows.increment(by: 1) }
            return series
        }
        // Counting goes on, unseen, because a program must not stop over a metric.
        overflows.increment(by: 1)
        return make()
    }

    /// The name of a label's family; one that collides with another family's lines gets its kind behind it.
    private func family(_ state: inout State, _ label: String, _ suffix: String, _ kind: MetricKind) -> String? {
        let key = "\(kind.rawValue)\(suffix) \(label)"
        if let known = state.names[key] { return known }
        guard state.families.count < PrometheusRegistry.familyBound else { return nil }
        var name = MetricName.metric(label)
        if !name.hasSuffix(suffix) { name += suffix }
        while !kind.lineNames(name).allSatisfy({ state.owners[$0] == nil }) || name == "martlet_metrics_overflow_total"
        {
            name += "_" + kind.rawValue
        }
        for line in kind.lineNames(name) { state.owners[line] = name }
        state.names[key] = name
        state.families[name] = MetricFamily(name: name, kind: kind, help: help[label] ?? label)
        return name
    }

    private func remove(_ handler: AnyObject) {
        state.withLock { state in
            for name in state.families.keys where state.families[name]?.remove(handler) == true { return }
        }
    }
}

extension PrometheusRegistry {
    /// A counter under `…_total`.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, suffix: "_total", kind: .counter) { CounterSeries() }
    }

    /// A counter with fractions under `…_total`.
    public func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, suffix: "_total", kind: .counter) { FloatingPointCounterSeries() }
    }

    /// A gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, suffix: "", kind: .gauge) { GaugeSeries() }
    }

    /// A histogram of amounts, or a gauge when it does not aggregate.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return series(label, dimensions, suffix: "", kind: .gauge) { GaugeSeries() } }
        return series(label, dimensions, suffix: "", kind: .histogram) { HistogramSeries(.amounts) }
    }

    /// A histogram of seconds under `…_seconds`.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, suffix: "_seconds", kind: .histogram) { HistogramSeries(.seconds) }
    }

    /// Forgets the series.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    /// Forgets the series.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    /// Forgets the series.
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    /// Forgets the series.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    /// Forgets the series.
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
