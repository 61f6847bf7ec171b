public import Logging
public import NIOCore
import NIOSSL
import Synchronization

/// One HTTP/2 connection of a client, from its peer's first SETTINGS until it is closed.
///
/// It stays open when it is released: ``close(within:)`` it.
public final class HTTP2ClientConnection: HTTP2Sender {
    /// What a connection is good for.
    public enum State: Sendable, Equatable {
        /// One stream at a time until an answer satisfies ``HTTP2ClientConfiguration/oneStreamUntil``.
        case warming
        /// In full use.
        case open
        /// Takes no more requests, waits for answers; with the reason, for GOAWAY the peer's own words.
        case draining(String)
        /// Gone.
        case closed(String)
    }

    /// A view of a connection at one moment.
    public struct Status: Sendable, Equatable {
        /// What it is good for.
        public var state: State
        /// Requests submitted and not answered.
        public var inFlight: Int
        /// Requests that wait for a stream.
        public var queued: Int
        /// How many streams may be open now: the smaller of the peer's bound and ours.
        public var streamLimit: Int
        /// Whether a request's whole time has passed without an answer to any request, and none has come since.
        public var isSilent: Bool
    }

    /// The loop on which answers and changes of state are told.
    public let eventLoop: any EventLoop

    let channel: any Channel
    private let session: NIOLoopBound<ClientSession>
    let shared: ClientShared

    init(channel: any Channel, session: ClientSession, shared: ClientShared) {
        self.channel = channel
        self.eventLoop = channel.eventLoop
        self.session = NIOLoopBound(session, eventLoop: channel.eventLoop)
        self.shared = shared
    }

    /// Connects and waits for the peer's SETTINGS.
    ///
    /// `onStateChange` is called on the event loop, not for the first state. Throws how far it came and why no further.
    public static func connect(
        _ configuration: HTTP2ClientConfiguration,
        group: any EventLoopGroup,
        logger: Logger,
        onStateChange: @escaping @Sendable (State) -> Void = { _ in }
    ) async throws(HTTP2ConnectError) -> HTTP2ClientConnection {
        let connector = HTTP2ClientConnector(configuration, logger: logger)
        let shared = ClientShared(onStateChange: onStateChange, giveBack: nil)
        do {
            return try await connector.connect(on: group.next(), shared: shared).get()
        } catch {
            throw connector.connectError(error)
        }
    }

    /// Queues the requests of a burst; they are submitted as streams become free.
    public func send(_ burst: HTTP2Burst) {
        self.send(RequestSlice(burst))
    }

    /// Gives up requests that have no answer yet: those written are answered as lost, the others as unprocessed.
    public func cancel(_ burst: HTTP2Burst) {
        burst.cancel()
        self.onLoop { $0.cancel(burst) }
    }

    /// Takes back requests that no stream has been opened for: they are answered as unprocessed, the others as ever.
    public func withdraw(_ burst: HTTP2Burst) {
        burst.withdraw()
        self.removeEnded()
    }

    /// Answers requests that have been taken back and wait for a stream.
    func removeEnded() {
        self.onLoop { $0.removeEnded() }
    }

    /// State and load at this moment.
    public var status: Status { self.shared.status }

    /// Takes no more requests, waits for those in flight at most `deadline`, then closes; returns when it is closed.
    public func close(within deadline: TimeAmount = .seconds(10)) async {
        self.drain("closed", within: deadline)
        try? await self.channel.closeFuture.get()
    }

    /// Starts what ``close(within:)`` does.
    func drain(_ reason: String, within deadline: TimeAmount) {
        self.onLoop { $0.drain(reason, within: deadline) }
    }

    func send(_ slice: RequestSlice) {
        if slice.count == 0 { return }
        self.shared.handOver(slice.count)
        self.onLoop { $0.enqueue(slice) }
    }

    /// Gives the last of the requests back that wait for a stream.
    func returnLast(_ count: Int) {
        self.onLoop { $0.returnLast(count) }
    }

    private func onLoop(_ body: @escaping @Sendable (ClientSession) -> Void) {
        if self.eventLoop.inEventLoop {
            body(self.session.value)
        } else {
            self.eventLoop.execute { body(self.session.value) }
        }
    }
}

/// What a connection shows to other threads, published once per turn of its event loop.
final class ClientShared: Sendable {
    /// Told of changes of state, on the event loop.
    let onStateChange: @Sendable (HTTP2ClientConnection.State) -> Void
    /// Takes requests that were certainly not processed; nil: they are answered so.
    let giveBack: (@Sendable ([RequestSlice], String) -> Void)?

    /// Requests from their way to the event loop on: a pool sees them at once, and until they are in flight.
    private let queued = Atomic(0)
    private let inFlight = Atomic(0)
    private let limit = Atomic(0)
    private let answers = Atomic(false)
    private let silence = Atomic(false)
    private let lastEstimate = Mutex(ThroughputEstimate(now: .now()))
    private let state = Mutex(HTTP2ClientConnection.State.warming)

    init(
        onStateChange: @escaping @Sendable (HTTP2ClientConnection.State) -> Void,
        giveBack: (@Sendable ([RequestSlice], String) -> Void)?
    ) {
        self.onStateChange = onStateChange
        self.giveBack = giveBack
    }

    var status: HTTP2ClientConnection.Status {
        // Read in the other order than they are published, so that no request is in neither.
        let queued = self.queued.load(ordering: .acquiring)
        return HTTP2ClientConnection.Status(
            state: self.state.withLock { $0 },
            inFlight: self.inFlight.load(ordering: .relaxed),
            queued: queued,
            streamLimit: self.limit.load(ordering: .relaxed),
            isSilent: self.silence.load(ordering: .relaxed)
        )
    }

    /// Whether any request has been answered.
    var hasAnswers: Bool { self.answers.load(ordering: .relaxed) }

    /// How fast it answers.
    var throughput: ThroughputEstimate { self.lastEstimate.withLock { $0 } }

    /// Counts requests on their way to the event loop.
    func handOver(_ count: Int) {
        self.queued.wrappingAdd(count, ordering: .relaxed)
    }

    func publish(
        inFlight: Int,
        noLongerQueued: Int,
        limit: Int,
        throughput: ThroughputEstimate,
        hasAnswers: Bool,
        isSilent: Bool
    ) {
        self.inFlight.store(inFlight, ordering: .relaxed)
        self.queued.wrappingSubtract(noLongerQueued, ordering: .releasing)
        self.limit.store(limit, ordering: .relaxed)
        self.lastEstimate.withLock { $0 = throughput }
        self.answers.store(hasAnswers, ordering: .relaxed)
        self.silence.store(isSilent, ordering: .relaxed)
    }

    /// Sets the state; true when it is another one.
    func publish(_ state: HTTP2ClientConnection.State) -> Bool {
        self.state.withLock { current in
            defer { current = state }
            return current != state
        }
    }
}
