import MartletCore
import MartletStore
import MartletWire
import Synchronization

/// A batch that was leased where it was accepted, with what its attempt needs, as it was then: the dispatcher reads it
/// again where that is not known.
struct InlineBatch: Sendable, Hashable {
    var batch: Batch
    var context: AttemptContext?
}

/// The reservations that the dispatcher of this process gives to submissions, and the batches that come of them.
///
/// Without a dispatcher at work there are none, and whatever is submitted is found in the store.
public final class InlineDispatch: Sendable {
    /// What decides whether there is capacity.
    struct Reservations: Sendable {
        let lease: Lease
        let permits: DeliveryPermits
        let breakers: QueueBreakers
        let clock: any WallClock
        var presence: LeaseTerm?
        /// Begins to send a batch, where it can be begun at once.
        var begin: @Sendable (InlineBatch, ContinuousClock.Instant) -> Bool = { _, _ in false }

        /// Takes a batch's capacity: only where nothing is in the queue's way, nothing older waits in it, and not in the
        /// half of its capacity that is for what waits.
        func acquire(in queue: DeliveryQueue, isUrgent: Bool) -> Bool {
            !(presence?.isOver ?? false) && breakers.width(of: queue, at: clock.now()) == nil
                && permits[isUrgent: isUrgent].acquireOfFirstHalf(Reservation.limit, in: queue)
        }

        /// Gives the capacity for a batch back.
        func release(in queue: DeliveryQueue, isUrgent: Bool) -> Bool {
            permits[isUrgent: isUrgent].release(Reservation.limit, in: queue)
        }
    }

    private struct State {
        var reservations: Reservations?
        /// Bounded by the permits, which each of them has taken.
        var waiting: [InlineBatch] = []
        /// When the oldest of their reservations began.
        var since = ContinuousClock.now
    }

    private let state = Mutex(State())

    /// No dispatcher is at work yet.
    public init() {}

    /// A reservation for a submission to some queues, while a dispatcher is at work and has capacity.
    func begin(_ queues: Set<DeliveryQueue>, of class: NotificationClass) -> Reservation? {
        guard let reservations = state.withLock(\.reservations) else { return nil }
        let isUrgent = `class` == .transactional
        let acquired = queues.filter { reservations.acquire(in: $0, isUrgent: isUrgent) }
        guard !acquired.isEmpty else { return nil }
        var reservation = Reservation(lease: reservations.lease, queues: acquired)
        reservation.isUrgent = isUrgent
        return reservation
    }

    /// Hands on what was leased with a reservation, and gives back what of it was not needed; says whether other batches
    /// may have waited for that. Where the dispatcher has gone meanwhile, it waits in the store for the lease's end, or for
    /// the next start of the server.
    @discardableResult
    func end(_ reservation: Reservation, leased batches: [InlineBatch]) -> Bool {
        guard let open = state.withLock(\.reservations), open.lease == reservation.lease else { return false }
        let waiting = batches.filter { !open.begin($0, reservation.since) }
        if !waiting.isEmpty { wait(waiting, for: reservation) }
        let unneeded = reservation.queues.subtracting(batches.map(\.batch.queue))
        return unneeded.reduce(false) { open.release(in: $1, isUrgent: reservation.isUrgent) || $0 }
    }

    private func wait(_ batches: [InlineBatch], for reservation: Reservation) {
        state.withLock { state in
            guard state.reservations?.lease == reservation.lease else { return }
            state.since = state.waiting.isEmpty ? reservation.since : min(state.since, reservation.since)
            state.waiting += batches
        }
    }

    /// Whether something waits for the dispatcher.
    var hasWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Gives reservations from now on: a dispatcher is at work.
    func open(_ reservations: Reservations) { state.withLock { $0.reservations = reservations } }

    /// Gives none any more; what waits is still to be taken.
    func close() { state.withLock { $0.reservations = nil } }

    /// What was handed on since the last call, and when the first of it was leased.
    func takeWaiting() -> (batches: [InlineBatch], since: ContinuousClock.Instant) {
        state.withLock { state in
            defer { state.waiting = [] }
            return (state.waiting, state.since)
        }
    }
}
