import Foundation
import Testing
import Transit

/// Which feeds are news.
@Suite struct FeedAdmissionTests {
    private static let alert = ServiceAlert(
        id: "a",
        header: TranslatedText([.init("x")]),
        entities: [InformedEntity(route: "T4")]
    )

    private func admit(
        _ admission: inout FeedAdmission,
        made: Int,
        empty: Bool = false,
        known: Int = 1,
        now: Int = 10_000
    )
        throws(FeedProblem)
    {
        let snapshot = FeedSnapshot(made: made, alerts: empty ? [] : [Self.alert])
        try admission.admit(snapshot, known: known, now: Date(timeIntervalSince1970: Double(now)))
    }

    @Test("late, from the future, backwards and twice are refused and change nothing")
    func times() throws {
        var admission = FeedAdmission()
        try admit(&admission, made: 9_990)
        let before = admission
        let cases: [(Int, FeedProblem)] = [
            (9_000, .late(seconds: 1_000, limit: 900)),
            (10_301, .fromTheFuture(seconds: 301)),
            (9_980, .backwards(seconds: 10)),
            (9_990, .twice),
        ]
        for (made, problem) in cases {
            #expect(throws: problem) { try admit(&admission, made: made) }
            #expect(admission == before)
        }
        try admit(&admission, made: 9_991)
        #expect(admission.last == 9_991)
    }

    @Test("what an earlier process has seen counts")
    func afterRestart() throws {
        var admission = FeedAdmission(last: 9_995)
        #expect(throws: FeedProblem.backwards(seconds: 5)) { try admit(&admission, made: 9_990) }
        // The earlier process may have ended before it had planned anything.
        try admit(&admission, made: 9_995)
        #expect(throws: FeedProblem.twice) { try admit(&admission, made: 9_995) }
    }

    @Test("an empty feed is believed when three in a row were empty, each newer than the one before")
    func empty() throws {
        var admission = FeedAdmission()
        try admit(&admission, made: 9_900)
        #expect(throws: FeedProblem.empty(known: 2, seen: 1, believedAfter: 3)) {
            try admit(&admission, made: 9_910, empty: true, known: 2)
        }
        #expect(throws: FeedProblem.empty(known: 2, seen: 1, believedAfter: 3)) {
            try admit(&admission, made: 9_910, empty: true, known: 2)
        }
        try admit(&admission, made: 9_920)
        for (made, seen) in [(9_930, 1), (9_940, 2)] {
            #expect(throws: FeedProblem.empty(known: 2, seen: seen, believedAfter: 3)) {
                try admit(&admission, made: made, empty: true, known: 2)
            }
        }
        try admit(&admission, made: 9_950, empty: true, known: 2)
        #expect(admission.last == 9_950)
        // The next one is believed at once, so that what was withdrawn is missing more than once.
        try admit(&admission, made: 9_960, empty: true, known: 2)
        try admit(&admission, made: 9_970)
        #expect(throws: FeedProblem.empty(known: 2, seen: 1, believedAfter: 3)) {
            try admit(&admission, made: 9_980, empty: true, known: 2)
        }
    }

    @Test("an empty feed while nothing is known is a quiet day")
    func quiet() throws {
        var admission = FeedAdmission()
        try admit(&admission, made: 9_900, empty: true, known: 0)
        #expect(admission.last == 9_900)
    }

    @Test("every problem has a line of its own")
    func lines() {
        let problems: [FeedProblem] = [
            .unreachable("x"), .tooSlow(seconds: 1), .status(500), .unchangedUnasked, .contentType("text/html"),
            .tooLarge(limit: 1),
            .malformed("x"), .version("9"), .differential, .noTimestamp, .late(seconds: 1, limit: 1),
            .fromTheFuture(seconds: 1), .backwards(seconds: 1), .twice, .empty(known: 1, seen: 1, believedAfter: 3),
            .tooManyAlerts(2, limit: 1), .alert(id: "a", reason: "x"),
        ]
        #expect(Set(problems.map(\.description)).count == problems.count)
        #expect(problems.allSatisfy { $0.description.hasSuffix(".") && !$0.description.contains("\n") })
    }
}
