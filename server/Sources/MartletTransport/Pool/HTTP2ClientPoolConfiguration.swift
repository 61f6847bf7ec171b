public import NIOCore

/// How many connections an ``HTTP2ClientPool`` keeps and how long work waits for one.
public struct HTTP2ClientPoolConfiguration: Sendable {
    /// Each connection of the pool.
    public var connection: HTTP2ClientConfiguration
    /// Most connections at a time, not counting those that only wait for their last answers.
    public var maxConnections: Int
    /// A further connection is opened when the least loaded one has more than this many times its stream limit
    /// outstanding, and another one would help: the way to the peer and back is what takes the time, or what is
    /// outstanding would take longer than ``growthDelay``. 2: one limit in flight and one to take their place without
    /// a pause.
    public var growthFactor: Double
    /// How long a connection may be expected to take for all that it has before another one is opened beside it,
    /// whatever the reason. 2 s, ours: long enough for a busy machine, short enough for a peer that slows one down.
    public var growthDelay: TimeAmount
    /// How long fewer connections must have been enough before one is closed. 5 min, ours: Apple asks that connections
    /// be kept open, so that only what a peak has left behind goes.
    public var spareAfter: TimeAmount
    /// Bound of requests that wait for a stream or a connection; a burst that exceeds it is refused.
    public var maxQueuedRequests: Int
    /// How often a request may be refused (REFUSED_STREAM) by connections that go on. What a connection disowns as it
    /// ends (GOAWAY) is sent again until the burst's deadline: there, opening the next one sets the pace.
    public var maxRefusals: Int
    /// How long a request waits for a connection before it is answered with why there is none.
    public var waitTimeout: TimeAmount
    /// Pause after a failed attempt to connect; it doubles with each failure up to the upper bound.
    public var backOff: ClosedRange<TimeAmount>

    /// A configuration with the defaults explained at each property; `waitTimeout` is the connect timeout unless given.
    public init(
        connection: HTTP2ClientConfiguration,
        maxConnections: Int = 4,
        growthFactor: Double = 2,
        growthDelay: TimeAmount = .seconds(2),
        spareAfter: TimeAmount = .minutes(5),
        maxQueuedRequests: Int = 20_000,
        maxRefusals: Int = 3,
        waitTimeout: TimeAmount? = nil,
        backOff: ClosedRange<TimeAmount> = .milliseconds(100)...(.seconds(30))
    ) {
        self.connection = connection
        self.maxConnections = maxConnections
        self.growthFactor = growthFactor
        self.growthDelay = growthDelay
        self.spareAfter = spareAfter
        self.maxQueuedRequests = maxQueuedRequests
        self.maxRefusals = maxRefusals
        self.waitTimeout = waitTimeout ?? connection.connectTimeout
        self.backOff = backOff
    }
}
