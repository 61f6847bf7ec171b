public import Logging

/// Keeps the pipeline moving: reads audiences, works on batches, does the maintenance, until it is cancelled.
///
/// Any number of processes may run one over the same store; leases keep them apart.
public struct Dispatcher: Sendable {
    /// The bounds of one dispatcher.
    public struct Settings: Sendable {
        /// Deliveries under way in all, as ``BatchRoom`` counts them. Ours: 32 full batches.
        public var deliveries = 32 * MemberList.limit
        /// Deliveries under way of one app; the rest is left to other apps.
        public var deliveriesPerApp = 16 * MemberList.limit
        /// Deliveries under way in one lane; the rest is left to other lanes.
        public var deliveriesPerLane = 8 * MemberList.limit
        /// Audiences being read at the same time. Ours: each holds a part of a thousand endpoints.
        public var fanOuts = 8
        /// Audiences of one app being read at the same time; the rest is left to other apps.
        public var fanOutsPerApp = 4
        /// How long to wait before looking for work again when nothing rings: what another process wrote is found
        /// after this time at the latest.
        public var pollInterval: Duration = .seconds(1)
        /// When what is forgotten.
        public var retention = Retention()

        /// The defaults.
        public init() {}
    }

    private let store: any Store
    private let providers: [Platform: any Provider]
    private let clock: any WallClock
    private let bell: WorkBell
    private let starts: HeadStarts
    private let settings: Settings
    private let logger: Logger
    private let metrics: DeliveryMetrics
    private let breakers: LaneBreakers
    private let batchWorker: BatchWorker
    private let ticker: Ticker
    private let inHand = BatchesInHand()

    /// A dispatcher over a store and the providers that it sends through.
    ///
    /// - Parameters:
    ///   - starts: where submissions get the room to begin at once.
    ///   - metrics: what the interfaces show of what the pipeline does.
    ///   - breakers: what the interfaces show of the lanes' breakers.
    ///   - observer: who is told what became of deliveries.
    public init(
        store: any Store,
        providers: [Platform: any Provider],
        credentials: CredentialKeeper,
        clock: any WallClock,
        bell: WorkBell,
        starts: HeadStarts = HeadStarts(),
        metrics: DeliveryMetrics = DeliveryMetrics(),
        breakers: LaneBreakers = LaneBreakers(),
        observer: (any SettlementObserver)? = nil,
        settings: Settings = Settings(),
        logger: Logger
    ) {
        self.store = store
        self.providers = providers
        self.clock = clock
        self.bell = bell
        self.starts = starts
        self.settings = settings
        self.logger = logger
        self.metrics = metrics
        self.breakers = breakers
        ticker = Ticker(interval: BatchWorker.checkpointInterval, clock: clock)
        batchWorker = BatchWorker(
            store: store,
            providers: providers,
            credentials: credentials,
            clock: clock,
            metrics: metrics,
            breakers: breakers,
            observer: observer,
            logger: logger,
            ticker: ticker
        )
    }

    /// Works until the task is cancelled. Then it takes no new work, lets providers bring in the answers of what is in
    /// flight, records them, gives the leases back, and returns.
    public func run() async {
        let slots = LaneSlots(
            total: settings.deliveries,
            perApp: settings.deliveriesPerApp,
            perLane: settings.deliveriesPerLane
        )
        let lease = Dispatcher.newLease()
        starts.open(HeadStarts.Desk(lease: lease, slots: slots, inHand: inHand, breakers: breakers, clock: clock))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await readAudiences() }
            group.addTask { await workOnBatches(slots) }
            group.addTask { await workOnHeadStarts(lease, slots) }
            group.addTask { await ticker.run() }
            group.addTask { await poll() }
            group.addTask {
                await Maintenance(
                    store: store,
                    clock: clock,
                    bell: bell,
                    inHand: inHand,
                    retention: settings.retention,
                    metrics: metrics,
                    logger: logger
                ).run()
            }
        }
    }

    private func readAudiences() async {
        let worker = FanOutWorker(
            store: store,
            providers: Set(providers.keys),
            clock: clock,
            bell: bell,
            metrics: metrics,
            logger: logger
        )
        let slots = FanOutSlots(total: settings.fanOuts, perApp: settings.fanOutsPerApp)
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let rings = bell.rings(.audiences)
                let fanOuts = await leaseFanOuts(slots.free, share: slots.share)
                for fanOut in fanOuts {
                    slots.take(fanOut.notification.app)
                    group.addTask {
                        await worker.work(fanOut)
                        slots.give(fanOut.notification.app)
                        bell.ring(.audiences)
                    }
                }
                if fanOuts.isEmpty { await waitForWork(.audiences, after: rings) }
            }
        }
    }

    private func leaseFanOuts(_ limit: Int, share: FanOutShare) async -> [FanOut] {
        guard limit > 0 else { return [] }
        do {
            return try await store.leaseFanOuts(limit: limit, share: share, lease: Dispatcher.newLease())
        } catch {
            report(error, "reading due notifications failed and is tried again")
            return []
        }
    }

    private func workOnBatches(_ slots: LaneSlots) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let rings = bell.rings(.batches)
                var next: Timestamp?
                var taken = 0
                do {
                    let due = try await store.dueWork()
                    next = due.next
                    let lanes = due.lanes.filter { room(in: $0, slots).isFree }
                    let share = slots.share(amongLanes: lanes.count)
                    var behind = Set(due.lanes)
                    // One lane's trouble is not the others'; once a round is often enough to hear of it.
                    var trouble: (any Error)?
                    for lane in slots.leastTakenFirst(lanes) where !Task.isCancelled {
                        let lease = Dispatcher.newLease()
                        do {
                            let (batches, isAll) = try await self.lease(share, of: lane, lease, slots)
                            if isAll { behind.remove(lane) }
                            taken += batches.count
                            for batches in Batch.groups(batches) {
                                add(batches, lease: lease, to: &group, slots: slots)
                            }
                        } catch {
                            trouble = error
                        }
                    }
                    slots.note(behind: behind)
                    if let trouble { throw trouble }
                } catch {
                    report(error, "looking for due batches failed and is tried again")
                }
                metrics.show(batchesInFlight: slots.batches)
                if taken == 0 { await waitForWork(.batches, after: rings, until: next) }
            }
        }
    }

    /// Leases what there is room for in a lane, `share` at most, and takes slots for it; says whether that was all that is
    /// due.
    private func lease(
        _ share: Int,
        of lane: Lane,
        _ lease: Lease,
        _ slots: LaneSlots
    ) async throws -> (batches: [Batch], isAll: Bool) {
        var room = room(in: lane, slots)
        // Head starts must not take the same room meanwhile.
        let reserved = slots.reserve(min(room.deliveries, share), in: lane)
        defer { slots.release(reserved, in: lane) }
        room.deliveries = reserved
        guard room.isFree else { return ([], false) }
        let batches = try await store.leaseBatches(lane, room: room, lease: lease, except: inHand.rows)
        guard !batches.isEmpty else { return ([], true) }
        for batch in batches { room.take(batch.members.count) }
        let begun = inHand.begin(batches)
        guard !begun.isEmpty else { return ([], room.isFree) }
        breakers.lease(in: lane, at: clock.now())
        for batch in begun { slots.take(BatchRoom.weight(of: batch.members.count), in: lane) }
        return (begun, room.isFree)
    }

    /// Works on what was leased where it was accepted.
    private func workOnHeadStarts(_ lease: Lease, _ slots: LaneSlots) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let rings = bell.rings(.headStarts)
                let batches = starts.takeWaiting()
                metrics.show(batchesInFlight: slots.batches)
                for batches in Batch.groups(batches) { add(batches, lease: lease, to: &group, slots: slots) }
                if batches.isEmpty { await waitForWork(.headStarts, after: rings) }
            }
            // Those come too late to be sent: their workers, which are being stopped, give the leases back.
            starts.close()
            for batches in Batch.groups(starts.takeWaiting()) { add(batches, lease: lease, to: &group, slots: slots) }
        }
    }

    /// How much of a lane may be leased now: as the slots and the lane's breaker say.
    private func room(in lane: Lane, _ slots: LaneSlots) -> BatchRoom {
        let free = slots.free(in: lane)
        guard free > 0, let width = breakers.width(of: lane, at: clock.now()) else {
            return BatchRoom(deliveries: free)
        }
        return BatchRoom(batches: max(0, width - slots.batches(in: lane)), deliveries: free)
    }

    /// Works on batches that have taken their slots.
    private func add(
        _ batches: [Batch],
        lease: Lease,
        to group: inout DiscardingTaskGroup,
        slots: LaneSlots
    ) {
        // In full batches, which is what a breaker counts.
        let share = max(1, settings.deliveriesPerLane / MemberList.limit)
        group.addTask {
            await batchWorker.work(batches, lease: lease) { batch in
                // Before the slot is free, so that a probe is over before there is another one.
                breakers.end(in: batch.lane, share: share, at: clock.now())
                slots.give(BatchRoom.weight(of: batch.members.count), in: batch.lane)
                inHand.end(batch)
                bell.ring(.batches)
            }
        }
    }

    private func waitForWork(_ work: WorkBell.Work, after rings: UInt64, until next: Timestamp? = nil) async {
        // What comes due later than the next poll is found by it.
        let next = next.flatMap { $0 < clock.now() + settings.pollInterval ? $0 : nil }
        await bell.wait(for: work, after: rings, until: next, clock: clock)
    }

    /// Rings at every interval: one timer for all who wait, and not one for each time that they do. Sees too when the clock
    /// was set back by more than an interval.
    private func poll() async {
        var next = clock.now() + settings.pollInterval
        // What the store has not been told of yet.
        var setBack = Duration.zero
        while (try? await clock.sleep(for: settings.pollInterval)) != nil {
            let now = clock.now()
            if now < next - settings.pollInterval { setBack += next - now }
            if setBack > .zero, await bringForward(by: setBack) { setBack = .zero }
            next = now + settings.pollInterval
            bell.ring()
        }
    }

    /// Says whether it has been done.
    private func bringForward(by duration: Duration) async -> Bool {
        logger.warning(
            "the clock was set back; what waits for a further attempt is brought forward",
            metadata: ["seconds": "\(duration.components.seconds)"]
        )
        do {
            try await store.clockWasSetBack(by: duration)
            return true
        } catch {
            report(error, "what waits for a further attempt could not be brought forward, which is tried again")
            return false
        }
    }

    private func report(_ error: any Error, _ message: Logger.Message) {
        guard !(error is CancellationError) else { return }
        logger.error(message, metadata: ["error": "\(error)"])
    }

    private static func newLease() -> Lease { Lease(holder: Int64.random(in: 1...Int64.max)) }
}
