public import Logging
public import NIOCore
import Synchronization

/// A few long-lived connections to one authority with one TLS identity.
///
/// Connections are opened on demand, one at a time, and more of them when those open are full. Requests that were
/// certainly not processed are sent again by another connection.
public final class HTTP2ClientPool: HTTP2Sender {
    /// A view of a pool at one moment.
    public struct Status: Sendable {
        /// The connections that take work.
        public var connections: [HTTP2ClientConnection.Status]
        /// How many only wait for their last answers.
        public var draining: Int
        /// Whether one is being opened.
        public var isConnecting: Bool
        /// Requests that wait for a connection.
        public var waiting: Int
        /// Why the last attempt failed, until a connection has given an answer.
        public var lastFailure: String?
        /// The result of all attempts to open one.
        public var history: History
    }

    /// How often connections were opened, and were not.
    public struct History: Sendable, Equatable {
        /// They were.
        public internal(set) var opened = 0
        /// They were not, by how far it came.
        public internal(set) var failures: [HTTP2ConnectError.Phase: Int] = [:]
        /// They were, and ended before the peer had answered anything.
        public internal(set) var unanswered = 0
    }

    private struct State {
        var machine: StateMachine<HTTP2ClientConnection>
        var history = History()
        /// Those that only wait for their last answers are here as well.
        var open: [Int: HTTP2ClientConnection] = [:]
        var wakeArmed: NIODeadline?

        /// The time for a timer that is not set yet, or nil when an earlier one is.
        mutating func nextWake() -> NIODeadline? {
            guard let wake = self.machine.wakeTime else { return nil }
            if let armed = self.wakeArmed, armed <= wake { return nil }
            self.wakeArmed = wake
            return wake
        }
    }

    private let configuration: HTTP2ClientPoolConfiguration
    private let group: any EventLoopGroup
    private let eventLoop: any EventLoop
    private let logger: Logger
    private let connector: HTTP2ClientConnector
    private let state: Mutex<State>

    /// A pool without connections; the first burst opens one.
    public init(_ configuration: HTTP2ClientPoolConfiguration, group: any EventLoopGroup, logger: Logger) {
        self.configuration = configuration
        self.group = group
        self.eventLoop = group.next()
        self.logger = logger
        self.connector = HTTP2ClientConnector(configuration.connection, logger: logger)
        let limits = Limits(
            connections: max(1, configuration.maxConnections),
            queuedRequests: configuration.maxQueuedRequests,
            refusals: configuration.maxRefusals,
            waitTimeout: configuration.waitTimeout,
            backOff: configuration.backOff,
            spareAfter: configuration.spareAfter
        )
        self.state = Mutex(State(machine: StateMachine(limits: limits) { Self.load(of: $0, configuration) }))
    }

    private static func load(of connection: HTTP2ClientConnection, _ configuration: HTTP2ClientPoolConfiguration)
        -> Load
    {
        let status = connection.status
        let throughput = connection.shared.throughput
        let outstanding = status.inFlight + status.queued
        let hasMore = Double(outstanding) > configuration.growthFactor * Double(status.streamLimit)
        // A connection that is warming up is meant to be slow; another one would only do the same.
        let isFull =
            status.state == .open && hasMore
            && (throughput.isBoundByDistance
                || throughput.drainTime(outstanding, streams: status.streamLimit, now: .now())
                    > configuration.growthDelay)
        return Load(
            outstanding: outstanding,
            queued: status.queued,
            streams: status.streamLimit,
            isFull: isFull,
            isSilent: status.isSilent
        )
    }

    // MARK: Requests

    /// Gives a burst to the least loaded connection, or keeps it until there is one.
    public func send(_ burst: HTTP2Burst) {
        if burst.count == 0 { return }
        self.perform { $0.submit(burst, now: .now()) }
    }

    /// Gives up requests that have no answer yet: those written are answered as lost, the others as unprocessed.
    public func cancel(_ burst: HTTP2Burst) {
        burst.cancel()
        self.perform { $0.removeEnded() }
        for connection in self.state.withLock({ Array($0.open.values) }) { connection.cancel(burst) }
    }

    /// Takes back requests that no stream has been opened for: they are answered as unprocessed, the others as ever.
    public func withdraw(_ burst: HTTP2Burst) {
        burst.withdraw()
        self.removeEnded()
    }

    /// Takes back requests of a template, and of those that share its permit, that no stream has been opened for: they
    /// are answered as unprocessed, and so are those sent from now on.
    public func withdraw(template: HTTP2RequestTemplate) {
        template.permit.withdraw()
        self.removeEnded()
    }

    private func removeEnded() {
        self.perform { $0.removeEnded() }
        for connection in self.state.withLock({ Array($0.open.values) }) { connection.removeEnded() }
    }

    /// Connections and waiting work at this moment.
    public var status: Status {
        self.state.withLock { state in
            Status(
                connections: state.machine.members.map(\.connection.status),
                draining: state.open.count - state.machine.members.count { state.open[$0.id] != nil },
                isConnecting: state.machine.isConnecting,
                waiting: state.machine.waitingCount,
                lastFailure: state.machine.lastFailure,
                history: state.history
            )
        }
    }

    // MARK: Connections

    /// Closes all connections gracefully and opens a new one: Apple wants that after ExpiredProviderToken.
    public func recycle() {
        self.perform { $0.recycle() }
    }

    /// Takes no more work, waits for answers at most `deadline`, closes.
    public func shutdown(within deadline: TimeAmount = .seconds(10)) async {
        self.perform { $0.shutDown() }
        let open = self.state.withLock { Array($0.open.values) }
        await withTaskGroup(of: Void.self) { group in
            for connection in open { group.addTask { await connection.close(within: deadline) } }
        }
    }

    private func connect(_ id: Int) {
        let shared = ClientShared(
            onStateChange: { self.changed(id, to: $0) },
            giveBack: { slices, reason in
                let now = NIODeadline.now()
                self.perform { machine in
                    slices.flatMap { machine.givenBack($0, by: id, reason: reason, now: now) }
                }
            }
        )
        self.connector.connect(on: self.group.next(), shared: shared).whenComplete { result in
            switch result {
            case .success(let connection):
                self.perform {
                    $0.opened(id, connection, now: .now())
                } also: {
                    $0.open[id] = connection
                    $0.history.opened += 1
                }
                // It may have changed its state before it was known here.
                self.changed(id, to: connection.status.state)
            case .failure(let error):
                let reason = "\(error)"
                self.logger.warning("no connection", metadata: ["reason": "\(reason)"])
                let phase = self.connector.connectError(error).phase
                self.perform { machine in
                    machine.connectFailed(id, reason: reason, jitter: .random(in: 0.8...1.2), now: .now())
                    return []
                } also: {
                    $0.history.failures[phase, default: 0] += 1
                }
            }
        }
    }

    private func changed(_ id: Int, to state: HTTP2ClientConnection.State) {
        let (reason, isClosed): (String, Bool)
        switch state {
        case .warming, .open: return
        case .draining(let text): (reason, isClosed) = (text, false)
        case .closed(let text): (reason, isClosed) = (text, true)
        }
        self.logger.info("connection ends", metadata: ["reason": "\(reason)"])
        guard let connection = self.state.withLock({ $0.open[id] }) else { return }
        let hadAnswers = connection.shared.hasAnswers
        let owesAnswers = !isClosed && !hadAnswers && connection.status.inFlight > 0
        self.perform { machine in
            machine.ended(
                id,
                hadAnswers: hadAnswers,
                owesAnswers: owesAnswers,
                reason: reason,
                jitter: .random(in: 0.8...1.2),
                now: .now()
            )
        } also: { state in
            if isClosed { state.open[id] = nil }
            if state.machine.awaitsEnd(of: id), !hadAnswers, !owesAnswers { state.history.unanswered += 1 }
        }
    }

    // MARK: Actions

    /// Asks the state machine under the lock and does what it says outside of it.
    private func perform(
        _ decide: @Sendable (inout StateMachine<HTTP2ClientConnection>) -> [StateMachine<HTTP2ClientConnection>.Action],
        also change: @Sendable (inout State) -> Void = { _ in }
    ) {
        let (actions, wake) = self.state.withLock { state in
            change(&state)
            let actions = decide(&state.machine)
            return (actions, state.nextWake())
        }
        if let wake { self.eventLoop.scheduleTask(deadline: wake) { self.wake(at: wake) } }
        for action in actions {
            switch action {
            case .connect(let id): self.connect(id)
            case .assign(let slice, let connection): connection.send(slice)
            case .takeBack(let count, let connection): connection.returnLast(count)
            case .reject(let slice, let reason): self.reject(slice, reason)
            case .drain(let connection, let reason):
                // What is in flight ends by its own deadline; the rest is room for the closing itself.
                connection.drain(reason, within: self.configuration.connection.requestTimeout + .seconds(1))
            }
        }
    }

    private func wake(at time: NIODeadline) {
        self.perform {
            $0.wake(now: .now())
        } also: { state in
            if state.wakeArmed == time { state.wakeArmed = nil }
        }
    }

    private func reject(_ slice: RequestSlice, _ reason: String) {
        self.eventLoop.execute { slice.fail(reason) }
    }
}
