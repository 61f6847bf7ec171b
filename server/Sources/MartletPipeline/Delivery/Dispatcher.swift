public import Logging
public import MartletCore
public import MartletStore
public import MartletWire

/// Keeps the pipeline moving: reads audiences, works on batches, does the maintenance, until it is cancelled.
///
/// Any number of processes may run one over the same store; leases keep them apart.
public struct Dispatcher: Sendable {
    /// Is told the results of deliveries once they are recorded: at most once, and not at all when the process ends in
    /// between, so that what must not be lost belongs into the settlement itself. It returns at once: a batch waits for it.
    public typealias SettlementHandler = @Sendable (Settlement) -> Void

    private let store: Store
    private let providers: [Platform: any Provider]
    private let clock: any WallClock
    private let wakeUps: WakeUps
    private let inlineDispatch: InlineDispatch
    private let settings: DispatcherSettings
    private let logger: Logger
    private let metrics: DeliveryMetrics
    private let breakers: QueueBreakers
    private let batchWorker: BatchWorker
    private let sends: InlineSends
    private let ticker: Ticker
    private let process = Lease.newNumber()
    /// For how long others take this process for alive. Nothing is leased or sent without it: after a while in which the
    /// store was away, or this process stood still, what it knows of leases is old.
    package let presence: LeaseTerm?

    /// A dispatcher over a store and the providers that it sends through.
    ///
    /// - Parameters:
    ///   - inlineDispatch: where submissions get the capacity to begin at once.
    ///   - metrics: what the interfaces show of what the pipeline does.
    ///   - breakers: what the interfaces show of the queues' breakers.
    ///   - isShared: whether other processes may work on the same store.
    ///   - onSettlement: is told the results of deliveries.
    public init(
        store: Store,
        providers: [Platform: any Provider],
        credentials: CredentialService,
        clock: any WallClock,
        wakeUps: WakeUps,
        inlineDispatch: InlineDispatch,
        metrics: DeliveryMetrics,
        breakers: QueueBreakers,
        onSettlement: SettlementHandler? = nil,
        settings: DispatcherSettings = DispatcherSettings(),
        isShared: Bool = false,
        logger: Logger
    ) {
        self.store = store
        self.providers = providers
        self.clock = clock
        self.wakeUps = wakeUps
        self.inlineDispatch = inlineDispatch
        self.settings = settings
        self.logger = logger
        self.metrics = metrics
        self.breakers = breakers
        ticker = Ticker(interval: BatchWorker.checkpointInterval, clock: clock)
        // Over, until others have heard of it.
        presence = isShared ? LeaseTerm(of: Presence.timeout) : nil
        batchWorker = BatchWorker(
            store: store,
            providers: providers,
            credentials: credentials,
            clock: clock,
            metrics: metrics,
            breakers: breakers,
            onSettlement: onSettlement,
            wakeUps: wakeUps,
            logger: logger,
            ticker: ticker,
            presence: presence
        )
        sends = InlineSends(worker: batchWorker)
    }

    /// Works until the task is cancelled. Then it takes no new work, lets providers bring in the answers of what is in
    /// flight, records them, gives the leases back, and returns.
    public func run() async {
        let permits = DeliveryPermits(settings)
        let lease = Lease.new(process: process)
        inlineDispatch.open(
            InlineDispatch.Reservations(
                lease: lease,
                permits: permits,
                breakers: breakers,
                clock: clock,
                presence: presence
            ) { [self] ready, start in
                guard let context = ready.context else { return false }
                let begins = sends.begin(ready.batch, in: context, lease: lease, since: start) {
                    end($0, permits, isUrgent: $0.class == .transactional, isInline: true)
                }
                if begins { metrics.show(batchesInFlight: permits.batches) }
                return begins
            }
        )
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await readAudiences() }
            group.addTask { await workOnBatches(permits) }
            group.addTask { await workInline(lease, permits) }
            group.addTask { await sends.run() }
            group.addTask { await ticker.run() }
            group.addTask { await poll() }
            group.addTask {
                await Maintenance(
                    store: store,
                    clock: clock,
                    wakeUps: wakeUps,
                    process: process,
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
            providers: providers,
            clock: clock,
            wakeUps: wakeUps,
            metrics: metrics,
            logger: logger
        )
        let permits = FanOutPermits(total: settings.fanOuts, perApp: settings.fanOutsPerApp)
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let count = wakeUps.count(of: .audiences)
                let fanOuts = await leaseFanOuts(permits.free, share: permits.share)
                for fanOut in fanOuts {
                    permits.acquire(fanOut.notification.app)
                    group.addTask {
                        await worker.work(fanOut)
                        permits.release(fanOut.notification.app)
                        wakeUps.notify(.audiences)
                    }
                }
                if fanOuts.isEmpty { await waitForWork(.audiences, after: count) }
            }
        }
    }

    private func leaseFanOuts(_ limit: Int, share: FanOutShare) async -> [FanOut] {
        guard limit > 0, isPresent else { return [] }
        do {
            return try await store.leaseFanOuts(limit: limit, share: share, lease: Lease.new(process: process))
        } catch {
            report(error, "reading due notifications failed and is tried again")
            return []
        }
    }

    private var isPresent: Bool { !(presence?.isOver ?? false) }

    private func workOnBatches(_ permits: DeliveryPermits) async {
        await withDiscardingTaskGroup { group in
            var bulk = BulkTurn()
            while !Task.isCancelled {
                let count = wakeUps.count(of: .batches)
                guard isPresent else {
                    await waitForWork(.batches, after: count)
                    continue
                }
                var next: Timestamp?
                var taken = 0
                do {
                    let due = try await store.dueWork()
                    next = due.next
                    bulk.keep(due.queues)
                    let urgent = due.queues.filter(due.urgent.contains)
                    taken += try await lease(urgent, only: .transactional, permits, &group)
                    let turn = due.queues.filter(bulk.isDue)
                    taken += try await lease(turn, only: .bulk, permits, &group) { queue, batches in
                        bulk.note(batches, in: queue, wasTurn: true)
                    }
                    taken += try await lease(due.queues, only: nil, permits, &group) { queue, batches in
                        bulk.note(batches, in: queue, wasTurn: false)
                    }
                } catch {
                    report(error, "looking for due batches failed and is tried again")
                }
                metrics.show(batchesInFlight: permits.batches)
                if taken == 0 { await waitForWork(.batches, after: count, until: next) }
            }
        }
    }

    /// Leases what there is capacity for in some queues, of one class or of any, and begins to work on it; says how many
    /// batches that were.
    private func lease(
        _ due: [DeliveryQueue],
        only: NotificationClass?,
        _ all: DeliveryPermits,
        _ group: inout DiscardingTaskGroup,
        note: (DeliveryQueue, [Batch]) -> Void = { _, _ in }
    ) async throws -> Int {
        let permits = all[isUrgent: only == .transactional]
        let releases = permits.releases
        let queues = due.filter { capacity(in: $0, only, all).isFree }
        let share = permits.share(amongQueues: queues.count)
        var behind = Set(due)
        var taken = 0
        // One queue's trouble is not the others'; once a round is often enough to hear of it.
        var failure: (any Error)?
        for queue in permits.leastTakenFirst(queues) where !Task.isCancelled {
            let lease = Lease.new(process: process)
            let start = ContinuousClock.now
            do {
                let (batches, isAll) = try await self.lease(share, only, of: queue, lease, all)
                if isAll { behind.remove(queue) }
                taken += batches.count
                note(queue, batches)
                for batches in Batch.groups(batches) {
                    add(batches, lease: lease, since: start, to: &group, all, isUrgent: only == .transactional)
                }
            } catch {
                failure = error
            }
        }
        if permits.note(behind: behind, since: releases) { wakeUps.notify(.batches) }
        if let failure { throw failure }
        return taken
    }

    /// Leases what there is capacity for in a queue, `share` at most, and takes permits for it; says whether that was all that is
    /// due.
    private func lease(
        _ share: Int,
        _ only: NotificationClass?,
        of queue: DeliveryQueue,
        _ lease: Lease,
        _ all: DeliveryPermits
    ) async throws -> (batches: [Batch], isAll: Bool) {
        let permits = all[isUrgent: only == .transactional]
        var capacity = capacity(in: queue, only, all)
        // Inline dispatch must not take the same capacity meanwhile.
        let reserved = permits.reserve(min(capacity.deliveries, share), in: queue)
        defer { permits.unreserve(reserved, in: queue) }
        capacity.deliveries = reserved
        guard capacity.isFree else { return ([], false) }
        let leased = try await store.leaseBatches(queue, capacity: capacity, lease: lease)
        metrics.count(leased.suppressions, of: queue.app)
        let batches = leased.batches
        guard !batches.isEmpty else { return ([], true) }
        for batch in batches { capacity.take(batch.members.count) }
        breakers.lease(in: queue, at: clock.now())
        for batch in batches { permits.acquire(BatchCapacity.weight(of: batch.members.count), in: queue) }
        return (batches, capacity.isFree)
    }

    /// Works on what was leased where it was accepted.
    private func workInline(_ lease: Lease, _ permits: DeliveryPermits) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let count = wakeUps.count(of: .inlineDispatch)
                let waiting = inlineDispatch.takeWaiting()
                metrics.show(batchesInFlight: permits.batches)
                add(waiting, lease: lease, to: &group, permits)
                if waiting.batches.isEmpty { await waitForWork(.inlineDispatch, after: count) }
            }
            // Those come too late to be sent: their workers, which are being stopped, give the leases back.
            inlineDispatch.close()
            add(inlineDispatch.takeWaiting(), lease: lease, to: &group, permits)
        }
    }

    /// Works on what was leased with reservations, each class by the permits that its reservation took.
    private func add(
        _ waiting: (batches: [InlineBatch], since: ContinuousClock.Instant),
        lease: Lease,
        to group: inout DiscardingTaskGroup,
        _ permits: DeliveryPermits
    ) {
        for isUrgent in [true, false] {
            let part = waiting.batches.map(\.batch).filter { ($0.class == .transactional) == isUrgent }
            for batches in Batch.groups(part) {
                add(
                    batches,
                    lease: lease,
                    since: waiting.since,
                    to: &group,
                    permits,
                    isUrgent: isUrgent,
                    isInline: true
                )
            }
        }
    }

    /// How much of a queue may be leased now: as the permits and the queue's breaker say.
    private func capacity(
        in queue: DeliveryQueue,
        _ only: NotificationClass?,
        _ permits: DeliveryPermits
    ) -> BatchCapacity {
        let free = permits[isUrgent: only == .transactional].free(in: queue)
        guard free > 0, let width = breakers.width(of: queue, at: clock.now()) else {
            return BatchCapacity(deliveries: free, only: only)
        }
        let batches = max(0, width - permits.batches(in: queue))
        return BatchCapacity(batches: batches, deliveries: free, only: only)
    }

    /// Works on batches that have taken their permits. What was leased where it was accepted takes part in no order of the
    /// store's, so that its end lets no other batch begin but one that waits for its permits.
    private func add(
        _ batches: [Batch],
        lease: Lease,
        since start: ContinuousClock.Instant,
        to group: inout DiscardingTaskGroup,
        _ permits: DeliveryPermits,
        isUrgent: Bool,
        isInline: Bool = false
    ) {
        group.addTask {
            await batchWorker.work(batches, lease: lease, since: start, by: sends) {
                end($0, permits, isUrgent: isUrgent, isInline: isInline)
            }
        }
    }

    /// Counts a batch out that is through.
    private func end(_ batch: Batch, _ permits: DeliveryPermits, isUrgent: Bool, isInline: Bool) {
        // In full batches, which is what a breaker counts. Before the permits are free, so that a probe is over before
        // there is another one.
        let share = max(1, settings.deliveriesPerQueue / MemberList.limit)
        breakers.end(in: batch.queue, share: share, at: clock.now())
        let weight = BatchCapacity.weight(of: batch.members.count)
        let isOtherDue = permits[isUrgent: isUrgent].release(weight, in: batch.queue)
        metrics.show(batchesInFlight: permits.batches)
        // A breaker's width is of both classes, and either may wait for it.
        let isNarrow = breakers.width(of: batch.queue, at: clock.now()) != nil
        if isOtherDue || isNarrow || !isInline { wakeUps.notify(.batches) }
    }

    private func waitForWork(_ work: WakeUps.Work, after count: UInt64, until next: Timestamp? = nil) async {
        // What comes due later than the next poll is found by it.
        let next = next.flatMap { $0 < clock.now() + settings.pollInterval ? $0 : nil }
        await wakeUps.wait(for: work, after: count, until: next, clock: clock)
    }

    /// Notifies at every interval: one timer for all who wait, and not one for each time that they do. Sees too when the clock
    /// was set back by more than an interval.
    private func poll() async {
        var next = clock.now() + settings.pollInterval
        // What the store has not been told of yet.
        var setBack = Duration.zero
        if presence != nil {
            await meetOthers()
            wakeUps.notify()
        }
        while (try? await clock.sleep(for: settings.pollInterval)) != nil {
            let now = clock.now()
            if now < next - settings.pollInterval { setBack += next - now }
            if setBack > .zero, await bringForward(by: setBack) { setBack = .zero }
            next = now + settings.pollInterval
            await meetOthers()
            wakeUps.notify()
        }
    }

    /// Shares the breakers with other processes on the store.
    private func meetOthers() async {
        do {
            let start = ContinuousClock.now
            let others = try await store.poll(process: process, breakers: breakers.shared())
            presence?.renew(since: start)
            breakers.adopt(others, at: clock.now())
        } catch {
            report(error, "other servers on the database were not heard of, which is tried again")
        }
    }

    /// Says whether it has been done.
    private func bringForward(by duration: Duration) async -> Bool {
        logger.warning(
            "the clock was set back; retries that wait are brought forward",
            metadata: ["seconds": "\(duration.components.seconds)"]
        )
        do {
            try await store.clockWasSetBack(by: duration)
            return true
        } catch {
            report(error, "waiting retries could not be brought forward, which is tried again")
            return false
        }
    }

    private func report(_ error: any Error, _ message: Logger.Message) {
        guard !(error is CancellationError) else { return }
        logger.error(message, metadata: ["error": "\(error)"])
    }
}

extension DeliveryPermits {
    init(_ settings: DispatcherSettings) {
        let share = DispatcherSettings.urgentShare
        self.init(
            ordinary: QueuePermits(
                total: settings.deliveries,
                perApp: settings.deliveriesPerApp,
                perQueue: settings.deliveriesPerQueue
            ),
            urgent: QueuePermits(
                total: settings.urgentDeliveries,
                perApp: settings.deliveriesPerApp / share,
                perQueue: settings.deliveriesPerQueue / share
            )
        )
    }
}
