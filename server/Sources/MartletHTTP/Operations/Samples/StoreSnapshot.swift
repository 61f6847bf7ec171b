import MartletCore
import MartletStore

/// What waits in the store, as it was seen at one moment.
struct StoreSnapshot: Sendable {
    /// When.
    let at: Timestamp
    /// How its apps are called.
    let names: AppNames
    private let statistics: StoreStatistics
    private let pauses: [Pause]

    /// Looks at a store.
    init(_ store: Store, at now: Timestamp) async throws {
        at = now
        names = try await AppNames(store)
        statistics = try await store.statistics()
        pauses = try await store.pauses(nil)
    }

    /// The queues that have a credential.
    var queues: Set<DeliveryQueue> { statistics.queues }

    /// The queues in which something waits, or that are paused.
    var busyQueues: Set<DeliveryQueue> { Set(statistics.backlogs.map(\.queue)).union(pauses.map(\.queue)) }

    /// What it shows.
    ///
    /// - Parameter queues: those that are shown even when nothing waits in them.
    func samples(queues: [DeliveryQueue], at now: Timestamp) -> [MetricSample] {
        appSamples(at: now) + backlogSamples(queues: queues, at: now) + webhookSamples(at: now) + [pauseReading]
    }

    private func appSamples(at now: Timestamp) -> [MetricSample] {
        var waiting = MetricSample(
            "martlet_notifications_waiting",
            .gauge,
            "Notifications that are due and whose audience is not completely read, by app."
        )
        var age = MetricSample(
            "martlet_notifications_waiting_age_seconds",
            .gauge,
            "How long the oldest notification of martlet_notifications_waiting has waited, by app."
        )
        var dead = MetricSample(
            "martlet_dead_letters",
            .gauge,
            "Deliveries that used up their attempts and that nobody has retried, by app."
        )
        var aside = MetricSample(
            "martlet_quarantined",
            .gauge,
            "Batches and fan-outs that are not tried again until somebody retries them, by app."
        )
        var enabled = MetricSample(
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
            aside.add(labels, numbers.quarantined)
            enabled.add(labels, numbers.enabledEndpoints)
        }
        return [waiting, age, dead, aside, enabled]
    }

    private func backlogSamples(queues: [DeliveryQueue], at now: Timestamp) -> [MetricSample] {
        var deliveries = MetricSample(
            "martlet_backlog_deliveries",
            .gauge,
            "Deliveries that wait or are in flight, by app, platform and environment."
        )
        var deferred = MetricSample(
            "martlet_backlog_deferred_deliveries",
            .gauge,
            "Those of martlet_backlog_deliveries whose next attempt is not due yet."
        )
        var age = MetricSample(
            "martlet_backlog_age_seconds",
            .gauge,
            "How long the oldest notification of the other deliveries has waited, by app, platform and environment."
        )
        var deferredAge = MetricSample(
            "martlet_backlog_deferred_age_seconds",
            .gauge,
            "How long the oldest notification of martlet_backlog_deferred_deliveries has waited."
        )
        let busy = Set(statistics.backlogs.map(\.queue))
        let idle = queues.filter { !busy.contains($0) }.map { queue in
            StoreStatistics.QueueBacklog(queue: queue, deliveries: 0, oldest: nil)
        }
        for backlog in statistics.backlogs + idle {
            guard let labels = names.labels(backlog.queue) else { continue }
            deliveries.add(labels, backlog.deliveries)
            deferred.add(labels, backlog.deferred)
            age.add(labels, backlog.oldest.map { now - $0 } ?? .zero)
            deferredAge.add(labels, backlog.oldestDeferred.map { now - $0 } ?? .zero)
        }
        return [deliveries, deferred, age, deferredAge]
    }

    private func webhookSamples(at now: Timestamp) -> [MetricSample] {
        let webhooks = statistics.webhooks
        var waiting = MetricSample(
            "martlet_webhook_backlog_deliveries",
            .gauge,
            "Messages that wait for a webhook URL, for each of them."
        )
        waiting.add(webhooks.deliveries)
        var age = MetricSample(
            "martlet_webhook_backlog_age_seconds",
            .gauge,
            "For how long the oldest message has waited that not all webhook URLs have."
        )
        age.add([], webhooks.oldest.map { now - $0 } ?? .zero)
        var dead = MetricSample(
            "martlet_webhook_dead_letters",
            .gauge,
            "Messages that a webhook URL did not take and that nobody sent again."
        )
        dead.add(webhooks.deadLetters)
        var silent = MetricSample(
            "martlet_webhook_silent_hosts",
            .gauge,
            "Hosts of webhook URLs that did not answer, and get one call at a time."
        )
        silent.add(webhooks.silentHosts)
        return [waiting, age, dead, silent]
    }

    private var pauseReading: MetricSample {
        var paused = MetricSample(
            "martlet_queue_paused",
            .gauge,
            "1 for a queue that waits for an operator, by app, platform, environment and the provider's reason."
        )
        for pause in pauses {
            guard let labels = names.labels(pause.queue, ("reason", pause.reason)) else { continue }
            paused.add(labels, 1)
        }
        return paused
    }
}
