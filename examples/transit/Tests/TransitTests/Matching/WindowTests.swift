import Foundation
import Testing
import Transit

/// Windows by the city's clocks, and the active periods that fall into them.
@Suite struct WindowTests {
    private static let sydney = TimeZone(identifier: "Australia/Sydney")
    private static let mornings = TravelWindow(days: [1, 2, 3, 4, 5], from: "07:00", to: "09:00")
    private static let nights = TravelWindow(days: [5, 6], from: "22:00", to: "04:00")

    /// A time in Sydney, where the clocks go back on 5 April 2026 at 3:00 and forward on 4 October at 2:00.
    private static func time(_ text: String) throws -> Int {
        let date = try Date("\(text):00Z", strategy: .iso8601)
        return Int(date.timeIntervalSince1970)
    }

    private func isAffected(_ windows: [TravelWindow], _ period: (String?, String?), now: String) throws -> Bool {
        let zone = try #require(Self.sydney)
        let rider = Rider(id: "a", favourites: [Favourite(route: "T4", windows: windows)])
        let network = Network(timeZone: "Australia/Sydney", routes: [.init(id: "T4")])
        let matcher = AlertMatcher(riders: [rider], network: network, calendar: CityCalendar(zone: zone))
        let period = ActivePeriod(
            start: try period.0.map { try Self.time($0) },
            end: try period.1.map { try Self.time($0) }
        )
        let alert = ServiceAlert(
            id: "a",
            header: TranslatedText([.init("x")]),
            periods: [period],
            entities: [InformedEntity(route: "T4")]
        )
        return !matcher.affected(by: alert, now: Date(timeIntervalSince1970: Double(try Self.time(now)))).isEmpty
    }

    @Test(
        "an alert affects a rider who travels while it is active (times in UTC; Sydney is 11 hours ahead)",
        arguments: [
            // Tuesday 07:30 to 08:00 in Sydney.
            (mornings, "2026-03-30T20:30", "2026-03-30T21:00", "2026-03-30T10:00", true),
            // Tuesday 09:00 to 12:00: the window ends when it begins.
            (mornings, "2026-03-30T22:00", "2026-03-31T01:00", "2026-03-30T10:00", false),
            // It began at 06:00, and it is 09:00 now: what is over does not count.
            (mornings, "2026-03-30T19:00", "2026-03-31T01:00", "2026-03-30T22:00", false),
            (mornings, "2026-03-30T19:00", "2026-03-31T01:00", "2026-03-30T21:59", true),
            // The whole of a weekend.
            (mornings, "2026-04-03T14:00", "2026-04-05T13:00", "2026-04-03T10:00", false),
            // Without an end every window comes.
            (mornings, "2026-04-03T14:00", nil, "2026-04-03T10:00", true),
            // Saturday 02:00 belongs to Friday's night, Sunday 05:00 to none.
            (nights, "2026-04-03T15:00", "2026-04-03T16:00", "2026-04-03T10:00", true),
            (nights, "2026-04-04T19:30", "2026-04-04T20:00", "2026-04-03T10:00", false),
        ] as [(TravelWindow, String?, String?, String, Bool)]
    )
    func windows(window: TravelWindow, start: String?, end: String?, now: String, told: Bool) throws {
        #expect(try isAffected([window], (start, end), now: now) == told)
    }

    @Test(
        "where the clocks change",
        arguments: [
            // 5 April: 02:30 comes twice, at 15:30 and at 16:30 UTC.
            ("02:15", "02:45", "2026-04-04T15:15", "2026-04-04T15:45", true),
            ("02:15", "02:45", "2026-04-04T16:15", "2026-04-04T16:45", true),
            ("02:15", "02:45", "2026-04-04T15:45", "2026-04-04T16:15", false),
            // From 17:00 UTC on Sydney is 10 hours ahead: 03:30 is 17:30.
            ("03:15", "03:45", "2026-04-04T17:15", "2026-04-04T17:45", true),
            ("03:15", "03:45", "2026-04-04T16:15", "2026-04-04T16:45", false),
            // 4 October: after 01:59 comes 03:00, at 16:00 UTC.
            ("02:15", "02:45", "2026-10-03T15:00", "2026-10-03T18:00", false),
            ("03:00", "03:15", "2026-10-03T16:00", "2026-10-03T16:10", true),
        ]
    )
    func clocks(from: String, to: String, start: String, end: String, told: Bool) throws {
        let window = TravelWindow(days: [7], from: from, to: to)
        #expect(try isAffected([window], (start, end), now: start) == told)
    }

    @Test("a window over the end of the week goes on at its beginning")
    func weekEnd() {
        let minutes = WeekMinutes([TravelWindow(days: [7], from: "23:00", to: "01:00")])
        #expect(minutes.contains(0) && minutes.contains(59) && !minutes.contains(60))
        #expect(minutes.contains(WeekMinutes.count - 1) && !minutes.contains(WeekMinutes.count - 61))
    }

    @Test(
        "times of day",
        arguments: [("00:00", 0), ("24:00", 1_440), ("09:05", 545), ("24:01", nil), ("9:00", nil), ("", nil)]
    )
    func times(text: String, minutes: Int?) { #expect(TravelWindow.minutes(text) == minutes) }
}
