import Foundation
import MartletCore
import MartletWire

/// What every case ends with: the store's results beside what the provider received.
struct Audit {
    /// The most memory that the server may ever hold, in MB, however many deliveries there are.
    static let memoryBound = 160.0

    var deliveries: Int
    var accepted = 0
    var rejected = 0
    var dead = 0
    /// Accepted again before there was a recorded answer, under the same id: a provider may see these.
    var repeats = 0
    /// Without a state at the end, or recorded as accepted although the provider never did.
    var lost = 0
    /// Accepted again after a recorded answer, or pushed under another id.
    var doubled = 0
    /// What else is not as it must be.
    var problems: [String] = []

    /// Whether everything is as it must be.
    var isClean: Bool { lost == 0 && doubled == 0 && problems.isEmpty }

    /// What has to be known to read results and pushes.
    struct Conditions {
        /// Connections on which pushes stood still that the server had given up: when they arrived says nothing of when
        /// they were sent. Which of them were sent by then can be told by no time and no number, since a connection that
        /// goes on is used again. What is sent without being owed is found by the attempts on record
        /// (``isRecorded``), which hold for these connections too.
        var stale: Set<Int> = []
        /// Whether every push that arrives is an attempt on record.
        var isRecorded = false
        /// Whether answers were lost, so that what was accepted had to be sent again.
        var mayRepeat = false
        /// By how much the processes' clock was set, in milliseconds: longer than the case takes.
        var clockMove: Int64 = 0

        /// What the machine's own clock showed at a moment that a process's clock showed.
        func machineTime(_ moment: Int64) -> Int64 {
            isMoved(moment) ? moment - clockMove : moment
        }

        /// Whether it was after the clock was set that a process's clock showed a moment.
        func isMoved(_ moment: Int64) -> Bool {
            abs(moment - Int64(Date().timeIntervalSince1970 * 1_000)) > abs(clockMove) / 2
        }
    }

    /// Compares.
    ///
    /// - Parameters:
    ///   - reports: all deliveries of the notification; endpoints' rows are the devices' numbers, from 1 on.
    ///   - counts: what the notification itself says.
    init(_ reports: [DeliveryReport], counts: DeliveryCounts, ledger: PushLedger, conditions: Conditions) {
        self.conditions = conditions
        deliveries = ledger.devices.count
        var seen = Array(repeating: false, count: deliveries)
        for report in reports {
            let index = Int(report.endpointRow?.rawValue ?? 0) - 1
            guard seen.indices.contains(index), !seen[index] else {
                problems.append("endpoint \(index + 1) has two deliveries, or none of ours")
                continue
            }
            seen[index] = true
            judge(report, ledger.devices[index])
        }
        lost += seen.count { !$0 }
        if counts.accepted != accepted || counts.rejected != rejected || counts.dead != dead {
            problems.append("the notification counts otherwise: \(counts)")
        }
        if repeats > 0, !conditions.mayRepeat { problems.append("\(repeats) repeats, and no answer was lost") }
        if conditions.clockMove != 0,
            !reports.contains(where: { $0.at.map { conditions.isMoved($0.rawValue) } ?? false })
        {
            problems.append("no result has the time that the clock was set to")
        }
        judge(ledger)
    }

    private let conditions: Conditions

    private mutating func judge(_ ledger: PushLedger) {
        if ledger.gaps > 0 { problems.append("\(ledger.gaps) pushes were not read in time") }
        if ledger.withoutID > 0 { problems.append("\(ledger.withoutID) pushes had no id") }
        if ledger.sharedIDs > 0 { problems.append("\(ledger.sharedIDs) devices had another one's id") }
        if ledger.strangers > 0 { problems.append("\(ledger.strangers) pushes were for nobody") }
    }

    private mutating func judge(_ report: DeliveryReport, _ device: PushLedger.Device) {
        switch report.state {
        case .accepted:
            accepted += 1
            if device.accepted.isEmpty { lost += 1 }
            if device.refused > 0 { problems.append("accepted, though refused for good: \(report)") }
        case .rejected:
            rejected += 1
            if device.refused == 0 { problems.append("rejected, but never refused: \(report)") }
            if !device.accepted.isEmpty { problems.append("rejected, though it was accepted: \(report)") }
        case .dead: dead += 1
        case .pending: lost += 1
        case .suppressed, .expired, .cancelled: problems.append("not expected: \(report)")
        }
        // Results and pushes are timed by the same machine's clock, a result within the transaction that writes it.
        let late = device.accepted.count { push in
            guard let at = report.at, !conditions.stale.contains(push.connection) else { return false }
            return conditions.machineTime(push.time) > conditions.machineTime(at.rawValue)
        }
        let unrecorded = conditions.isRecorded ? max(0, device.pushes - report.attempts) : 0
        doubled += device.hasOtherID ? 1 : max(late, unrecorded)
        repeats += max(0, device.accepted.count - late - 1)
    }
}
