/// Whether batches of one app go to a provider that may be in trouble as a whole. A pure value.
///
/// It opens when nothing but provider-wide failures comes back and tries again with one batch after a delay that grows.
/// When that one is answered it lets the backlog through with one batch, two, four and so on up to the queue's share.
/// What a provider says to one delivery among others that it answers is the business of that delivery's
/// ``RetryPolicy``.
public struct Breaker: Sendable, Hashable {
    /// What a breaker does with batches.
    public enum State: Sendable, Hashable {
        /// They go.
        case closed
        /// They wait until then.
        case open(until: Timestamp)
        /// One goes, and decides.
        case probing
        /// So many go at a time.
        case recovering(width: Int)
    }

    /// Failures in a row that open it when they lasted for ``lasting``. Ours: fewer may be one device's bad luck.
    public static let enough = 10

    /// For how long ``enough`` failures in a row have to last. Ours: where half of all fails, a thousand answers a
    /// second hold a good one long before.
    public static let lasting: Duration = .seconds(1)

    /// Failures in a row that open it at once. Ours: where one in five is answered, so many are as good as impossible.
    public static let burst = 100

    /// Failures of connections in a row that open it when they lasted for ``lastingConnectionFailures``. Ours: where little is sent,
    /// ten take many minutes, and what nobody answers is no one device's bad luck.
    public static let enoughConnectionFailures = 3

    /// For how long ``enoughConnectionFailures`` in a row have to last. Ours: a provider that is started anew is back before.
    public static let lastingConnectionFailures: Duration = .seconds(15)

    /// The first delay before a probe; each further one is twice as long.
    public static let shortestDelay: Duration = .seconds(1)

    /// The longest delay before a probe: ours, so that what comes back is noticed within a minute.
    public static let longestDelay: Duration = .seconds(60)

    /// For how long it is remembered that a provider answers again, where nothing more was sent to it. Ours: with five
    /// minutes of silence there is no backlog left that would have to go out bit by bit.
    public static let memory: Duration = .seconds(300)

    /// For how long it is remembered that a provider did not answer, where nothing was sent to it since. Ours: longer than
    /// any ``RetryPolicy`` waits, six hours with jitter, so that nothing can be waiting for it any more.
    public static let memoryOfSilence: Duration = .seconds(8 * 3_600)

    /// What it does.
    public private(set) var state = State.closed
    /// When the failures began that opened it; none while it is closed.
    public private(set) var since: Timestamp?
    /// The last failure's reason.
    public private(set) var reason: String?
    /// The last failure's reason as a word: `connection` where it is a sentence about one.
    public var reasonWord: String? { reason.map { ReasonWords.isWord($0) ? $0 : ReasonWords.connection } }
    /// How often it opened since it was closed.
    public private(set) var openings = 0
    /// When it last had to do with a batch; none while it is closed.
    private var usedAt: Timestamp?
    private var run = 0
    /// Whether all of the run's failures are of connections.
    private var isOfConnections = true
    private var runSince = Timestamp(milliseconds: 0)

    /// A closed breaker.
    public init() {}

    /// How many batches may be under way; `nil` is any number.
    public func width(at now: Timestamp) -> Int? {
        switch state {
        case .closed: nil
        case .open(let until):
            // A clock that was set back must not keep it open for longer than a delay can be.
            now >= until || until - now > Breaker.longestDelay * 2 ? 1 : 0
        case .probing: 1
        case .recovering(let width): width
        }
    }

    /// Closes it where so long nothing was to be sent that what it knows is no news: nobody would ever probe it.
    public mutating func forget(at now: Timestamp) {
        guard let usedAt else { return }
        let memory = if case .recovering = state { Breaker.memory } else { Breaker.memoryOfSilence }
        if now - usedAt >= memory { self = Breaker() }
    }

    /// Notes that a batch was leased: after the delay it is the probe.
    public mutating func lease(at now: Timestamp) {
        guard state != .closed else { return }
        usedAt = now
        if case .open = state { state = .probing }
    }

    /// Notes what a provider said, or that it said nothing, to deliveries that were under way together.
    ///
    /// They are no row, in whatever order their answers came: over HTTP/2 refusals, which have a body, come after
    /// acceptances, which have none. Where at least a tenth (ours) was answered, the provider answers.
    ///
    /// - Parameter jitter: what the delay is multiplied by, of ``RetryPolicy/jitter``.
    public mutating func note(_ outcomes: some Sequence<Outcome>, at now: Timestamp, jitter: Double) {
        var answers = 0
        var failures: [Outcome.Retry] = []
        for outcome in outcomes {
            switch outcome {
            case .accepted, .rejected, .misconfigured: answers += 1
            case .retry(let retry) where retry.kind == .rateLimited || retry.kind == .host: answers += 1
            case .retry(let retry): failures.append(retry)
            // Not processed and due again: it says nothing about the next connection.
            case .reroute: break
            }
        }
        if answers > 0, answers * 10 >= failures.count { return noteAnswer() }
        for failure in failures { noteFailure(failure, at: now, jitter: jitter) }
    }

    private mutating func noteAnswer() {
        run = 0
        if state == .probing { state = .recovering(width: 1) }
    }

    private mutating func noteFailure(_ failure: Outcome.Retry, at now: Timestamp, jitter: Double) {
        // What was sent before it opened says nothing new.
        if case .open = state { return }
        if run == 0 { (runSince, isOfConnections) = (now, true) }
        run += 1
        isOfConnections = isOfConnections && failure.kind == .connection
        reason = failure.reason
        let isLasting = run >= Breaker.enough && now - runSince >= Breaker.lasting
        let isUnreachable =
            isOfConnections && run >= Breaker.enoughConnectionFailures
            && now - runSince >= Breaker.lastingConnectionFailures
        if isLasting || isUnreachable || run >= Breaker.burst { open(at: now, jitter: jitter) }
    }

    /// Notes that a batch is over: a probe without an answer opens it again, one with answers lets more through.
    ///
    /// - Parameter share: how many batches the queue may have under way when all is well.
    public mutating func end(share: Int, at now: Timestamp, jitter: Double) {
        if state != .closed { usedAt = now }
        switch state {
        case .probing where run > 0: open(at: now, jitter: jitter)
        case .recovering(let width) where run == 0:
            // One more for each that ends is twice as many in each round.
            if width < share { state = .recovering(width: width + 1) } else { self = Breaker() }
        default: break
        }
    }

    /// Opens it as another process opened its own: until the later of both ends, unless it is probing or recovering itself.
    package mutating func adopt(_ other: SharedBreaker, at now: Timestamp) {
        switch state {
        case .probing, .recovering: return
        case .open(let until) where until >= other.until: return
        case .closed, .open: break
        }
        guard other.until > now else { return }
        state = .open(until: other.until)
        since = since ?? now
        usedAt = now
        openings = max(openings, other.openings)
        reason = other.reason ?? reason
        run = 0
    }

    /// Lets the next batch be the probe, without waiting for the delay's end.
    public mutating func probe() {
        if case .open = state { state = .probing }
    }

    private mutating func open(at now: Timestamp, jitter: Double) {
        // Doubled six times the delay is beyond the longest.
        let delay = min(Breaker.shortestDelay * (1 << min(openings, 6)), Breaker.longestDelay)
        // While it recovers there were answers: what follows is another trouble.
        if case .recovering = state { since = nil }
        state = .open(until: now + delay * jitter)
        since = since ?? runSince
        usedAt = now
        openings += 1
        run = 0
    }
}
