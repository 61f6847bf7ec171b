import MartletCore

extension [QueueTraffic] {
    /// What providers have under way, by queue.
    func samples(_ names: AppNames) -> [MetricSample] {
        var inFlight = MetricSample(
            "martlet_pushes_in_flight",
            .gauge,
            "Pushes submitted to the provider's connections that have no answer yet."
        )
        var seconds = MetricSample(
            "martlet_attempt_seconds",
            .histogram,
            "From when a push was submitted to a connection until the provider's answer was read."
        )
        for queue in self {
            guard let labels = names.labels(queue.queue) else { continue }
            inFlight.add(labels, queue.inFlight)
            seconds.add(labels, queue.answerTimes)
        }
        return [inFlight, seconds] + connectionSamples(names)
    }

    private func connectionSamples(_ names: AppNames) -> [MetricSample] {
        var states = MetricSample("martlet_connections", .gauge, "Connections to the provider, by state.")
        var streams = MetricSample(
            "martlet_connection_streams",
            .gauge,
            "Pushes that are on the connections that take pushes."
        )
        var limit = MetricSample(
            "martlet_connection_streams_limit",
            .gauge,
            "How many pushes these connections may carry at a time."
        )
        var waiting = MetricSample(
            "martlet_connection_waiting_pushes",
            .gauge,
            "Pushes that wait for a connection or for a stream on one."
        )
        var opened = MetricSample("martlet_connections_opened_total", .counter, "Connections that were opened.")
        var failures = MetricSample(
            "martlet_connection_failures_total",
            .counter,
            "Connections that could not be opened, or closed without a single answer, by phase."
        )
        for queue in self {
            guard let labels = names.labels(queue.queue), let connections = queue.connections else { continue }
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
