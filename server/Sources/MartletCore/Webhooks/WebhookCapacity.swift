/// How many deliveries may be leased, so that hosts that do not answer leave capacity for those that do.
///
/// Three rules, each of which holds by itself: a host has a bound of its own, a smaller one until it has answered; a host
/// begins no more calls than leave as many free for others as it has; hosts that nothing is known of, and silent ones,
/// have a bound together.
public struct WebhookCapacity: Sendable, Hashable {
    /// In all.
    public private(set) var total: Int
    /// Of one queue whose host answers, those that are under way among them.
    public var perQueue: Int
    /// Of one queue whose host has not answered.
    public var perUnprovenQueue: Int
    /// Of all hosts that nothing is known of.
    public private(set) var ofNew: Int
    /// Of all silent hosts.
    public private(set) var ofSilent: Int
    /// How many of each queue are under way.
    public private(set) var taken: [String: Int]

    package init(
        total: Int,
        perQueue: Int,
        perUnprovenQueue: Int? = nil,
        ofNew: Int = .max,
        ofSilent: Int = .max,
        taken: [String: Int] = [:]
    ) {
        self.total = total
        self.perQueue = perQueue
        self.perUnprovenQueue = perUnprovenQueue ?? perQueue
        self.ofNew = ofNew
        self.ofSilent = ofSilent
        self.taken = taken
    }

    /// How many of all queues of one standing may be leased.
    public func free(_ standing: WebhookHost.Standing) -> Int {
        switch standing {
        case .new: max(0, min(total, ofNew))
        case .answering: max(0, total)
        case .silent: max(0, min(total, ofSilent))
        }
    }

    /// How many of a queue may be leased.
    public func free(in queue: String, _ standing: WebhookHost.Standing) -> Int {
        let taken = taken[queue] ?? 0
        let bound = (standing == .answering ? perQueue : perUnprovenQueue) - taken
        // Each that it takes is one less for others: it has as many as they when half of the rest is gone.
        let fair = (total - taken + 1) / 2
        return max(0, min(bound, fair, free(standing)))
    }

    /// Takes so many for a queue.
    public mutating func take(_ count: Int, in queue: String, _ standing: WebhookHost.Standing) {
        total -= count
        taken[queue, default: 0] += count
        switch standing {
        case .new: ofNew -= count
        case .answering: break
        case .silent: ofSilent -= count
        }
    }
}

/// What was leased.
public struct LeasedWebhooks: Sendable, Hashable {
    /// It.
    public var deliveries: [WebhookDelivery]
    /// When there is more to lease, where there was nothing now.
    public var next: Timestamp?
    /// How many deliveries were too old and are dead letters now.
    public var expired: Int

    package init(deliveries: [WebhookDelivery] = [], next: Timestamp? = nil, expired: Int = 0) {
        self.deliveries = deliveries
        self.next = next
        self.expired = expired
    }
}
