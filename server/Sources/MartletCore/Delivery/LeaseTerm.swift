import Synchronization

/// Until when a process may begin what it has leased, by a clock that goes on while the process or its machine stands
/// still: somebody else may have it after that.
package final class LeaseTerm: Sendable {
    private let end: Mutex<ContinuousClock.Instant>
    private let duration: Duration

    /// The clocks of two machines part, and the store counts from a moment after the call. Ours: far more than either.
    private static let margin: Duration = .seconds(1)

    /// A term that begins with the call that took a lease of this duration; without one it is over until it is renewed.
    package init(of duration: Duration, since start: ContinuousClock.Instant? = nil) {
        self.duration = duration - LeaseTerm.margin
        end = Mutex(start.map { $0 + duration - LeaseTerm.margin } ?? .now)
    }

    /// Whether nothing may be begun any more until it is renewed.
    package var isOver: Bool { end.withLock { $0 } <= .now }

    /// Begins again with a call that renewed it.
    package func renew(since start: ContinuousClock.Instant) { end.withLock { $0 = max($0, start + duration) } }
}
