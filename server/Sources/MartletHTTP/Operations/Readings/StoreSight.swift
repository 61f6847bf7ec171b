import MartletCore

/// What waits in the store, as it was seen at one moment.
struct StoreSight: Sendable {
    /// When.
    let at: Timestamp
    /// How its apps are called.
    let names: AppNames
    /// What waits for web addresses.
    let webhooks: WebhookBacklog
    private let statistics: StoreStatistics
    private let pauses: [Pause]

    /// Looks at a store.
    init(_ store: any Store, at now: Timestamp) async throws {
        at = now
        names = try await AppNames(store)
        statistics = try await store.statistics()
        pauses = try await store.pauses(nil)
        webhooks = try await store.webhookBacklog()
    }

    /// The lanes that have a credential.
    var lanes: Set<Lane> { statistics.lanes }

    /// The lanes in which something waits, or that are paused.
    var busyLanes: Set<Lane> { Set(statistics.backlogs.map(\.lane)).union(pauses.map(\.lane)) }

    /// What it shows.
    ///
    /// - Parameter lanes: those that are shown even when nothing waits in them.
    func readings(lanes: [Lane], at now: Timestamp) -> [MetricReading] {
        appReadings(at: now) + backlogReadings(lanes: lanes, at: now) + [pauseReading]
    }

    private func appReadings(at now: Timestamp) -> [MetricReading] {
        var waiting = MetricReading(
            "martlet_notifications_waiting",
            .gauge,
            "Notifications whose time has come and whose audience is not read to its end, by app."
        )
        var age = MetricReading(
            "martlet_notifications_waiting_age_seconds",
            .gauge,
            "For how long the oldest notification of martlet_notifications_waiting has waited, by app."
        )
        var dead = MetricReading(
            "martlet_dead_letters",
            .gauge,
            "Deliveries whose attempts were used up and that nobody has retried, by app."
        )
        var aside = MetricReading(
            "martlet_set_aside",
            .gauge,
            "Batches and fan-outs that are tried no more until somebody asks for it, by app."
        )
        var enabled = MetricReading(
            "martlet_endpoints_enabled",
            .gauge,
            "Endpoints that pushes are made to, by app."
        )
        for app in names.apps {
            guard let labels = names.labels(app) else { continue }
            let numbers = statistics.apps[app] ?? StoreStatistics.AppNumbers()
            waiting.add(labels, numbers.openFanOuts)
            age.add(labels, numbers.oldestFanOut.map { now - $0 } ?? .zero)
            dead.add(labels, numbers.deadLetters)
            aside.add(labels, numbers.setAside)
            enabled.add(labels, numbers.enabledEndpoints)
        }
        return [waiting, age, dead, aside, enabled]
    }

    private func backlogReadings(lanes: [Lane], at now: Timestamp) -> [MetricReading] {
        var deliveries = MetricReading(
            "martlet_backlog_deliveries",
            .gauge,
            "Deliveries that wait or are under way, by app, platform and environment."
        )
        var deferred = MetricReading(
            "martlet_backlog_deferred_deliveries",
            .gauge,
            "Those of martlet_backlog_deliveries that wait for the time of their next attempt."
        )
        var age = MetricReading(
            "martlet_backlog_age_seconds",
            .gauge,
            "For how long the oldest notification of the other deliveries has waited, by app, platform and environment."
        )
        var deferredAge = MetricReading(
            "martlet_backlog_deferred_age_seconds",
            .gauge,
            "For how long the oldest notification of martlet_backlog_deferred_deliveries has waited."
        )
        let busy = Set(statistics.backlogs.map(\.lane))
        let idle = lanes.filter { !busy.contains($0) }.map { lane in
            StoreStatistics.LaneBacklog(lane: lane, deliveries: 0, oldest: nil)
        }
        for backlog in statistics.backlogs + idle {
            guard let labels = names.labels(backlog.lane) else { continue }
            deliveries.add(labels, backlog.deliveries)
            deferred.add(labels, backlog.deferred)
            age.add(labels, backlog.oldest.map { now - $0 } ?? .zero)
            deferredAge.add(labels, backlog.oldestDeferred.map { now - $0 } ?? .zero)
        }
        return [deliveries, deferred, age, deferredAge]
    }

    private var pauseReading: MetricReading {
        var paused = MetricReading(
            "martlet_lane_paused",
            .gauge,
            "1 for what is not sent until an operator acts, by app, platform, environment and the provider's reason."
        )
        for pause in pauses {
            guard let labels = names.labels(pause.lane, ("reason", pause.reason)) else { continue }
            paused.add(labels, 1)
        }
        return paused
    }
}
