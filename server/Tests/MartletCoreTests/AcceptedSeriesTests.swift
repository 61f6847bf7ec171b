import Testing

@testable import MartletCore

@Suite("What a provider took of a notification over time") struct AcceptedSeriesTests {
    private static func second(_ number: Int64) -> Timestamp { Timestamp(milliseconds: number * 1_000) }

    @Test("nothing makes no point, a second one")
    func few() {
        #expect(AcceptedSeries([:]).points == [])
        let one = AcceptedSeries([Self.second(90): 7])
        #expect(one.step == .seconds(1) && one.points == [.init(at: Self.second(90), accepted: 7)])
    }

    @Test("a short send has a point a second, also where nothing was taken")
    func short() {
        let series = AcceptedSeries([Self.second(100): 5, Self.second(103): 2])
        #expect(series.points.map(\.at) == (100...103).map(Self.second))
        #expect(series.points.map(\.accepted) == [5, 0, 0, 2])
    }

    @Test(
        "a longer one has longer steps, sixty points at most, and every delivery",
        arguments: [(59, 1), (60, 5), (3_600, 300), (86_400, 3_600), (400 * 86_400, 691_200)] as [(Int64, Int64)]
    )
    func long(last: Int64, step: Int64) {
        let found = Dictionary((0...100).map { (Self.second(last * $0 / 100), Int($0) + 1) }) { $0 + $1 }
        let series = AcceptedSeries(found)
        #expect(series.step == .seconds(step))
        #expect((2...60).contains(series.points.count))
        #expect(series.points.reduce(0) { $0 + $1.accepted } == found.values.reduce(0, +))
        #expect(series.points.allSatisfy { $0.at.rawValue % (step * 1_000) == 0 })
    }
}
