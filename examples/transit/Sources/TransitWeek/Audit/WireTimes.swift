import Foundation
import Transit

/// How long it took from an alert's publication to its pushes on the wire, by the simulated APNs' record.
package struct WireTimes: Sendable {
    /// In seconds by the machine's clock, ascending.
    package private(set) var seconds: [Double] = []
    package private(set) var pushes = 0
    package private(set) var byStatus: [Int: Int] = [:]

    init(_ received: [[String: Any]], published: PublishedVersions, clock: TransitClock.Simulation) {
        for push in received {
            pushes += 1
            if let status = push["status"] as? Int { byStatus[status, default: 0] += 1 }
            guard push["status"] as? Int == 200, let time = push["time"] as? Double,
                let payload = push["payload"] as? [String: Any],
                let shown = (payload["aps"] as? [String: Any])?["alert"] as? [String: Any],
                let index = (shown["body"] as? String).flatMap({ published.index(ofText: $0) })
            else { continue }
            let from = Double(published.versions[index].from)
            seconds.append(time / 1_000 - clock.machineTime(of: from))
        }
        seconds.sort()
    }

    /// The time within which a share of the pushes were on the wire.
    package func quantile(_ share: Double) -> Double {
        guard !seconds.isEmpty else { return 0 }
        return seconds[min(seconds.count - 1, Int((Double(seconds.count) * share).rounded(.up)) - 1)]
    }
}
