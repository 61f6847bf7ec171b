/// When an event happened, as it is stored. A pure value.
///
/// Phones' clocks are wrong, and phones report late. What lies between the retention and a few minutes from now is
/// believed; anything else is given the time of its receipt, and what the phone said is kept beside it.
public struct EventTime: Sendable, Hashable {
    /// The time that queries see.
    public var time: Timestamp
    /// What the phone said, where it was not believed.
    public var refused: Timestamp?

    /// How far a phone's clock may be ahead: five minutes, ours, as is usual where clocks are kept by the network.
    public static let tolerance: Duration = .seconds(300)

    /// A time that was decided before.
    public init(time: Timestamp, refused: Timestamp?) {
        self.time = time
        self.refused = refused
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - clientTime: what the phone said; `nil` where it says nothing.
    ///   - now: when the event was received.
    ///   - retention: for how long events are kept: what is older is not believed.
    public init(clientTime: Timestamp?, now: Timestamp, retention: Duration) {
        guard let clientTime else {
            time = now
            return
        }
        guard clientTime >= now - retention, clientTime <= now + EventTime.tolerance else {
            time = now
            refused = clientTime
            return
        }
        // Nothing happens after it was received: a query for the last hour sees it.
        time = min(clientTime, now)
    }
}
