/// What a submission may begin at once: batches of a short audience are leased in the transaction that accepts them, and go
/// to the dispatcher of this process without another transaction and another look at the store. A pure value: the capacity
/// was taken before.
public struct Reservation: Sendable, Hashable {
    /// What the batches are leased with.
    public var lease: Lease
    /// Where one batch of up to ``limit`` deliveries may begin.
    public var queues: Set<DeliveryQueue>
    /// Whether its capacity is of that which `transactional` notifications have for themselves.
    package var isUrgent = false
    /// When the call began in which its batches are leased.
    package var since = ContinuousClock.now

    /// The most deliveries of a batch that begins at once. Ours: the devices of one person; half of a queue's permits are
    /// five hundred such batches.
    public static let limit = BatchCapacity.leastWeight

    package init(lease: Lease, queues: Set<DeliveryQueue>) {
        self.lease = lease
        self.queues = queues
    }

    /// Whether a batch begins at once; the next one of its queue does not then.
    public mutating func take(_ draft: BatchDraft, isPaused: @autoclosure () throws -> Bool) rethrows -> Bool {
        guard draft.notBefore == nil, 1...Reservation.limit ~= draft.members.count, queues.contains(draft.queue),
            try !isPaused()
        else { return false }
        queues.remove(draft.queue)
        return true
    }
}
