import Synchronization

/// How much work may be under way: in all, of each app and in each queue, so that a queue or an app that hangs leaves capacity
/// for the others. Counted in deliveries, as ``BatchCapacity`` weighs them.
final class QueuePermits: Sendable {
    private struct Taken {
        var batches = 0
        var weight = 0
    }

    private struct State {
        var total = 0
        var queues: [DeliveryQueue: Taken] = [:]
        var behind: Set<DeliveryQueue> = []

        func weight(of app: RowID<App>) -> Int {
            queues.reduce(0) { $1.key.app == app ? $0 + $1.value.weight : $0 }
        }

        func free(in queue: DeliveryQueue, _ permits: QueuePermits) -> Int {
            let (ofQueue, ofApp) = (queues[queue]?.weight ?? 0, weight(of: queue.app))
            let left = permits.total - total
            // After it the queue has no more than is left beside it: however many queues hang with all that they may have,
            // the next one finds half of what the last one left.
            return max(0, min((left - ofQueue) / 2, permits.perApp - ofApp, permits.perQueue - ofQueue))
        }

        mutating func add(_ weight: Int, batches: Int, in queue: DeliveryQueue) {
            total += weight
            var taken = queues[queue] ?? Taken()
            taken.batches += batches
            taken.weight += weight
            queues[queue] = taken.batches > 0 || taken.weight > 0 ? taken : nil
        }
    }

    private let state = Mutex(State())
    private let total: Int
    private let perApp: Int
    private let perQueue: Int

    init(total: Int, perApp: Int, perQueue: Int) {
        self.total = total
        self.perApp = perApp
        self.perQueue = perQueue
    }

    /// How much more of a queue may be taken now.
    func free(in queue: DeliveryQueue) -> Int {
        state.withLock { $0.free(in: queue, self) }
    }

    /// Takes what is free of a queue, but not more than `most`, until it is known how much of it is leased; says how much
    /// that is.
    func reserve(_ most: Int, in queue: DeliveryQueue) -> Int {
        state.withLock { state in
            let weight = min(most, state.free(in: queue, self))
            state.add(weight, batches: 0, in: queue)
            return weight
        }
    }

    /// Gives back what was reserved.
    func unreserve(_ weight: Int, in queue: DeliveryQueue) {
        state.withLock { $0.add(-weight, batches: 0, in: queue) }
    }

    /// Remembers the queues in which more is due than was leased.
    func note(behind queues: Set<DeliveryQueue>) { state.withLock { $0.behind = queues } }

    /// Counts a batch in, where after it at most half of what the queue, its app and all may have is taken, and nothing
    /// older waits in the queue; says whether it did.
    func acquireOfFirstHalf(_ weight: Int, in queue: DeliveryQueue) -> Bool {
        state.withLock { state in
            let (ofQueue, ofApp) = (state.queues[queue]?.weight ?? 0, state.weight(of: queue.app))
            guard !state.behind.contains(queue), (ofQueue + weight) * 2 <= perQueue, (ofApp + weight) * 2 <= perApp,
                (state.total + weight) * 2 <= total
            else { return false }
            state.add(weight, batches: 1, in: queue)
            return true
        }
    }

    /// How many batches of a queue are under way.
    func batches(in queue: DeliveryQueue) -> Int { state.withLock { $0.queues[queue]?.batches ?? 0 } }

    /// Queues with those first that have the least under way, equals in any order: a permit that becomes free does not
    /// always go to the same queues while others wait.
    func leastTakenFirst(_ queues: [DeliveryQueue]) -> [DeliveryQueue] {
        let taken = state.withLock(\.queues)
        return queues.shuffled().sorted { taken[$0]?.weight ?? 0 < taken[$1]?.weight ?? 0 }
    }

    /// How much each of so many queues may take in one round, so that the first one leaves capacity for the rest.
    func share(amongQueues count: Int) -> Int {
        state.withLock { max(1, (total - $0.total) / max(1, count)) }
    }

    /// Counts a batch in.
    func acquire(_ weight: Int, in queue: DeliveryQueue) {
        state.withLock { $0.add(weight, batches: 1, in: queue) }
    }

    /// Counts a batch out.
    func release(_ weight: Int, in queue: DeliveryQueue) {
        state.withLock { $0.add(-weight, batches: -1, in: queue) }
    }

    /// How many batches are under way.
    var batches: Int { state.withLock { $0.queues.values.reduce(0) { $0 + $1.batches } } }
}

/// How many audiences may be read at the same time: in all, and of each app.
final class FanOutPermits: Sendable {
    private let taken = Mutex<[RowID<App>: Int]>([:])
    private let total: Int
    private let perApp: Int

    init(total: Int, perApp: Int) {
        self.total = total
        self.perApp = perApp
    }

    /// How many more may be read now.
    var free: Int { taken.withLock { max(0, total - $0.values.reduce(0, +)) } }

    /// How many of each app may be and are read.
    var share: FanOutShare { FanOutShare(perApp: perApp, taken: taken.withLock { $0 }) }

    /// Counts one in.
    func acquire(_ app: RowID<App>) { taken.withLock { $0[app, default: 0] += 1 } }

    /// Counts one out.
    func release(_ app: RowID<App>) {
        taken.withLock { taken in taken[app] = taken[app].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }
}
