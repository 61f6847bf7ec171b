/// What a pending delivery waits for. A pure value.
public struct Waiting: Sendable, Hashable {
    /// What keeps it.
    public enum Cause: Sendable, Hashable {
        /// Nothing: it is sent when its turn comes.
        case turn
        /// Its next attempt, after what came of the last one.
        case attempt(after: String, at: Timestamp?)
        /// Its queue, which is paused until an operator acts.
        case pause(String, since: Timestamp)
        /// The provider, which answers nobody.
        case silence(String, since: Timestamp)
        /// Whoever has it tried again: it is quarantined.
        case quarantine
    }

    /// Where it is to be sent.
    public var queue: DeliveryQueue
    /// What keeps it.
    public var cause: Cause

    package init(queue: DeliveryQueue, cause: Cause) { (self.queue, self.cause) = (queue, cause) }

    /// The provider's reason, or ours; none where it has not been tried and nothing keeps it.
    public var reason: String? {
        switch cause {
        case .turn: nil
        case .attempt(let reason, _), .pause(let reason, _), .silence(let reason, _): reason
        case .quarantine: "quarantined"
        }
    }
}

/// What keeps whole queues: pauses, and providers that do not answer. A pure value.
public struct QueueStops: Sendable {
    private var pauses: [DeliveryQueue: Pause]
    private var silent: [DeliveryQueue: Breaker]

    package init(pauses: [Pause] = [], breakers: [(queue: DeliveryQueue, breaker: Breaker)] = []) {
        self.pauses = Dictionary(pauses.map { ($0.queue, $0) }) { first, _ in first }
        let silent = breakers.filter { _, breaker in
            switch breaker.state {
            case .open, .probing: true
            case .closed, .recovering: false
            }
        }
        self.silent = Dictionary(silent.map { ($0.queue, $0.breaker) }) { first, _ in first }
    }

    /// What a delivery waits for: what keeps its queue takes precedence over what came of its own last attempt.
    package func apply(to waiting: Waiting) -> Waiting {
        var waiting = waiting
        if waiting.cause == .quarantine { return waiting }
        if let pause = pauses[waiting.queue] {
            waiting.cause = .pause(pause.reason, since: pause.since)
        } else if let breaker = silent[waiting.queue], let reason = breaker.reason, let since = breaker.since {
            waiting.cause = .silence(reason, since: since)
        }
        return waiting
    }

    /// The same of a line of a report, with the moment of the next attempt where that is known.
    package func apply(to report: DeliveryReport) -> DeliveryReport {
        guard let waiting = report.waiting.map({ apply(to: $0) }) else { return report }
        var report = report
        (report.waiting, report.reason) = (waiting, waiting.reason)
        switch waiting.cause {
        case .pause, .quarantine: report.at = nil
        case .silence:
            guard case .open(let until)? = silent[waiting.queue]?.state else { break }
            report.at = max(report.at ?? until, until)
        case .turn, .attempt: break
        }
        return report
    }
}
