import MartletCore
import Testing

@Suite struct LeaseAdmissionTests {
    struct Line: CustomTestStringConvertible {
        var failures: Int
        var isOtherSuspect: Bool
        var isOwn = false
        var admission: LeaseAdmission

        var testDescription: String {
            "\(failures) failures, \(isOtherSuspect ? "another one alone" : "no other")\(isOwn ? ", its own" : "")"
        }
    }

    static let table = [
        Line(failures: 0, isOtherSuspect: true, admission: .lease),
        Line(failures: 1, isOtherSuspect: true, admission: .lease),
        Line(failures: 2, isOtherSuspect: false, admission: .lease),
        Line(failures: 2, isOtherSuspect: true, admission: .wait),
        Line(failures: 4, isOtherSuspect: false, admission: .lease),
        Line(failures: 4, isOtherSuspect: true, admission: .wait),
        Line(failures: 5, isOtherSuspect: false, admission: .quarantine),
        Line(failures: 5, isOtherSuspect: true, admission: .quarantine),
        Line(failures: 1, isOtherSuspect: false, isOwn: true, admission: .extend),
        Line(failures: 5, isOtherSuspect: true, isOwn: true, admission: .extend),
    ]

    @Test("what may be poison is leased alone, and a bounded number of times", arguments: table)
    func admission(_ line: Line) {
        let found = LeaseAdmission(failures: line.failures, isOtherSuspect: line.isOtherSuspect, isOwn: line.isOwn)
        #expect(found == line.admission)
    }
}
