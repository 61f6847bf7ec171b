import Foundation
import MartletCore

/// A moment as a clock on a wall shows it, in a zone. A pure value.
struct LocalMoment: Sendable, Hashable {
    let year, month, day, hour, minute: Int

    /// What a browser's field for a date and a time says, such as `2026-11-28T09:00` (HTML Living Standard, "Local dates
    /// and times").
    init?(_ text: String) {
        let halves = text.split(whereSeparator: { $0 == "T" || $0 == " " })
        guard halves.count == 2 else { return nil }
        let date = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        let time = halves[1].split(separator: ":", omittingEmptySubsequences: false).prefix(2).map { Int($0) }
        guard date.count == 3, time.count == 2, let year = date[0], let month = date[1], let day = date[2],
            let hour = time[0], let minute = time[1], (1970...9999).contains(year)
        else { return nil }
        (self.year, self.month, self.day, self.hour, self.minute) = (year, month, day, hour, minute)
    }

    /// A moment as it is shown in a zone.
    init(_ moment: Timestamp, in zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let date = Date(timeIntervalSince1970: Double(moment.rawValue) / 1_000)
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        (year, month, day) = (parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1)
        (hour, minute) = (parts.hour ?? 0, parts.minute ?? 0)
    }

    /// That moment; `nil` where the zone's clocks never show it: on no day, or when they are put forward. Of two, when they
    /// are put back, the first.
    func moment(in zone: TimeZone) -> Timestamp? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var parts = DateComponents()
        (parts.year, parts.month, parts.day, parts.hour, parts.minute) = (year, month, day, hour, minute)
        guard let date = calendar.date(from: parts) else { return nil }
        let shown = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        let isSame =
            shown.year == year && shown.month == month && shown.day == day && shown.hour == hour
            && shown.minute == minute
        return isSame ? Timestamp(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded())) : nil
    }

    /// As people read it.
    var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day)) \(two(hour)):\(two(minute))"
    }
}
