import MartletWire
import Testing

@testable import MartletCore

@Suite("Counts over time")
struct CountSeriesTests {
    /// 2026-03-01T00:00:00Z.
    static let midnight = Timestamp(milliseconds: 1_772_323_200_000)

    static func span(_ from: Duration, _ to: Duration, _ step: StatisticsStep) -> CountSpan {
        CountSpan(from: midnight + from, to: midnight + to, step: step)
    }

    struct Line: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var from: Duration
        var to: Duration
        var step: StatisticsStep
        /// Where the steps begin and end, in seconds.
        var steps: (from: Int, to: Int)
        var points: Int
    }

    static let table = [
        Line(
            testDescription: "whole steps stay",
            from: .zero,
            to: .seconds(180),
            step: .minute,
            steps: (0, 180),
            points: 3
        ),
        Line(
            testDescription: "parts of steps are whole ones",
            from: .seconds(59),
            to: .milliseconds(60_001),
            step: .minute,
            steps: (0, 120),
            points: 2
        ),
        Line(
            testDescription: "a moment's step is one",
            from: .seconds(3_599),
            to: .milliseconds(3_599_001),
            step: .hour,
            steps: (0, 3_600),
            points: 1
        ),
        Line(
            testDescription: "a day is one of UTC",
            from: .seconds(-1),
            to: .seconds(86_401),
            step: .day,
            steps: (-86_400, 172_800),
            points: 3
        ),
        Line(
            testDescription: "no time has no steps",
            from: .seconds(90),
            to: .seconds(90),
            step: .minute,
            steps: (60, 60),
            points: 0
        ),
        Line(
            testDescription: "an end before the beginning has none",
            from: .seconds(90),
            to: .seconds(10),
            step: .hour,
            steps: (0, 0),
            points: 0
        ),
    ]

    @Test("a span is made of whole steps", arguments: table)
    func steps(_ line: Line) {
        let span = Self.span(line.from, line.to, line.step)
        #expect(span.from == Self.midnight + .seconds(line.steps.from))
        #expect(span.to == Self.midnight + .seconds(line.steps.to))
        #expect(span.pointCount == line.points)
    }

    @Test("steps before 1970 begin where others do")
    func before1970() {
        let moment = Timestamp(milliseconds: -1)
        #expect(StatisticsStep.minute.start(of: moment) == Timestamp(milliseconds: -60_000))
        #expect(StatisticsStep.day.start(of: moment) == Timestamp(milliseconds: -86_400_000))
        #expect(StatisticsStep.hour.start(of: Timestamp(milliseconds: 0)) == Timestamp(milliseconds: 0))
    }

    @Test("a series has each step once, with zeros where nothing was found")
    func dense() {
        var opens = OutcomeCounts()
        opens.opens = 3
        let span = Self.span(.zero, .seconds(4 * 3_600), .hour)
        let found = [Self.midnight + .seconds(3_600): opens, Self.midnight - .seconds(3_600): opens]
        let series = CountSeries(span, found: found)
        #expect(series.counts == [OutcomeCounts(), opens, OutcomeCounts(), OutcomeCounts()])
        #expect(series.points.map(\.at) == (0..<4).map { Self.midnight + .seconds($0 * 3_600) })
        #expect(series.total == opens)
    }

    @Test("counts are added number by number")
    func sum() {
        var one = OutcomeCounts()
        (one.accepted, one.rejected, one.suppressed, one.expired, one.cancelled) = (1, 2, 3, 4, 5)
        (one.dead, one.deliveries, one.opens, one.dismissals) = (6, 7, 8, 9)
        let both = one + one
        #expect([both.accepted, both.rejected, both.suppressed, both.expired, both.cancelled] == [2, 4, 6, 8, 10])
        #expect([both.dead, both.deliveries, both.opens, both.dismissals] == [12, 14, 16, 18])
    }

    @Test(
        "what is too long, too old for minutes, or no time at all names its parameter",
        arguments: [
            (Duration.zero, Duration.zero, StatisticsStep.hour, String?("from")),
            (.seconds(-1_501 * 60), .zero, .minute, "step"), (.seconds(-1_500 * 60), .zero, .minute, nil),
            (.seconds(-49 * 3_600), .seconds(-48 * 3_600), .minute, "from"),
            (.seconds(-48 * 3_600), .seconds(-47 * 3_600), .minute, nil),
            (.seconds(-49 * 3_600), .seconds(-48 * 3_600), .hour, nil),
            (.seconds(-1_501 * 3_600), .zero, .hour, "step"), (.seconds(-400 * 86_400), .zero, .day, nil),
        ]
    )
    func check(_ from: Duration, _ to: Duration, _ step: StatisticsStep, _ field: String?) {
        var refused: String?
        do throws(Failure) { try Self.span(from, to, step).check(now: Self.midnight) } catch {
            refused = error.detail.field
        }
        #expect(refused == field)
    }
}
