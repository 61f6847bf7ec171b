import Synchronization

/// The results of the events that phones sent, counted since the start.
final class EventMetrics: Sendable {
    /// The result of one event.
    enum Result: String, CaseIterable {
        /// It is new and kept.
        case recorded
        /// It was reported before.
        case known
        /// It will never be taken.
        case refused
    }

    private let counts = Mutex<[Result: Int]>([:])

    /// Counts the events of one upload.
    func count(recorded: Int, known: Int, refused: Int) {
        counts.withLock { counts in
            counts[.recorded, default: 0] += recorded
            counts[.known, default: 0] += known
            counts[.refused, default: 0] += refused
        }
    }

    /// What `/metrics` shows.
    var sample: MetricSample {
        var events = MetricSample(
            "martlet_events_total",
            .counter,
            "Events that phones reported, by result."
        )
        let counts = counts.withLock { $0 }
        for result in Result.allCases { events.add([("result", result.rawValue)], counts[result] ?? 0) }
        return events
    }
}
