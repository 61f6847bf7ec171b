import Foundation
import Synchronization

/// The time of an answer as HTTP writes it (RFC 9110, section 5.6.7), made once a second.
enum HTTPDate {
    private static let last = Mutex<(second: time_t, text: String)>((0, ""))

    /// The text for `Date` now.
    static var now: String {
        let second = time(nil)
        return last.withLock { last in
            if last.second != second { last = (second, text(of: second)) }
            return last.text
        }
    }

    /// The text of a time in seconds since 1970. The C locale is the process's: nothing sets another one.
    static func text(of second: time_t) -> String {
        var (second, parts) = (second, tm())
        gmtime_r(&second, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            strftime(start, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(cString: start)
        }
    }
}
