/// How many pushes of one project may go at a time: a steady rate that grows from a tenth to the whole within a minute, is
/// halved when FCM says that it is too high, and stops for as long as FCM asks (Google, "Best practices for sending FCM
/// messages at scale"). A pure value.
struct FCMPace: Sendable {
    /// What a push may do now.
    enum Grant: Sendable, Hashable {
        /// Send so many.
        case go(Int)
        /// Ask again then.
        case wait(Duration)
        /// FCM has asked for silence for so long.
        case stop(Duration)
    }

    /// How long the rate takes to grow to its full height: Google asks for 60 s at least.
    static let rampUp: Duration = .seconds(60)
    /// The part of the full rate that it begins with.
    static let start = 0.1
    /// The part below which it does not fall. Ours: it has to come to a point at which FCM takes it, and to notice.
    static let floor = 0.005
    /// How far ahead of the rate a run of pushes may be. Ours: ten runs a second are few enough to cost nothing.
    static let window: Duration = .milliseconds(100)

    private let full: Double
    private var base: Double
    private var since: ContinuousClock.Instant
    /// When the next push is due at the rate.
    private var due: ContinuousClock.Instant
    private var lastUse: ContinuousClock.Instant
    private var halvedAt: ContinuousClock.Instant?
    private var silentUntil: ContinuousClock.Instant?

    /// A pace that begins now.
    init(rate: Int, now: ContinuousClock.Instant) {
        full = Double(rate)
        base = full * Self.start
        (since, due, lastUse) = (now, now, now)
    }

    /// Pushes a second at this moment.
    func rate(at now: ContinuousClock.Instant) -> Double {
        let grown = full * (1 - Self.start) * max(0, (now - since) / Self.rampUp)
        return min(full, base + grown)
    }

    /// Asks for some pushes, and counts those that are granted.
    ///
    /// - Parameter isUrgent: somebody waits for them: they go at once, and the others make up for it.
    mutating func take(_ count: Int, isUrgent: Bool, at now: ContinuousClock.Instant) -> Grant {
        if let end = silentUntil {
            if now < end { return .stop(end - now) }
            silentUntil = nil
        }
        // After a minute of silence FCM's servers are as cold as at the start.
        if now - lastUse > Self.rampUp { (base, since) = (min(base, full * Self.start), now) }
        let rate = rate(at: now)
        let from = max(due, now)
        let room = Int(rate * ((now + Self.window - from) / .seconds(1)))
        let run = min(count, max(1, Int(rate * (Self.window / .seconds(1)) / 2)))
        let granted = isUrgent ? count : min(count, room)
        guard granted >= run else {
            let ready = from - Self.window + .seconds(1) * (Double(run) / rate)
            return .wait(max(.milliseconds(2), ready - now))
        }
        due = from + .seconds(1) * (Double(granted) / rate)
        lastUse = now
        return .go(granted)
    }

    /// Gives pushes back that were granted and not sent.
    mutating func giveBack(_ count: Int, at now: ContinuousClock.Instant) {
        due -= .seconds(1) * (Double(count) / rate(at: now))
    }

    /// FCM says that the project sends too much.
    ///
    /// - Parameters:
    ///   - sentAt: when the request was sent: one from before the last halving says nothing about the rate since.
    ///   - pause: how long it asks for silence.
    mutating func exceeded(sentAt: ContinuousClock.Instant, pause: Duration, at now: ContinuousClock.Instant) {
        silentUntil = max(silentUntil ?? now, now + pause)
        if let halvedAt, sentAt <= halvedAt { return }
        base = max(full * Self.floor, rate(at: now) / 2)
        (since, halvedAt) = (now, now)
    }
}

/// Tells whose quota is used up where FCM does not say: two devices within ten seconds are the project. A pure value.
struct QuotaWitness: Sendable {
    /// How close together. Ours: devices that have too many by chance at the same time are rarer than that.
    static let span: Duration = .seconds(10)

    private var last: (token: Int, at: ContinuousClock.Instant)?

    /// Notes a device that was refused; says whether another one was just before.
    mutating func note(_ token: String, at now: ContinuousClock.Instant) -> Bool {
        defer { last = (token.hashValue, now) }
        guard let last else { return false }
        return last.token != token.hashValue && now - last.at <= Self.span
    }
}
