import MartletCore

extension [LaneTraffic] {
    /// What providers have under way, by lane.
    func readings(_ names: AppNames) -> [MetricReading] {
        var inFlight = MetricReading(
            "martlet_pushes_in_flight",
            .gauge,
            "Pushes that were handed to the provider's connections and have no answer yet."
        )
        var seconds = MetricReading(
            "martlet_attempt_seconds",
            .histogram,
            "From when a push was submitted to a connection until the provider's answer was read."
        )
        for lane in self {
            guard let labels = names.labels(lane.lane) else { continue }
            inFlight.add(labels, lane.inFlight)
            seconds.add(labels, lane.answerTimes)
        }
        return [inFlight, seconds] + connectionReadings(names)
    }

    private func connectionReadings(_ names: AppNames) -> [MetricReading] {
        var states = MetricReading("martlet_connections", .gauge, "Connections to the provider, by state.")
        var streams = MetricReading(
            "martlet_connection_streams",
            .gauge,
            "Pushes that are on the connections that take pushes."
        )
        var limit = MetricReading(
            "martlet_connection_streams_limit",
            .gauge,
            "How many pushes these connections may carry at a time."
        )
        var waiting = MetricReading(
            "martlet_connection_waiting_pushes",
            .gauge,
            "Pushes that wait for a connection or for room on one."
        )
        var opened = MetricReading("martlet_connections_opened_total", .counter, "Connections that were opened.")
        var failures = MetricReading(
            "martlet_connection_failures_total",
            .counter,
            "Connections that could not be opened, by how far it came, or ended without a single answer."
        )
        for lane in self {
            guard let labels = names.labels(lane.lane), let connections = lane.connections else { continue }
            for (state, count) in connections.states { states.add(labels + [("state", state.rawValue)], count) }
            streams.add(labels, connections.streams)
            limit.add(labels, connections.streamLimit)
            waiting.add(labels, connections.waiting)
            opened.add(labels, connections.opened)
            for (phase, count) in connections.failures { failures.add(labels + [("phase", phase)], count) }
        }
        return [states, streams, limit, waiting, opened, failures]
    }
}
