public import MartletWire

/// Which numbers are asked for.
public enum StatisticsPart: Sendable, Hashable {
    /// All that an operator watches: everything but ``StoreStatistics/waiting``.
    case operation
    /// The same without the numbers of endpoints, which are as many as devices.
    case problems
    /// ``StoreStatistics/waiting`` alone, at a fraction of what the others cost.
    case waiting
    /// ``StoreStatistics/findings`` alone.
    case settings
}

/// How much there is of what waits and of what is kept.
public struct StoreStatistics: Sendable, Hashable {
    /// What waits in one queue.
    public struct QueueBacklog: Sendable, Hashable {
        /// The queue.
        public var queue: DeliveryQueue
        /// Deliveries that wait or are under way.
        public var deliveries: Int
        /// Those of them that wait for the time of their next attempt.
        public var deferred: Int
        /// When the oldest of the notifications of all others was to be sent; `nil` when there are no others, but for
        /// what is quarantined.
        public var oldest: Timestamp?
        /// The same for those that wait for the time of their next attempt.
        public var oldestDeferred: Timestamp?

        package init(
            queue: DeliveryQueue,
            deliveries: Int,
            deferred: Int = 0,
            oldest: Timestamp?,
            oldestDeferred: Timestamp? = nil
        ) {
            self.queue = queue
            self.deliveries = deliveries
            self.deferred = deferred
            self.oldest = oldest
            self.oldestDeferred = oldestDeferred
        }
    }

    /// What there is of one app.
    public struct AppNumbers: Sendable, Hashable {
        /// Notifications whose time has come and whose audience is not read to its end, without those quarantined.
        public var openFanOuts = 0
        /// When the oldest of them was to be sent.
        public var oldestFanOut: Timestamp?
        /// Dead letters that nobody has retried.
        public var deadLetters = 0
        /// Batches and fan-outs that are quarantined.
        public var quarantined = 0
        /// Endpoints that pushes are made to.
        public var enabledEndpoints = 0

        /// The defaults.
        public init() {}
    }

    /// What waits, by queue.
    public var backlogs: [QueueBacklog]
    /// What there is, by app; apps with nothing of it may be missing.
    public var apps: [RowID<App>: AppNumbers]
    /// The queues that have a credential.
    public var queues: Set<DeliveryQueue>
    /// What waits for webhook URLs.
    public var webhooks: WebhookBacklog
    /// What a submission waits for: how many deliveries wait in batches and for webhook URLs, and one more for each
    /// notification whose audience is not read to its end.
    public var waiting: WaitingDeliveries

    package init(
        backlogs: [QueueBacklog] = [],
        apps: [RowID<App>: AppNumbers] = [:],
        queues: Set<DeliveryQueue> = [],
        webhooks: WebhookBacklog = WebhookBacklog(),
        waiting: WaitingDeliveries = WaitingDeliveries()
    ) {
        self.backlogs = backlogs
        self.apps = apps
        self.queues = queues
        self.webhooks = webhooks
        self.waiting = waiting
    }

    /// Which settings of the store's may lose what was accepted.
    public var findings: [Finding] = []

    /// How many dead letters there are.
    public var deadLetters: Int { apps.values.reduce(0) { $0 + $1.deadLetters } }
    /// How many endpoints are enabled.
    public var enabledEndpoints: Int { apps.values.reduce(0) { $0 + $1.enabledEndpoints } }
    /// How many batches and fan-outs are quarantined.
    public var quarantined: Int { apps.values.reduce(0) { $0 + $1.quarantined } }
}
