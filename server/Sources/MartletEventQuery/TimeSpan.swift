import Foundation

/// A length of time as Treasure Data writes it: `-1h`, `7d`, `1d2h30m`, `-1w`.
struct TimeSpan {
    /// Whole seconds.
    let seconds: Int64

    /// Reads a sequence of numbers with units; a sign counts for what follows it.
    init?(_ text: String) {
        var total: Int64 = 0
        var sign: Int64 = 1
        var number: Int64?
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "+"), UInt8(ascii: "-"):
                guard number == nil else { return nil }
                sign = byte == UInt8(ascii: "-") ? -1 : 1
            case 0x30...0x39:
                // Twelve digits of weeks are within 64 bits.
                guard (number ?? 0) < 100_000_000_000 else { return nil }
                number = (number ?? 0) * 10 + Int64(byte - 0x30)
            default:
                guard let count = number, let unit = TimeSpan.units[byte | 0x20] else { return nil }
                let (sum, isOver) = total.addingReportingOverflow(sign * count * unit)
                guard !isOver else { return nil }
                total = sum
                number = nil
            }
        }
        guard number == nil, !text.isEmpty, text.utf8.contains(where: { $0 >= 0x41 }) else { return nil }
        seconds = total
    }

    private static let units: [UInt8: Int64] = [
        UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3_600, UInt8(ascii: "d"): 86_400,
        UInt8(ascii: "w"): 604_800,
    ]
}

/// A time on a wall: `2026-03-01`, `2026-03-01 12:00:00`, `2026-03-01T12:00:00`.
struct CalendarTime {
    private let components: DateComponents

    /// Reads a date, with or without a time.
    init?(_ text: String) {
        let parts = text.split { $0 == " " || $0 == "T" }
        guard (1...2).contains(parts.count) else { return nil }
        let date = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        let clock = parts.dropFirst().flatMap { part in
            part.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        }
        guard date.count == 3, let year = date[0], let month = date[1], let day = date[2],
            clock.isEmpty || (2...3).contains(clock.count), !clock.contains(nil),
            (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let times = clock.compactMap(\.self) + [0, 0, 0]
        guard (0..<24).contains(times[0]), (0..<60).contains(times[1]), (0..<60).contains(times[2]) else { return nil }
        components = DateComponents(
            year: year,
            month: month,
            day: day,
            hour: times[0],
            minute: times[1],
            second: times[2]
        )
    }

    /// Unix seconds of that time in a zone.
    func seconds(in zone: TimeZone) -> Int64? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar.date(from: components).map { Int64($0.timeIntervalSince1970) }
    }
}

/// The names of time zones that Treasure Data takes.
enum TimeZoneName {
    /// A zone by an abbreviation such as `JST`, an offset such as `+0900`, or a name such as `Asia/Tokyo`.
    static func offset(_ name: String) -> TimeZone? {
        if let hours = common[name.uppercased()] { return TimeZone(secondsFromGMT: hours * 3_600) }
        if let sign = name.first, sign == "+" || sign == "-" {
            let digits = name.dropFirst().filter { $0 != ":" }
            guard digits.count == 4, let number = Int(digits), number / 100 < 15, number % 100 < 60 else { return nil }
            let seconds = (number / 100 * 60 + number % 100) * 60
            return TimeZone(secondsFromGMT: sign == "-" ? -seconds : seconds)
        }
        return name.count <= 64 ? TimeZone(identifier: name) : nil
    }

    // The same on every machine, whatever its own table of abbreviations says.
    private static let common = [
        "UTC": 0, "GMT": 0, "JST": 9, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8,
        "PDT": -7, "CET": 1, "CEST": 2,
    ]
}
