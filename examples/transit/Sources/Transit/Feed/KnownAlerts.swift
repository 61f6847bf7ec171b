package import Foundation

/// The alerts that are known, and how often one that was known has been missing since.
package struct KnownAlerts: Sendable, Equatable {
    /// An alert is withdrawn when as many feeds in a row are without it: agencies' feeds lose one now and then.
    package var feedsToWithdraw = 2
    private var byID: [String: ServiceAlert] = [:]
    private var missing: [String: Int] = [:]

    package init() {}

    package var alerts: [ServiceAlert] { Array(byID.values) }

    /// Those that were withdrawn.
    package var gone: Set<String> { Set(missing.filter { $0.value >= feedsToWithdraw }.keys) }

    /// - Parameter remembered: alerts that an earlier process knew of.
    package mutating func take(_ snapshot: FeedSnapshot, remembered: some Sequence<String>) {
        let new = Dictionary(snapshot.alerts.map { ($0.id, $0) }) { first, _ in first }
        for id in Set(byID.keys).union(remembered) where new[id] == nil && !snapshot.unreadable.contains(id) {
            missing[id, default: 0] += 1
            if missing[id, default: 0] >= feedsToWithdraw { byID[id] = nil }
        }
        for (id, alert) in new {
            byID[id] = alert
            missing[id] = nil
        }
        let kept = Set(remembered)
        missing = missing.filter { byID[$0.key] != nil || kept.contains($0.key) }
    }

    package func active(at time: Date) -> Int { byID.values.count { !$0.isOver(at: time) } }

    /// When the next of them is over.
    package func nextEnd(after time: Date) -> Date? {
        let now = Int(time.timeIntervalSince1970)
        let ends = byID.values.compactMap { alert in alert.periods.map { $0.end ?? .max }.max() }
        return ends.filter { $0 > now && $0 != .max }.min().map { Date(timeIntervalSince1970: Double($0)) }
    }
}
