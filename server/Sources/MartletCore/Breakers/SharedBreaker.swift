/// A breaker that one process opened, as the others on the same store learn of it.
public struct SharedBreaker: Sendable, Hashable {
    /// Whose it is.
    public var queue: DeliveryQueue
    /// When it is probed.
    public var until: Timestamp
    /// How often it opened since it was closed.
    public var openings: Int
    /// The last failure's reason.
    public var reason: String?

    package init(queue: DeliveryQueue, until: Timestamp, openings: Int, reason: String?) {
        self.queue = queue
        self.until = until
        self.openings = openings
        self.reason = reason
    }
}
