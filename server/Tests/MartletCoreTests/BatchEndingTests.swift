import MartletTesting
import Testing

@testable import MartletCore

@Suite("What ends with a batch that no worker settles")
struct BatchEndingTests {
    static func batch(_ endpoints: [Int64]) -> Batch {
        var batch = Batch.sample()
        batch.attempts = 3
        batch.members = endpoints.map { Member(endpoint: RowID($0), user: RowID(7)) }
        return batch
    }

    struct Line: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// `nil` for one that cannot be read.
        var members: [Int64]?
        var isCancelled = false
        var settled: Set<Int64> = []
        var state = DeliveryResult.State.expired
        var recorded: [Int64] = []
        var unreadable = 0
    }

    static let table = [
        Line(testDescription: "its time ran out", members: [1, 2], recorded: [1, 2]),
        Line(testDescription: "cancelled", members: [1, 2], isCancelled: true, state: .cancelled, recorded: [1, 2]),
        Line(testDescription: "one has a result", members: [1, 2, 3], settled: [2], recorded: [1, 3]),
        Line(testDescription: "all have", members: [1, 2], isCancelled: true, settled: [1, 2], state: .cancelled),
        Line(testDescription: "it cannot be read", members: nil, unreadable: 9),
        Line(
            testDescription: "it was cancelled and cannot be read",
            members: nil,
            isCancelled: true,
            state: .cancelled,
            unreadable: 9
        ),
    ]

    @Test("is what has no result, and the mere number of what cannot be read", arguments: table)
    func ending(_ line: Line) {
        let batch = line.members.map(Self.batch)
        let ending = BatchEnding(
            batch,
            isCancelled: line.isCancelled,
            waiting: 9,
            settled: Set(line.settled.map { RowID($0) })
        )
        #expect(ending.state == line.state)
        #expect(ending.unreadable == line.unreadable)
        #expect(ending.results.map(\.member.endpoint.rawValue) == line.recorded)
        #expect(ending.results.allSatisfy { $0.state == line.state && $0.reason == nil && $0.attempts == 3 })
        #expect(ending.results.allSatisfy { $0.member.user == RowID(7) })
    }
}
