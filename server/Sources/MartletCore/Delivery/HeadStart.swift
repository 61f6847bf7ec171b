import Synchronization

/// The head start of a submission: batches of a short audience are leased in the transaction that accepts them, and go to
/// the dispatcher of this process without another transaction and another look at the store.
///
/// It takes room as the store writes, and is held until the batches are through or ``giveBack()`` is called.
public final class HeadStart: Sendable {
    private struct Part {
        var lane: Lane
        var members: Int
    }

    /// What the batches are leased with.
    public let lease: Lease
    private let take: @Sendable (Lane, Int) -> Bool
    private let give: @Sendable (Lane, Int) -> Void
    private let taken = Mutex<[Part]>([])

    /// A head start over what takes room for a batch of so many deliveries, if there is some, and gives it back.
    public init(
        lease: Lease,
        take: @escaping @Sendable (Lane, Int) -> Bool,
        give: @escaping @Sendable (Lane, Int) -> Void
    ) {
        self.lease = lease
        self.take = take
        self.give = give
    }

    /// Takes the room for a batch that is to begin at once; says whether there was some.
    public func take(_ members: Int, in lane: Lane) -> Bool {
        guard take(lane, members) else { return false }
        taken.withLock { $0.append(Part(lane: lane, members: members)) }
        return true
    }

    /// Gives back whatever was taken: the transaction failed or is done once more.
    public func giveBack() {
        let parts = taken.withLock { parts in
            defer { parts = [] }
            return parts
        }
        for part in parts { give(part.lane, part.members) }
    }
}

/// The head starts that the dispatcher of this process gives to submissions, and the batches that come of them.
///
/// Without a dispatcher at work there are none, and whatever is submitted is found in the store.
public final class HeadStarts: Sendable {
    /// What decides whether there is room.
    struct Desk: Sendable {
        let lease: Lease
        let slots: LaneSlots
        let inHand: BatchesInHand
        let breakers: LaneBreakers
        let clock: any WallClock

        /// Only where nothing is in the lane's way, nothing older waits in it, and not in the half of its room that is for
        /// what waits.
        func take(_ members: Int, in lane: Lane) -> Bool {
            breakers.width(of: lane, at: clock.now()) == nil
                && slots.takeOfFirstHalf(BatchRoom.weight(of: members), in: lane)
        }

        /// Gives the room for a batch back.
        func give(_ members: Int, in lane: Lane) { slots.give(BatchRoom.weight(of: members), in: lane) }
    }

    private struct State {
        var desk: Desk?
        /// Bounded by the slots, which each of them has taken.
        var waiting: [Batch] = []
    }

    private let state = Mutex(State())

    /// No dispatcher is at work yet.
    public init() {}

    /// A head start for a submission, while a dispatcher is at work.
    func begin() -> HeadStart? {
        state.withLock(\.desk).map { desk in
            HeadStart(
                lease: desk.lease,
                take: { desk.take($1, in: $0) },
                give: { desk.give($1, in: $0) }
            )
        }
    }

    /// Hands on what was leased with a head start. Where the dispatcher has gone meanwhile, it waits in the store for the
    /// lease's end, or for the next start of the server.
    func hand(_ batches: [Batch], of start: HeadStart) {
        let isTaken = state.withLock { state in
            guard let desk = state.desk, desk.lease == start.lease else { return false }
            let begun = Set(desk.inHand.begin(batches).map(\.row))
            for batch in batches where !begun.contains(batch.row) { desk.give(batch.members.count, in: batch.lane) }
            state.waiting += batches.filter { begun.contains($0.row) }
            return true
        }
        if !isTaken { start.giveBack() }
    }

    /// Gives head starts from now on: a dispatcher is at work.
    func open(_ desk: Desk) { state.withLock { $0.desk = desk } }

    /// Gives none any more; what waits is still to be taken.
    func close() { state.withLock { $0.desk = nil } }

    /// What was handed on since the last call.
    func takeWaiting() -> [Batch] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
