package import Foundation

/// The city's clocks: in which minutes of the week, as people there count them, an alert is active from now on.
///
/// Where the clocks go forward, the minutes that they pass over are in no window; where they go back, the minutes that
/// come twice are in it both times.
package struct CityCalendar: Sendable {
    private let zone: TimeZone
    /// After so many days every minute of the week has come, those that a change of the clocks passed over too.
    private static let horizon = 8 * 24 * 60 * 60
    /// 1970 began on a Thursday.
    private static let firstMinute = 3 * 24 * 60

    package init(zone: TimeZone) { self.zone = zone }

    /// - Returns: the minutes; all of them without periods.
    package func minutes(of periods: [ActivePeriod], from now: Date) -> WeekMinutes {
        guard !periods.isEmpty else { return .all }
        var minutes = WeekMinutes()
        let now = Int(now.timeIntervalSince1970)
        for period in periods {
            let start = max(period.start ?? now, now)
            let end = min(period.end ?? .max, start + Self.horizon)
            guard start < end else { continue }
            if end - start >= Self.horizon { return .all }
            insert(start..<end, into: &minutes)
        }
        return minutes
    }

    private func insert(_ range: Range<Int>, into minutes: inout WeekMinutes) {
        var start = range.lowerBound
        while start < range.upperBound {
            let date = Date(timeIntervalSince1970: Double(start))
            let offset = zone.secondsFromGMT(for: date)
            let change =
                zone.nextDaylightSavingTimeTransition(after: date).map { Int($0.timeIntervalSince1970) } ?? .max
            let end = min(range.upperBound, change > start ? change : .max)
            let first = Self.floor(start + offset), last = Self.floor(end + offset - 1) + 1
            minutes.insert(wrapping: (first + Self.firstMinute)..<(last + Self.firstMinute))
            start = end
        }
    }

    private static func floor(_ seconds: Int) -> Int { (seconds - (((seconds % 60) + 60) % 60)) / 60 }
}
