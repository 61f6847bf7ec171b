public import Logging
import Synchronization

/// The breakers of all queues of this process, each by itself: one that opens stops its own queue and no other.
///
/// A restart forgets them: what is in trouble then still opens them again with its first batch. The pipeline writes
/// them, the interfaces read them.
public final class QueueBreakers: Sendable {
    private let state = Mutex<[DeliveryQueue: Breaker]>([:])
    /// Those that are open because another process said so.
    private let adopted = Mutex<Set<DeliveryQueue>>([])
    private let logger: Logger

    /// Breakers that are all closed.
    public init(logger: Logger = Logger(label: "breakers", factory: { _ in SwiftLogNoOpLogHandler() })) {
        self.logger = logger
    }

    /// The breakers of all queues that were sent to, of one app or of all; closed ones too.
    public func all(of app: RowID<App>? = nil, at now: Timestamp) -> [DeliveryQueue: Breaker] {
        state.withLock { breakers in
            for queue in breakers.keys { breakers[queue]?.forget(at: now) }
            return breakers.filter { app == nil || $0.key.app == app }
        }
    }

    /// An app's that are not closed, in the order of platforms and environments.
    package func standing(of app: RowID<App>, at now: Timestamp) -> [(queue: DeliveryQueue, breaker: Breaker)] {
        all(of: app, at: now)
            .filter { $0.value.state != .closed }
            .map { (queue: $0.key, breaker: $0.value) }
            .sorted { $0.queue.word < $1.queue.word }
    }

    /// Lets queues be tried at once: what was in the way may have been mended.
    public func probe(_ queues: some Sequence<DeliveryQueue>) {
        state.withLock { breakers in
            for queue in queues { breakers[queue]?.probe() }
        }
    }

    /// Those that this process opened itself, for others to know.
    package func shared() -> [SharedBreaker] {
        let adopted = adopted.withLock(\.self)
        return state.withLock { breakers in
            breakers.compactMap { queue, breaker in
                guard case .open(let until) = breaker.state, !adopted.contains(queue) else { return nil }
                return SharedBreaker(queue: queue, until: until, openings: breaker.openings, reason: breaker.reason)
            }
        }
    }

    /// Opens those that other processes opened, and probes those that they closed again.
    package func adopt(_ others: [SharedBreaker], at now: Timestamp) {
        let open = Set(others.map(\.queue))
        adopted.withLock { adopted in
            state.withLock { breakers in
                for queue in adopted.subtracting(open) { breakers[queue]?.probe() }
                adopted.formIntersection(open)
                for other in others {
                    let before = breakers[other.queue, default: Breaker()]
                    breakers[other.queue, default: Breaker()].adopt(other, at: now)
                    // One that is open here too stays this process's own, for the others to know.
                    if case .open = before.state { continue }
                    if case .open = breakers[other.queue]?.state { adopted.insert(other.queue) }
                }
            }
        }
    }

    /// How many batches of a queue may be under way now; `nil` is any number.
    package func width(of queue: DeliveryQueue, at now: Timestamp) -> Int? {
        state.withLock { breakers in
            breakers[queue]?.forget(at: now)
            return breakers[queue]?.width(at: now)
        }
    }

    /// Notes that batches of a queue were leased.
    package func lease(in queue: DeliveryQueue, at now: Timestamp) { state.withLock { $0[queue]?.lease(at: now) } }

    /// Notes what a provider said to a queue's deliveries.
    ///
    /// - Parameter app: the app's name, for the log.
    package func note(_ outcomes: some Sequence<Outcome>, in queue: DeliveryQueue, of app: String, at now: Timestamp) {
        change(queue, of: app) { breaker in
            // One for all of them: a random number costs a system call.
            let jitter = QueueBreakers.jitter
            breaker.note(outcomes, at: now, jitter: jitter)
        }
    }

    /// Notes that a batch of a queue is over.
    package func end(in queue: DeliveryQueue, share: Int, at now: Timestamp) {
        state.withLock { breakers in
            breakers[queue, default: Breaker()].end(share: share, at: now, jitter: QueueBreakers.jitter)
        }
    }

    private func change(_ queue: DeliveryQueue, of app: String, _ body: (inout Breaker) -> Void) {
        let (before, after) = state.withLock { breakers in
            let before = breakers[queue, default: Breaker()]
            body(&breakers[queue, default: Breaker()])
            return (before, breakers[queue, default: Breaker()])
        }
        guard before.state != after.state else { return }
        var metadata = queue.metadata(app: app)
        switch (before.state, after.state) {
        case (.closed, .open):
            metadata["reason"] = "\(after.reason ?? "")"
            logger.error("a provider does not answer: its batches wait", metadata: metadata)
        case (.probing, .recovering): logger.notice("a provider answers again", metadata: metadata)
        default: break
        }
    }

    private static var jitter: Double { Double.random(in: RetryPolicy.jitter) }
}

extension DeliveryQueue {
    /// What the log says of a queue: the name of its app, which an operator knows, the platform and the environment.
    package func metadata(app: String) -> Logger.Metadata {
        ["app": "\(app)", "platform": "\(platform)", "environment": "\(environment)"]
    }
}
