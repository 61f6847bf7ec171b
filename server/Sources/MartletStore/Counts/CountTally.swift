import MartletCore
import MartletWire

/// What the writes of one commit count, added up before it is written: one row for each app, platform and minute, however
/// many writes share the commit.
package final class CountTally {
    struct Key: Hashable {
        var app: RowID<App>
        /// `nil` for what was not made before a device was looked at.
        var platform: Platform?
        /// The minute's beginning.
        var minute: Timestamp
    }

    private(set) var counts: [Key: OutcomeCounts] = [:]

    package init() {}

    /// Adds what happened at a moment.
    func add(_ change: OutcomeCounts, of app: RowID<App>, _ platform: Platform?, at moment: Timestamp) {
        guard change != OutcomeCounts() else { return }
        let key = Key(app: app, platform: platform, minute: StatisticsStep.minute.start(of: moment))
        counts[key, default: OutcomeCounts()] += change
    }

    /// Adds what another write of the same commit counted.
    func add(_ other: CountTally) { counts.merge(other.counts, uniquingKeysWith: +) }
}

extension Transaction {
    /// Counts what happens now, or is to be taken out of an earlier minute.
    func tally(
        _ app: RowID<App>,
        _ platform: Platform?,
        at moment: Timestamp? = nil,
        _ change: (inout OutcomeCounts) -> Void
    ) {
        var counts = OutcomeCounts()
        change(&counts)
        counted.add(counts, of: app, platform, at: moment ?? now)
    }

    /// Counts the results of a queue's deliveries.
    func tally(_ change: CountChange, in queue: DeliveryQueue) {
        tally(queue.app, queue.platform) { counts in
            counts.accepted = change.accepted
            counts.rejected = change.rejected
            counts.expired = change.expired
            counts.cancelled = change.cancelled
            counts.dead = change.dead
        }
    }

    /// Writes what was counted, in key order, into the rows of this writer: no other writer changes them.
    func write(_ tally: CountTally) throws {
        guard !tally.counts.isEmpty else { return }
        let statement = try prepare(SQL.countMinute)
        for (key, counts) in tally.counts.sorted(by: { $0.key.order < $1.key.order }) where counts != OutcomeCounts() {
            statement.bind(key.app, key.minute, key.platform?.code ?? 0, slot)
            statement.set(counts, from: 5)
            try statement.run()
        }
    }
}

extension CountTally.Key {
    fileprivate var order: (Int64, Int64, Int64) { (app.rawValue, minute.rawValue, platform?.code ?? 0) }
}

extension EventPlatform {
    /// The provider whose pushes a kind of phone gets as a rule: an event does not say through which one it came.
    var provider: Platform {
        switch self {
        case .ios: .apns
        case .android: .fcm
        case .web: .webpush
        }
    }
}
