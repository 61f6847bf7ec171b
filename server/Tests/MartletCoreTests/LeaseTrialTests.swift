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
}
