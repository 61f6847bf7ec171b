package import Foundation

/// The day that it is somewhere, as `yyyy-MM-dd`: in the Gregorian calendar and in ASCII digits, whatever calendar,
/// language and digits the phone is set to.
package enum ObservedDay {
    /// The day of a moment in a time zone.
    ///
    /// - Parameter milliseconds: UTC milliseconds since 1970.
    package static func text(of milliseconds: Int64, in zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let moment = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        let parts = calendar.dateComponents([.year, .month, .day], from: moment)
        return [(parts.year, 4), (parts.month, 2), (parts.day, 2)].map(digits).joined(separator: "-")
    }

    /// Whether a text has the form of a day.
    package static func isDay(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.enumerated().allSatisfy { index, byte in
                index == 4 || index == 7 ? byte == UInt8(ascii: "-") : (0x30...0x39).contains(byte)
            }
    }

    private static func digits(_ number: Int?, _ count: Int) -> String {
        let text = String(number ?? 0)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
