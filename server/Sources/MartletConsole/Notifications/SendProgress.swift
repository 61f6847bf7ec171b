import MartletCore
import MartletWire
import Synchronization

extension DeliveryCounts {
    /// Those that providers refused, at once or until the attempts were used up: what all pages call refused.
    var refused: Int { rejected + dead }

    /// Those that were not sent: not made, too late, or cancelled.
    var notMade: Int { suppressed + expired + cancelled }
}

/// How far a notification has come, and how fast it goes. A pure value.
struct SendProgress: Sendable, Hashable {
    var counts: DeliveryCounts
    /// Deliveries a second that providers accept; `nil` where that is not known.
    var rate: Double?

    /// All that are known of.
    var total: Int { counts.pending + settled }

    /// Those that have their recorded state.
    var settled: Int {
        counts.accepted + counts.rejected + counts.suppressed + counts.expired + counts.cancelled + counts.dead
    }

    /// Those that were to be sent: what was not made for a reason of ours is no progress.
    var wanted: Int { total - counts.suppressed }

    /// For how many seconds it goes on at this rate; nobody knows while nothing is accepted.
    var secondsLeft: Int? {
        guard let rate, rate > 0, counts.pending > 0 else { return nil }
        let seconds = Double(counts.pending) / rate
        return seconds < 1e9 ? max(1, Int(seconds.rounded())) : nil
    }

    /// The rate in whole numbers of two digits, so that a page does not change for nothing.
    var shownRate: Int? {
        guard let rate, rate >= 0.5 else { return nil }
        var (unit, value) = (1.0, rate)
        while value >= 100 { (unit, value) = (unit * 10, value / 10) }
        return Int(value.rounded() * unit)
    }

    /// How wide each part of a bar is, out of a thousand, in the order of the parts; what there is is seen.
    static func widths(_ parts: [Int], of whole: Int = 1_000) -> [Int] {
        let total = parts.reduce(0, +)
        guard total > 0 else { return parts.map { _ in 0 } }
        var widths = parts.map {
            $0 == 0 ? 0 : max(4, Int((Double($0) / Double(total) * Double(whole)).rounded(.down)))
        }
        if let widest = widths.indices.max(by: { widths[$0] < widths[$1] }) {
            widths[widest] += whole - widths.reduce(0, +)
        }
        return widths
    }
}

/// What was seen of a notification in the last seconds: the rate is that of now, not of the whole send.
final class ProgressSamples: Sendable {
    private let samples = Mutex<[(at: Timestamp, settled: Int)]>([])
    private let reasons = Mutex<(counts: DeliveryCounts, reasons: MissedReasons)?>(nil)

    /// The reasons that were read when the counts were these; they are not counted again for nothing.
    func reasons(at counts: DeliveryCounts) -> MissedReasons? {
        reasons.withLock { $0?.counts == counts ? $0?.reasons : nil }
    }

    /// Keeps what was read.
    func keep(_ found: MissedReasons, at counts: DeliveryCounts) { reasons.withLock { $0 = (counts, found) } }

    private let reporting = Mutex<Bool?>(nil)

    /// Whether the app's devices report deliveries at all, once that was looked up.
    var isReporting: Bool? { reporting.withLock { $0 } }

    /// Keeps what was looked up.
    func keep(isReporting: Bool) { reporting.withLock { $0 = isReporting } }

    /// Over how long the rate is taken.
    private static let window: Duration = .seconds(10)

    /// Adds a sample; says the rate as soon as it is known.
    func rate(_ settled: Int, at now: Timestamp) -> Double? {
        samples.withLock { samples in
            samples.removeAll { now - $0.at > Self.window }
            samples.append((now, settled))
            return Self.rate(samples[0].settled, settled, over: now - samples[0].at)
        }
    }

    /// The rate between two moments that are a second apart at least.
    static func rate(_ before: Int, _ after: Int, over time: Duration) -> Double? {
        guard time >= .seconds(1), after >= before else { return nil }
        return Double(after - before) * 1_000 / Double(time.milliseconds)
    }
}
