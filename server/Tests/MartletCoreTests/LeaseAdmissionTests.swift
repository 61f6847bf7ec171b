import MartletCore
import Testing

@Suite struct LeaseAdmissionTests {
    struct Line: CustomTestStringConvertible {
        var failures: Int
        var isOtherAlone: Bool
        var isOwn = false
        var admission: LeaseAdmission

        var testDescription: String {
            "\(failures) failures, \(isOtherAlone ? "another one alone" : "no other")\(isOwn ? ", its own" : "")"
        }
    }

    static let table = [
        Line(failures: 0, isOtherAlone: true, admission: .lease),
        Line(failures: 1, isOtherAlone: true, admission: .lease),
        Line(failures: 2, isOtherAlone: false, admission: .lease),
        Line(failures: 2, isOtherAlone: true, admission: .wait),
        Line(failures: 4, isOtherAlone: false, admission: .lease),
        Line(failures: 4, isOtherAlone: true, admission: .wait),
        Line(failures: 5, isOtherAlone: false, admission: .quarantine),
        Line(failures: 5, isOtherAlone: true, admission: .quarantine),
        Line(failures: 1, isOtherAlone: false, isOwn: true, admission: .extend),
        Line(failures: 5, isOtherAlone: true, isOwn: true, admission: .extend),
    ]

    @Test("what may be poison is leased alone, and a bounded number of times", arguments: table)
    func admission(_ line: Line) {
        let found = LeaseAdmission(failures: line.failures, isOtherAlone: line.isOtherAlone, isOwn: line.isOwn)
        #expect(found == line.admission)
    }
}
