import MartletWire
import Synchronization

/// How much work may be under way: in all, and in each queue, so that a queue that hangs leaves capacity for the others. A
/// pure value: a store that leases takes from a copy of it.
public struct Permits<Queue: Hashable & Sendable>: Sendable, Hashable {
    /// How much may be under way in all.
    public let total: Int
    /// How much of each queue is under way.
    public private(set) var taken: [Queue: Int] = [:]
    /// How much more may be under way in all.
    public private(set) var left: Int
    private let perQueue: Int

    package init(total: Int, perQueue: Int) {
        (self.total, self.perQueue) = (total, perQueue)
        left = total
    }

    /// How much more of a queue may be taken now.
    ///
    /// After it the queue has no more than is left beside it: however many queues hang with all that they may have, the
    /// next one finds half of what the last one left.
    public func free(in queue: Queue) -> Int {
        let ofQueue = taken[queue] ?? 0
        return max(0, min((left - ofQueue + 1) / 2, perQueue - ofQueue))
    }

    /// Counts work in.
    public mutating func acquire(_ weight: Int, in queue: Queue) {
        left -= weight
        let ofQueue = (taken[queue] ?? 0) + weight
        taken[queue] = ofQueue > 0 ? ofQueue : nil
    }

    /// Counts work out.
    public mutating func release(_ weight: Int, in queue: Queue) { acquire(-weight, in: queue) }

    /// Whether after so much more at most half of what the queue and all may have is taken.
    package func isInFirstHalf(_ weight: Int, in queue: Queue) -> Bool {
        ((taken[queue] ?? 0) + weight) * 2 <= perQueue && (total - left + weight) * 2 <= total
    }
}

/// The permits of batches, which are bounded for each app too. Counted in deliveries, as ``BatchCapacity`` weighs them.
package final class QueuePermits: Sendable {
    private struct State {
        var permits: Permits<DeliveryQueue>
        let perApp: Int
        var batches: [DeliveryQueue: Int] = [:]
        var behind: Set<DeliveryQueue> = []
        var releases: UInt64 = 0

        func weight(of app: RowID<App>) -> Int {
            permits.taken.reduce(0) { $1.key.app == app ? $0 + $1.value : $0 }
        }

        func free(in queue: DeliveryQueue) -> Int {
            max(0, min(permits.free(in: queue), perApp - weight(of: queue.app)))
        }

        mutating func acquire(_ weight: Int, in queue: DeliveryQueue) {
            permits.acquire(weight, in: queue)
            batches[queue, default: 0] += 1
        }
    }

    private let state: Mutex<State>

    package init(total: Int, perApp: Int, perQueue: Int) {
        state = Mutex(State(permits: Permits(total: total, perQueue: perQueue), perApp: perApp))
    }

    /// How much more of a queue may be taken now.
    package func free(in queue: DeliveryQueue) -> Int { state.withLock { $0.free(in: queue) } }

    /// Takes what is free of a queue, but not more than `most`, until it is known how much of it is leased; says how much
    /// that is.
    package func reserve(_ most: Int, in queue: DeliveryQueue) -> Int {
        state.withLock { state in
            let weight = min(most, state.free(in: queue))
            state.permits.acquire(weight, in: queue)
            return weight
        }
    }

    /// Gives back what was reserved.
    package func unreserve(_ weight: Int, in queue: DeliveryQueue) {
        state.withLock { $0.permits.release(weight, in: queue) }
    }

    /// How many batches were counted out so far.
    package var releases: UInt64 { state.withLock(\.releases) }

    /// Remembers the queues in which more is due than was leased; says whether some of it may be leased by now, because
    /// batches were counted out since there were `releases`.
    package func note(behind queues: Set<DeliveryQueue>, since releases: UInt64) -> Bool {
        state.withLock { state in
            state.behind = queues
            return !queues.isEmpty && state.releases != releases
        }
    }

    /// Counts a batch in, where after it at most half of what the queue, its app and all may have is taken, and nothing
    /// older waits in the queue; says whether it did.
    package func acquireOfFirstHalf(_ weight: Int, in queue: DeliveryQueue) -> Bool {
        state.withLock { state in
            guard !state.behind.contains(queue), state.permits.isInFirstHalf(weight, in: queue),
                (state.weight(of: queue.app) + weight) * 2 <= state.perApp
            else { return false }
            state.acquire(weight, in: queue)
            return true
        }
    }

    /// How many batches of a queue are under way.
    package func batches(in queue: DeliveryQueue) -> Int { state.withLock { $0.batches[queue] ?? 0 } }

    /// Queues with those first that have the least under way, equals in any order: a permit that becomes free does not
    /// always go to the same queues while others wait.
    package func leastTakenFirst(_ queues: [DeliveryQueue]) -> [DeliveryQueue] {
        let taken = state.withLock(\.permits.taken)
        return queues.shuffled().sorted { taken[$0] ?? 0 < taken[$1] ?? 0 }
    }

    /// How much each of so many queues may take in one round, so that the first one leaves capacity for the rest.
    package func share(amongQueues count: Int) -> Int {
        state.withLock { max(1, $0.permits.left / max(1, count)) }
    }

    /// Counts a batch in.
    package func acquire(_ weight: Int, in queue: DeliveryQueue) { state.withLock { $0.acquire(weight, in: queue) } }

    /// Counts a batch out; says whether more is due somewhere, which it may have kept from being leased.
    @discardableResult
    package func release(_ weight: Int, in queue: DeliveryQueue) -> Bool {
        state.withLock { state in
            state.permits.release(weight, in: queue)
            state.batches[queue] = state.batches[queue].flatMap { $0 > 1 ? $0 - 1 : nil }
            state.releases &+= 1
            return !state.behind.isEmpty
        }
    }

    /// How many batches are under way.
    package var batches: Int { state.withLock { $0.batches.values.reduce(0, +) } }
}

/// The permits of a dispatcher. What is `transactional` has some of its own: however much else is under way, it begins at
/// once.
package struct DeliveryPermits: Sendable {
    package let ordinary: QueuePermits
    package let urgent: QueuePermits

    package init(ordinary: QueuePermits, urgent: QueuePermits) {
        self.ordinary = ordinary
        self.urgent = urgent
    }

    package subscript(isUrgent isUrgent: Bool) -> QueuePermits { isUrgent ? urgent : ordinary }

    /// How many batches are under way.
    package var batches: Int { ordinary.batches + urgent.batches }

    /// How many batches of a queue are under way, which is what a breaker counts.
    package func batches(in queue: DeliveryQueue) -> Int { ordinary.batches(in: queue) + urgent.batches(in: queue) }
}

/// When a queue's `bulk` batches have their turn before what is more urgent: a tenth of what is sent stays for them. A pure
/// value.
package struct BulkTurn: Sendable, Hashable {
    /// Deliveries of other classes after which it is their turn. Ours: nine full batches.
    package static let interval = 9 * MemberList.limit

    /// Deliveries of other classes since the last turn, by queue.
    private var others: [DeliveryQueue: Int] = [:]

    package init() {}

    /// Whether it is their turn in a queue.
    package func isDue(in queue: DeliveryQueue) -> Bool { others[queue, default: 0] >= BulkTurn.interval }

    /// Counts what was leased; a turn in which there was nothing for them is over too.
    package mutating func note(_ batches: [Batch], in queue: DeliveryQueue, wasTurn: Bool) {
        let isOver = wasTurn || batches.contains { $0.class == .bulk }
        others[queue] = isOver ? nil : others[queue, default: 0] + batches.reduce(0) { $0 + $1.members.count }
    }

    /// Forgets queues in which nothing is due.
    package mutating func keep(_ queues: [DeliveryQueue]) { others = others.filter { queues.contains($0.key) } }
}

/// How many audiences may be read at the same time: in all, and of each app.
package final class FanOutPermits: Sendable {
    private let taken = Mutex<[RowID<App>: Int]>([:])
    private let total: Int
    private let perApp: Int

    package init(total: Int, perApp: Int) {
        self.total = total
        self.perApp = perApp
    }

    /// How many more may be read now.
    package var free: Int { taken.withLock { max(0, total - $0.values.reduce(0, +)) } }

    /// How many of each app may be and are read.
    package var share: FanOutShare { FanOutShare(perApp: perApp, taken: taken.withLock { $0 }) }

    /// Counts one in.
    package func acquire(_ app: RowID<App>) { taken.withLock { $0[app, default: 0] += 1 } }

    /// Counts one out.
    package func release(_ app: RowID<App>) {
        taken.withLock { taken in taken[app] = taken[app].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }
}
