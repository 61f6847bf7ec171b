/// Somebody who is told the results of deliveries, once that is recorded.
///
/// It is told at most once, and not at all when the process ends in between: what must not be lost belongs into the
/// settlement itself.
public protocol SettlementObserver: Sendable {
    /// Takes note of a settlement. It returns at once: a batch waits for it.
    func settled(_ settlement: Settlement)
}
