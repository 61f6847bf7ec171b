import Synchronization

/// The reservation of a submission: batches of a short audience are leased in the transaction that accepts them, and go to
/// the dispatcher of this process without another transaction and another look at the store.
///
/// It takes capacity as the store writes, and is held until the batches are through or ``giveBack()`` is called.
public final class Reservation: Sendable {
    private struct Part {
        var queue: DeliveryQueue
        var members: Int
    }

    /// What the batches are leased with.
    public let lease: Lease
    private let take: @Sendable (DeliveryQueue, Int) -> Bool
    private let give: @Sendable (DeliveryQueue, Int) -> Void
    private let taken = Mutex<[Part]>([])

    /// A reservation over what takes capacity for a batch of so many deliveries, if there is some, and gives it back.
    public init(
        lease: Lease,
        take: @escaping @Sendable (DeliveryQueue, Int) -> Bool,
        give: @escaping @Sendable (DeliveryQueue, Int) -> Void
    ) {
        self.lease = lease
        self.take = take
        self.give = give
    }

    /// Takes the capacity for a batch that is to begin at once; says whether there was some.
    public func take(_ members: Int, in queue: DeliveryQueue) -> Bool {
        guard take(queue, members) else { return false }
        taken.withLock { $0.append(Part(queue: queue, members: members)) }
        return true
    }

    /// Gives back whatever was taken: the transaction failed or is done once more.
    public func giveBack() {
        let parts = taken.withLock { parts in
            defer { parts = [] }
            return parts
        }
        for part in parts { give(part.queue, part.members) }
    }
}

/// The reservations that the dispatcher of this process gives to submissions, and the batches that come of them.
///
/// Without a dispatcher at work there are none, and whatever is submitted is found in the store.
public final class InlineDispatch: Sendable {
    /// What decides whether there is capacity.
    struct Reservations: Sendable {
        let lease: Lease
        let permits: QueuePermits
        let breakers: QueueBreakers
        let clock: any WallClock

        /// Only where nothing is in the queue's way, nothing older waits in it, and not in the half of its capacity that is for
        /// what waits.
        func take(_ members: Int, in queue: DeliveryQueue) -> Bool {
            breakers.width(of: queue, at: clock.now()) == nil
                && permits.acquireOfFirstHalf(BatchCapacity.weight(of: members), in: queue)
        }

        /// Gives the capacity for a batch back.
        func give(_ members: Int, in queue: DeliveryQueue) {
            permits.release(BatchCapacity.weight(of: members), in: queue)
        }
    }

    private struct State {
        var reservations: Reservations?
        /// Bounded by the permits, which each of them has taken.
        var waiting: [Batch] = []
    }

    private let state = Mutex(State())

    /// No dispatcher is at work yet.
    public init() {}

    /// A reservation for a submission, while a dispatcher is at work.
    func begin() -> Reservation? {
        state.withLock(\.reservations).map { reservations in
            Reservation(
                lease: reservations.lease,
                take: { reservations.take($1, in: $0) },
                give: { reservations.give($1, in: $0) }
            )
        }
    }

    /// Hands on what was leased with a reservation. Where the dispatcher has gone meanwhile, it waits in the store for the
    /// lease's end, or for the next start of the server.
    func hand(_ batches: [Batch], of reservation: Reservation) {
        let isTaken = state.withLock { state in
            guard let reservations = state.reservations, reservations.lease == reservation.lease else { return false }
            state.waiting += batches
            return true
        }
        if !isTaken { reservation.giveBack() }
    }

    /// Gives reservations from now on: a dispatcher is at work.
    func open(_ reservations: Reservations) { state.withLock { $0.reservations = reservations } }

    /// Gives none any more; what waits is still to be taken.
    func close() { state.withLock { $0.reservations = nil } }

    /// What was handed on since the last call.
    func takeWaiting() -> [Batch] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
