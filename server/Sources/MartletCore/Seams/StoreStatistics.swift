/// The numbers that an operator watches.
public struct StoreStatistics: Sendable, Hashable {
    /// What waits in one lane.
    public struct LaneBacklog: Sendable, Hashable {
        /// The lane.
        public var lane: Lane
        /// Deliveries that wait or are under way.
        public var deliveries: Int
        /// Those of them that wait for the time of their next attempt.
        public var deferred: Int
        /// When the oldest of the notifications of all others was to be sent; `nil` when there are no others, but for
        /// what is set aside.
        public var oldest: Timestamp?
        /// The same for those that wait for the time of their next attempt.
        public var oldestDeferred: Timestamp?

        /// A backlog from its parts.
        public init(
            lane: Lane,
            deliveries: Int,
            deferred: Int = 0,
            oldest: Timestamp?,
            oldestDeferred: Timestamp? = nil
        ) {
            self.lane = lane
            self.deliveries = deliveries
            self.deferred = deferred
            self.oldest = oldest
            self.oldestDeferred = oldestDeferred
        }
    }

    /// What there is of one app.
    public struct AppNumbers: Sendable, Hashable {
        /// Notifications whose time has come and whose audience is not read to its end, without those set aside.
        public var openFanOuts = 0
        /// When the oldest of them was to be sent.
        public var oldestFanOut: Timestamp?
        /// Dead letters that nobody has retried.
        public var deadLetters = 0
        /// Batches and fan-outs that are set aside.
        public var setAside = 0
        /// Endpoints that pushes are made to.
        public var enabledEndpoints = 0

        /// Nothing.
        public init() {}
    }

    /// What waits, by lane.
    public var backlogs: [LaneBacklog]
    /// What there is, by app; apps with nothing of it may be missing.
    public var apps: [RowID<App>: AppNumbers]
    /// The lanes that have a credential.
    public var lanes: Set<Lane>

    /// Statistics from their parts.
    public init(backlogs: [LaneBacklog] = [], apps: [RowID<App>: AppNumbers] = [:], lanes: Set<Lane> = []) {
        self.backlogs = backlogs
        self.apps = apps
        self.lanes = lanes
    }

    /// How many dead letters there are.
    public var deadLetters: Int { apps.values.reduce(0) { $0 + $1.deadLetters } }
    /// How many endpoints are enabled.
    public var enabledEndpoints: Int { apps.values.reduce(0) { $0 + $1.enabledEndpoints } }
    /// How many batches and fan-outs are set aside.
    public var setAside: Int { apps.values.reduce(0) { $0 + $1.setAside } }
}
