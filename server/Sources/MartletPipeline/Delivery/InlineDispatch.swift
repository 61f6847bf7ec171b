import MartletCore
import MartletStore
import MartletWire
import Synchronization

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

        /// Takes a batch's capacity: only where nothing is in the queue's way, nothing older waits in it, and not in the
        /// half of its capacity that is for what waits.
        func acquire(in queue: DeliveryQueue, isUrgent: Bool) -> Bool {
            !(presence?.isOver ?? false) && breakers.width(of: queue, at: clock.now()) == nil
                && permits[isUrgent: isUrgent].acquireOfFirstHalf(Reservation.limit, in: queue)
        }

        /// Gives the capacity for a batch back.
        func release(in queue: DeliveryQueue, isUrgent: Bool) {
            permits[isUrgent: isUrgent].release(Reservation.limit, in: queue)
        }
    }

    private struct State {
        var reservations: Reservations?
        /// Bounded by the permits, which each of them has taken.
        var waiting: [Batch] = []
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

    /// Hands on what was leased with a reservation, and gives back what of it was not needed. Where the dispatcher has gone
    /// meanwhile, it waits in the store for the lease's end, or for the next start of the server.
    func end(_ reservation: Reservation, leased batches: [Batch]) {
        let open = state.withLock { state in
            guard let reservations = state.reservations, reservations.lease == reservation.lease else {
                return nil as Reservations?
            }
            state.since = state.waiting.isEmpty ? reservation.since : min(state.since, reservation.since)
            state.waiting += batches
            return reservations
        }
        for queue in reservation.queues.subtracting(batches.map(\.queue)) {
            open?.release(in: queue, isUrgent: reservation.isUrgent)
        }
    }

    /// Gives reservations from now on: a dispatcher is at work.
    func open(_ reservations: Reservations) { state.withLock { $0.reservations = reservations } }

    /// Gives none any more; what waits is still to be taken.
    func close() { state.withLock { $0.reservations = nil } }

    /// What was handed on since the last call, and when the first of it was leased.
    func takeWaiting() -> (batches: [Batch], since: ContinuousClock.Instant) {
        state.withLock { state in
            defer { state.waiting = [] }
            return (state.waiting, state.since)
        }
    }
}
