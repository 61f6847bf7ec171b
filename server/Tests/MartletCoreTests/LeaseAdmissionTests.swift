import MartletCore
import Testing

@Suite struct LeaseAdmissionTests {
    struct Line: CustomTestStringConvertible {
        var failures: Int
        var isOtherIsolated: Bool
        var isOwn = false
        var admission: LeaseAdmission

        var testDescription: String {
            "\(failures) failures, \(isOtherIsolated ? "another one alone" : "no other")\(isOwn ? ", its own" : "")"
        }
    }

    static let table = [
        Line(failures: 0, isOtherIsolated: true, admission: .lease),
        Line(failures: 1, isOtherIsolated: true, admission: .lease),
        Line(failures: 2, isOtherIsolated: false, admission: .lease),
        Line(failures: 2, isOtherIsolated: true, admission: .wait),
        Line(failures: 4, isOtherIsolated: false, admission: .lease),
        Line(failures: 4, isOtherIsolated: true, admission: .wait),
        Line(failures: 5, isOtherIsolated: false, admission: .quarantine),
        Line(failures: 5, isOtherIsolated: true, admission: .quarantine),
        Line(failures: 1, isOtherIsolated: false, isOwn: true, admission: .extend),
        Line(failures: 5, isOtherIsolated: true, isOwn: true, admission: .extend),
    ]

    @Test("what may be poison is leased alone, and a bounded number of times", arguments: table)
    func admission(_ line: Line) {
        let found = LeaseAdmission(failures: line.failures, isOtherIsolated: line.isOtherIsolated, isOwn: line.isOwn)
        #expect(found == line.admission)
    }
}
