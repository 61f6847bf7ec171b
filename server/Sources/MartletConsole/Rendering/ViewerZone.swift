import Foundation
import MartletCore

/// The zone of whoever reads the page that is being answered, in which it says times. The page's script tells it in a cookie;
/// who has no script chooses it on their account's page; UTC until then.
enum ViewerZone {
    static let utc = TimeZone(secondsFromGMT: 0) ?? .current
    /// Bound while a request is answered, so that each of the places that show a time need not hand it on.
    @TaskLocal static var current = utc

    /// The zone of a name such as `Asia/Tokyo`; `nil` where this machine knows none of it.
    static func named(_ name: String) -> TimeZone? {
        // Abbreviations mean several zones, and the longest name has 30 characters.
        guard name == "UTC" || name.contains("/"), name.utf8.count <= 64 else { return nil }
        return name == "UTC" ? utc : TimeZone(identifier: name)
    }

    /// The present one's name.
    static var name: String { current == utc ? "UTC" : current.identifier }

    /// When a day such as `2026-11-28` begins and ends there; `nil` for what is no day.
    static func day(_ text: String) -> (begin: Date, end: Date)? {
        // Noon is there where clocks are put forward at midnight.
        guard let noon = LocalMoment(text + "T12:00")?.moment(in: current) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = current
        let begin = calendar.startOfDay(for: Date(timeIntervalSince1970: Double(noon.rawValue) / 1_000))
        return calendar.date(byAdding: .day, value: 1, to: begin).map { (begin, calendar.startOfDay(for: $0)) }
    }
}
