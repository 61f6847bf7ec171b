import Testing

@testable import MartletCore

@Suite("What is left of a batch when its notification was withdrawn")
struct WithdrawalTests {
    static let members = [(1, 7), (2, 0), (3, 8), (4, 7)].map { PageCommitTests.member($0, $1) }

    static let table: [(withdrawn: Set<Int64>, left: [Int64])] = [
        ([], [1, 2, 3, 4]), ([7], [2, 3]), ([8, 9], [1, 2, 4]), ([7, 8], [2]), ([9], [1, 2, 3, 4]),
    ]

    @Test("is who did not read it, in the same order", arguments: table)
    func left(_ withdrawn: Set<Int64>, _ left: [Int64]) {
        let reasons = Dictionary(
            uniqueKeysWithValues: withdrawn.map { (RowID<User>($0), Suppression.Reason.superseded) }
        )
        let withdrawal = Withdrawal(Self.members, withdrawn: reasons)
        #expect(withdrawal.members.map(\.endpoint.rawValue) == left)
        #expect(withdrawal.suppressions.allSatisfy { $0.reason == .superseded && $0.user != nil })
        let all = withdrawal.members.map(\.endpoint) + withdrawal.suppressions.compactMap(\.endpoint)
        #expect(all.sorted() == Self.members.map(\.endpoint))
    }
}
