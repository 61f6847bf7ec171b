import Foundation

/// Where the simulator reads the time, so that a test can age provider tokens.
package struct SimulatorClock: Sendable {
    /// Milliseconds since 1970, UTC.
    package var now: @Sendable () -> Int64

    /// A clock that asks `now` each time.
    package init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }
}

extension SimulatorClock {
    /// The machine's clock.
    package static let system = SimulatorClock {
        Int64(Date().timeIntervalSince1970 * 1_000)
    }
}

/// Formats an instant as HTTP's `Date` (IMF-fixdate, RFC 9110 section 5.6.7), once a second.
struct HTTPDate {
    private var second: Int64 = .min
    private var text = ""

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    mutating func text(at milliseconds: Int64) -> String {
        let now = milliseconds / 1_000
        if now == second { return text }
        second = now
        let date = Date(timeIntervalSince1970: TimeInterval(now))
        let parts = Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: date)
        func two(_ value: Int?) -> String { String("0\(value ?? 0)".suffix(2)) }
        // 1 January 1970 was a Thursday.
        let day = Self.days[Int((now / 86_400 + 4) % 7)]
        let month = Self.months[(parts.month ?? 1) - 1]
        let clock = "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
        text = "\(day), \(two(parts.day)) \(month) \(parts.year ?? 1970) \(clock) GMT"
        return text
    }
}
