/// What a provider has under way in one queue, and how it went since the start: for the operator.
public struct QueueTraffic: Sendable, Hashable {
    /// Which queue.
    public var queue: DeliveryQueue
    /// Pushes that were handed over and have no outcome yet.
    public var inFlight: Int
    /// How long answers took, each from when its request was submitted to a connection.
    public var answerTimes: DurationCounts
    /// The connections that the queue uses; queues with the same credential use the same ones. None before the first push.
    public var connections: ConnectionTraffic?

    package init(
        queue: DeliveryQueue,
        inFlight: Int,
        answerTimes: DurationCounts,
        connections: ConnectionTraffic? = nil
    ) {
        self.queue = queue
        self.inFlight = inFlight
        self.answerTimes = answerTimes
        self.connections = connections
    }
}

/// The connections to a provider, at this moment and since the first of them.
public struct ConnectionTraffic: Sendable, Hashable {
    /// What a connection is good for.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// It is being opened.
        case connecting
        /// It has to show that its credential is good before it may be used in full.
        case warming
        /// It is in full use.
        case open
        /// It takes no more pushes and waits for its last answers.
        case draining
    }

    /// How many there are in each state.
    public var states: [State: Int] = [:]
    /// Pushes on those that take pushes.
    public var streams = 0
    /// How many pushes they may carry at a time.
    public var streamLimit = 0
    /// Pushes that wait for one of them.
    public var waiting = 0
    /// How many were opened.
    public var opened = 0
    /// How often opening one failed, by how far it came: a few words of the provider's code.
    public var failures: [String: Int] = [:]

    /// The defaults.
    public init() {}
}
