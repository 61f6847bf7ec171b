public import Logging
import Synchronization

/// The breakers of all lanes of this process, each by itself: one that opens stops its own lane and no other.
///
/// A restart forgets them: what is in trouble then still opens them again with its first batch. The pipeline writes
/// them, the interfaces read them.
public final class LaneBreakers: Sendable {
    private let state = Mutex<[Lane: Breaker]>([:])
    private let logger: Logger

    /// Breakers that are all closed.
    public init(logger: Logger = Logger(label: "breakers", factory: { _ in SwiftLogNoOpLogHandler() })) {
        self.logger = logger
    }

    /// The breakers of all lanes that were sent to, of one app or of all; closed ones too.
    public func all(of app: RowID<App>? = nil, at now: Timestamp) -> [Lane: Breaker] {
        state.withLock { breakers in
            for lane in breakers.keys { breakers[lane]?.forget(at: now) }
            return breakers.filter { app == nil || $0.key.app == app }
        }
    }

    /// Lets lanes be tried at once: what was in the way may have been mended.
    public func probe(_ lanes: some Sequence<Lane>) {
        state.withLock { breakers in
            for lane in lanes { breakers[lane]?.probe() }
        }
    }

    /// How many batches of a lane may be under way now; `nil` is any number.
    func width(of lane: Lane, at now: Timestamp) -> Int? {
        state.withLock { breakers in
            breakers[lane]?.forget(at: now)
            return breakers[lane]?.width(at: now)
        }
    }

    /// Notes that batches of a lane were leased.
    func lease(in lane: Lane, at now: Timestamp) { state.withLock { $0[lane]?.lease(at: now) } }

    /// Notes what a provider said to a lane's deliveries.
    ///
    /// - Parameter app: the app's name, for the log.
    func note(_ outcomes: some Sequence<Outcome>, in lane: Lane, of app: String, at now: Timestamp) {
        change(lane, of: app) { breaker in
            // One for all of them: a random number costs a system call.
            let jitter = LaneBreakers.jitter
            breaker.note(outcomes, at: now, jitter: jitter)
        }
    }

    /// Notes that a batch of a lane is over.
    func end(in lane: Lane, share: Int, at now: Timestamp) {
        state.withLock { breakers in
            breakers[lane, default: Breaker()].end(share: share, at: now, jitter: LaneBreakers.jitter)
        }
    }

    private func change(_ lane: Lane, of app: String, _ body: (inout Breaker) -> Void) {
        let (before, after) = state.withLock { breakers in
            let before = breakers[lane, default: Breaker()]
            body(&breakers[lane, default: Breaker()])
            return (before, breakers[lane, default: Breaker()])
        }
        guard before.state != after.state else { return }
        var metadata = lane.metadata(app: app)
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

extension Lane {
    /// What the log says of a lane: the name of its app, which an operator knows, the platform and the environment.
    func metadata(app: String) -> Logger.Metadata {
        ["app": "\(app)", "platform": "\(platform)", "environment": "\(environment)"]
    }
}
