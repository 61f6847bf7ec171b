import Testing

@testable import MartletCore

@Suite struct LeaseTrialTests {
    struct Line: Sendable {
        var failures: Int
        var isSuspectUnderWay: Bool
        var trial: LeaseTrial
    }

    static let table = [
        Line(failures: 0, isSuspectUnderWay: true, trial: .lease),
        Line(failures: 1, isSuspectUnderWay: true, trial: .lease),
        Line(failures: 2, isSuspectUnderWay: false, trial: .lease),
        Line(failures: 2, isSuspectUnderWay: true, trial: .later),
        Line(failures: 4, isSuspectUnderWay: false, trial: .lease),
        Line(failures: 4, isSuspectUnderWay: true, trial: .later),
        Line(failures: 5, isSuspectUnderWay: false, trial: .setAside),
        Line(failures: 5, isSuspectUnderWay: true, trial: .setAside),
    ]

    @Test("what is suspect is tried alone, and a bounded number of times", arguments: table)
    func decides(_ line: Line) {
        #expect(LeaseTrial(failures: line.failures, isSuspectUnderWay: line.isSuspectUnderWay) == line.trial)
    }

    @Test("who else is under way is asked for suspects alone")
    func asksSeldom() {
        var questions = 0
        func isSuspectUnderWay() -> Bool {
            questions += 1
            return false
        }
        for failures in 0...5 { _ = LeaseTrial(failures: failures, isSuspectUnderWay: isSuspectUnderWay()) }
        #expect(questions == 3)
    }

    struct Wait: Sendable {
        var leases: Int
        /// Milliseconds since the lease.
        var time: Int64
        var isSameLane = false
        /// Leases without a settlement of the one that is to be leased.
        var failures = 2
        var waits: Bool
    }

    static let waits = [
        Wait(leases: 3, time: 0, waits: true),
        Wait(leases: 3, time: 1_999, waits: true),
        Wait(leases: 3, time: 2_000, waits: false),
        Wait(leases: 4, time: 9_999, waits: true),
        Wait(leases: 4, time: 10_000, waits: false),
        Wait(leases: 5, time: 600_000, waits: true),
        Wait(leases: 3, time: 600_000, isSameLane: true, waits: true),
        Wait(leases: 3, time: 2_000, failures: 3, waits: false),
        Wait(leases: 3, time: 600_000, failures: 4, waits: true),
        // The clock was set back: nobody waits for an hour.
        Wait(leases: 3, time: -1, waits: false),
        Wait(leases: 4, time: -3_600_000, waits: false),
    ]

    @Test(
        "who hangs keeps other lanes waiting for a moment, for longer with each crash, at last until it is settled",
        arguments: waits
    )
    func keepsWaiting(_ line: Wait) {
        let own = Lane(app: RowID(1), platform: .apns, environment: .production)
        let other = Lane(app: RowID(2), platform: .apns, environment: .production)
        let start = Timestamp(milliseconds: 1_000_000_000)
        let suspect = Suspect(leases: line.leases, leasedAt: start, lane: own)
        let now = start + .milliseconds(line.time)
        #expect(suspect.keepsWaiting(line.isSameLane ? own : other, failures: line.failures, at: now) == line.waits)
    }

    @Test("a fan-out waits for another one as in one lane")
    func fanOuts() {
        let start = Timestamp(milliseconds: 1_000_000_000)
        let suspect = Suspect(leases: 3, leasedAt: start, lane: nil)
        #expect(suspect.keepsWaiting(nil, failures: 2, at: start + .seconds(20)))
        #expect(
            !suspect.keepsWaiting(
                Lane(app: RowID(1), platform: .apns, environment: .sandbox),
                failures: 2,
                at: start + .seconds(2)
            )
        )
    }
}
