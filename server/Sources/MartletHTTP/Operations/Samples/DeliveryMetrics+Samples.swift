import MartletCore

extension DeliveryMetrics.Numbers {
    /// What the pipeline has counted.
    ///
    /// - Parameter queues: those that are shown even when nothing ended in them.
    func samples(_ names: AppNames, queues: [DeliveryQueue]) -> [MetricSample] {
        var attempts = MetricSample(
            "martlet_attempts_total",
            .counter,
            "Recorded answers of providers, by app, platform, environment, outcome and reason."
        )
        for (answer, count) in answers {
            guard let labels = names.labels(answer.queue, ("outcome", answer.outcome), ("reason", answer.reason))
            else { continue }
            attempts.add(labels, count)
        }
        var deliveries = MetricSample(
            "martlet_deliveries_total",
            .counter,
            "Deliveries that ended, by app, platform, environment and how."
        )
        for queue in queues {
            guard let labels = names.labels(queue) else { continue }
            for state in DeliveryResult.State.allCases {
                let count = ends[DeliveryMetrics.End(queue: queue, state: state)] ?? 0
                deliveries.add(labels + [("state", "\(state)")], count)
            }
        }
        var held = MetricSample(
            "martlet_suppressions_total",
            .counter,
            "Deliveries that were not made, other than duplicates, by app and reason."
        )
        for (suppression, count) in suppressions {
            guard let labels = names.labels(suppression.app) else { continue }
            held.add(labels + [("reason", suppression.reason.rawValue)], count)
        }
        // From 0 on, so that the first ones are an increase; behind the others, should there be no capacity for all.
        for app in names.apps {
            for reason in Suppression.Reason.allCases where reason != .duplicate {
                guard suppressions[DeliveryMetrics.Held(app: app, reason: reason)] == nil else { continue }
                held.add((names.labels(app) ?? []) + [("reason", reason.rawValue)], 0)
            }
        }
        var batches = MetricSample("martlet_batches_in_flight", .gauge, "Batches in flight.")
        batches.add(batchesInFlight)
        return [attempts, deliveries, held, batches]
    }
}

extension QueueBreakers {
    /// The state of each queue's breaker, which is closed where nothing was sent yet, and why where it is not.
    func samples(_ names: AppNames, queues: [DeliveryQueue], at now: Timestamp) -> [MetricSample] {
        var states = MetricSample(
            "martlet_breaker_state",
            .gauge,
            "0 all is well, 1 it answers again and deliveries go out bit by bit, 2 it does not answer and they wait."
        )
        var reasons = MetricSample(
            "martlet_breaker_reason",
            .gauge,
            "1 with the latest failure's reason while martlet_breaker_state is not 0; otherwise absent."
        )
        let breakers = all(at: now)
        for queue in queues {
            guard let labels = names.labels(queue) else { continue }
            let breaker = breakers[queue] ?? Breaker()
            states.add(labels, breaker.gauge)
            if breaker.state != .closed, let reason = breaker.reasonWord {
                reasons.add(labels + [("reason", reason)], 1)
            }
        }
        return [states, reasons]
    }
}

extension Breaker {
    /// The state as a number.
    fileprivate var gauge: Int {
        switch state {
        case .closed: 0
        case .recovering: 1
        // Also while a batch tries: whoever looks now and then must not take that for an answer.
        case .open, .probing: 2
        }
    }
}
