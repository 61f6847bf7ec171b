import CoreMetrics
import Metrics
import Synchronization
import Testing

@testable import MartletHTTP

@Suite("The Prometheus registry")
struct PrometheusTests {
    let registry = PrometheusRegistry()

    func read() throws -> Exposition { try Exposition(registry.text()) }

    @Test("counts")
    func counts() throws {
        let counter = Counter(label: "sends", dimensions: [("app", "a")], factory: registry)
        counter.increment()
        counter.increment(by: 41)
        counter.increment(by: -5)
        Counter(label: "sends", dimensions: [("app", "b")], factory: registry).increment()
        let float = FloatingPointCounter(label: "cost", factory: registry)
        float.increment(by: 0.5)
        float.increment(by: 0.25)
        float.increment(by: -1.0)
        float.increment(by: Double.nan)
        let text = try read()
        #expect(text.families["sends_total"]?.type == "counter")
        #expect(text.value("sends_total", ["app": "a"]) == 42)
        #expect(text.value("sends_total", ["app": "b"]) == 1)
        #expect(text.value("cost_total") == 0.75)
        counter.reset()
        #expect(try read().value("sends_total", ["app": "a"]) == 0)
    }

    @Test("has gauges that go up and down")
    func gauges() throws {
        let meter = Meter(label: "waiting", factory: registry)
        meter.set(10)
        meter.increment(by: 2.5)
        meter.decrement()
        meter.increment(by: Double.infinity)
        Gauge(label: "temperature", factory: registry).record(-3.5)
        let endless = Meter(label: "endless", factory: registry)
        endless.set(-Double.infinity)
        let text = try read()
        #expect(text.families["waiting"]?.type == "gauge")
        #expect(text.value("waiting") == 11.5)
        #expect(text.value("temperature") == -3.5)
        #expect(text.value("endless") == -Double.infinity)
    }

    @Test("has timers as histograms of seconds")
    func timers() throws {
        let timer = Metrics.Timer(label: "wait", dimensions: [("queue", "x")], factory: registry)
        timer.recordMilliseconds(1)
        timer.recordMilliseconds(2)
        timer.recordSeconds(100)
        timer.recordNanoseconds(-1)
        let text = try read()
        #expect(text.families["wait_seconds"]?.type == "histogram")
        #expect(text.value("wait_seconds_bucket", ["queue": "x", "le": "0.001"]) == 2)
        #expect(text.value("wait_seconds_bucket", ["queue": "x", "le": "0.0025"]) == 3)
        #expect(text.value("wait_seconds_bucket", ["queue": "x", "le": "60"]) == 3)
        #expect(text.value("wait_seconds_bucket", ["queue": "x", "le": "+Inf"]) == 4)
        #expect(text.value("wait_seconds_count", ["queue": "x"]) == 4)
        #expect(abs(try #require(text.value("wait_seconds_sum", ["queue": "x"])) - 100.003) < 1e-9)
    }

    @Test("has recorders as histograms of amounts whose buckets only grow")
    func recorders() throws {
        let recorder = Recorder(label: "batch.size", dimensions: [("le", "mine")], factory: registry)
        for amount in [0, 1, 2, 3, 1000, 5_000_000] { recorder.record(amount) }
        recorder.record(Double.nan)
        let text = try read()
        let samples = try #require(text.families["batch_size"]).samples
        let buckets = samples.filter { $0.name == "batch_size_bucket" }
        #expect(buckets.map(\.value) == buckets.map(\.value).sorted())
        #expect(buckets.allSatisfy { $0.labels["exported_le"] == "mine" })
        #expect(buckets.first?.value == 2)
        #expect(buckets.last?.labels["le"] == "+Inf")
        #expect(buckets.last?.value == 6)
        #expect(text.value("batch_size_count", ["exported_le": "mine"]) == 6)
    }

    @Test("cleans names, escapes values and explains itself")
    func escapes() throws {
        let registry = PrometheusRegistry(help: ["9 lives/é": "Cats\\dogs\nand more"])
        let value = "a\\b\"c\nd é 😀 \r\\n"
        let dimensions = [
            ("__reserved", "1"), ("9", "2"), ("a:b", "3"), ("", "4"), ("quoted", value), ("quoted", value),
        ]
        Counter(label: "9 lives/é", dimensions: dimensions, factory: registry).increment()
        Counter(label: "", factory: registry).increment()
        let text = try Exposition(registry.text())
        let labels = ["_reserved": "1", "_9": "2", "a_b": "3", "_": "4", "quoted": value]
        #expect(text.value("_9_lives___total", labels) == 1)
        #expect(text.families["_9_lives___total"]?.help == "Cats\\\\dogs\\nand more")
        #expect(text.value("__total") == 1)
    }

    @Test("gives metrics whose lines would mix names of their own")
    func separatesKinds() throws {
        Counter(label: "x", factory: registry).increment()
        Meter(label: "x_total", factory: registry).set(7)
        Metrics.Timer(label: "y", factory: registry).recordSeconds(1)
        Meter(label: "y_seconds_count", factory: registry).set(8)
        Counter(label: "a.b", factory: registry).increment(by: 2)
        Counter(label: "a_b", factory: registry).increment(by: 3)
        Meter(label: "martlet_metrics_overflow_total", factory: registry).set(9)
        let text = try read()
        #expect(text.value("x_total") == 1)
        #expect(text.value("x_total_gauge") == 7)
        #expect(text.value("y_seconds_count") == 1)
        #expect(text.value("y_seconds_count_gauge") == 8)
        #expect(text.value("a_b_total") == 2)
        #expect(text.value("a_b_total_counter") == 3)
        #expect(text.value("martlet_metrics_overflow_total_gauge") == 9)
        #expect(text.value("martlet_metrics_overflow_total") == 0)
    }

    @Test("a counter with fractions under the labels of a whole one is dropped and noted")
    func separatesTypes() throws {
        Counter(label: "x", factory: registry).increment()
        FloatingPointCounter(label: "x", factory: registry).increment(by: 0.5)
        let text = try read()
        #expect(text.value("x_total") == 1)
        #expect(text.value("martlet_metrics_overflow_total") == 1)
    }

    @Test("has a bound of series, and one series and a counter for the rest")
    func boundsSeries() throws {
        let registry = PrometheusRegistry(help: [:], seriesBound: 3)
        for user in 0..<10 {
            Counter(label: "x", dimensions: [("user", "\(user)")], factory: registry).increment()
            Metrics.Timer(label: "y", dimensions: [("user", "\(user)")], factory: registry).recordSeconds(1)
        }
        let text = try Exposition(registry.text())
        #expect(text.families["x_total"]?.samples.count == 4)
        #expect(text.value("x_total", ["user": "2"]) == 1)
        #expect(text.value("x_total", ["overflow": "true"]) == 7)
        #expect(text.value("y_seconds_count", ["overflow": "true"]) == 7)
        #expect(text.value("martlet_metrics_overflow_total") == 14)
    }

    @Test("has a bound of metrics")
    func boundsFamilies() throws {
        for index in 0..<PrometheusRegistry.familyBound + 5 {
            Counter(label: "m\(index)", factory: registry).increment()
        }
        let text = try read()
        #expect(text.names.count == PrometheusRegistry.familyBound + 1)
        #expect(text.value("martlet_metrics_overflow_total") == 5)
    }

    @Test("shows what is read when somebody asks beside what it keeps, and notes what is over the bound")
    func reads() throws {
        Counter(label: "kept", factory: registry).increment()
        let looks = Looks()
        registry.read {
            var reading = MetricSample("looks_total", .counter, "How often it was looked at.")
            reading.add(looks.count.wrappingAdd(1, ordering: .relaxed).newValue)
            return reading
        }
        var reading = MetricSample("waiting", .gauge, "What waits.")
        reading.add([("app", "a\"b\\c\n"), ("queue", "x")], 7)
        reading.add([("queue", "x"), ("app", "a\"b\\c\n")], 8)
        for index in 0..<PrometheusRegistry.seriesBound { reading.add([("app", "\(index)")], index) }
        let empty = MetricSample("empty", .gauge, "Nothing.")
        let text = try Exposition(registry.text(with: [reading, empty]))
        #expect(text.names == ["empty", "kept_total", "looks_total", "martlet_metrics_overflow_total", "waiting"])
        #expect(text.families["empty"]?.samples.isEmpty == true)
        #expect(text.families["looks_total"]?.type == "counter")
        #expect(text.value("looks_total") == 1)
        #expect(text.value("waiting", ["app": "a\"b\\c\n", "queue": "x"]) == 7)
        #expect(text.value("waiting", ["app": "17"]) == 17)
        #expect(text.families["waiting"]?.samples.count == PrometheusRegistry.seriesBound)
        #expect(text.value("martlet_metrics_overflow_total") == 2)
        #expect(try Exposition(registry.text()).value("looks_total") == 2)
    }

    /// How often somebody looked.
    private final class Looks: Sendable {
        let count = Atomic(0)
    }

    @Test("forgets what is destroyed and starts it at zero again")
    func destroys() throws {
        let first = Counter(label: "x", dimensions: [("a", "1")], factory: registry)
        let second = Counter(label: "x", dimensions: [("a", "2")], factory: registry)
        first.increment()
        second.increment()
        first.destroy()
        #expect(try read().families["x_total"]?.samples.map(\.labels) == [["a": "2"]])
        Counter(label: "x", dimensions: [("a", "1")], factory: registry).increment(by: 5)
        #expect(try read().value("x_total", ["a": "1"]) == 5)
    }

    @Test("writes the same order whatever came first")
    func keepsOrder() {
        let other = PrometheusRegistry()
        let labels = ["b", "a", "c"]
        for label in labels {
            for value in labels { Counter(label: label, dimensions: [("v", value)], factory: registry).increment() }
        }
        for label in labels.reversed() {
            for value in labels.reversed() {
                Counter(label: label, dimensions: [("v", value)], factory: other).increment()
            }
        }
        #expect(registry.text() == other.text())
        #expect(registry.text().contains("# HELP a_total a\n# TYPE a_total counter\na_total{v=\"a\"} 1\n"))
    }

    @Test("loses nothing when many tasks count at once")
    func countsTogether() async throws {
        let registry = registry
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let counter = Counter(label: "x", factory: registry)
                    let float = FloatingPointCounter(label: "f", factory: registry)
                    let meter = Meter(label: "m", factory: registry)
                    let timer = Metrics.Timer(label: "t", factory: registry)
                    for round in 0..<2000 {
                        counter.increment()
                        float.increment(by: 0.5)
                        if task % 2 == 0 { meter.increment() } else { meter.decrement() }
                        timer.recordNanoseconds(1)
                        if round % 500 == 0 { _ = registry.text() }
                    }
                }
            }
        }
        let text = try read()
        #expect(text.value("x_total") == 16_000)
        #expect(text.value("f_total") == 8_000)
        #expect(text.value("m") == 0)
        #expect(text.value("t_seconds_count") == 16_000)
    }
}
