import Foundation

/// When a request that failed is tried again.
package struct RetryPolicy: Sendable, Hashable {
    /// Attempts after the first: three, of the specification.
    package var retries = 3
    /// The upper bound of the first wait in milliseconds; it doubles with each.
    package var base: Int64 = 500
    /// The longest wait in milliseconds, the server's wishes included: a caller waits, and the system gives the
    /// background about 30 s.
    package var longest: Int64 = 20_000

    /// The policy of token registrations.
    package init() {}

    /// How long to wait before the next attempt.
    ///
    /// - Parameters:
    ///   - attempt: how many attempts were made, from 1.
    ///   - retryAfter: what the server asked for, in milliseconds.
    ///   - random: from 0 up to 1: half of the wait is jittered: devices come back neither together nor at once.
    /// - Returns: milliseconds, or `nil` when there is no next attempt.
    package func wait(after attempt: Int, retryAfter: Int64?, random: Double) -> Int64? {
        guard attempt <= retries else { return nil }
        let bound = min(longest, base << min(attempt - 1, 10))
        guard let retryAfter else { return bound / 2 + Int64(Double(bound / 2) * random) }
        let wait = retryAfter + Int64(Double(bound) * random)
        return wait <= longest ? wait : nil
    }

    /// Whether another attempt can end better, by the status of the answer.
    package static func isTemporary(status: Int) -> Bool {
        status == 429 || (500...599).contains(status)
    }
}

extension HTTPAnswer {
    /// What `Retry-After` asks for (RFC 9110, section 10.2.3), in milliseconds from now: seconds or a date.
    package func retryAfter(now: Int64) -> Int64? {
        guard let text = header("Retry-After")?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        // A week is more than any wait here; beyond it nothing is told apart.
        let week: Int64 = 7 * 24 * 60 * 60 * 1000
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int64(text).map { min($0, week / 1000) * 1000 } ?? week
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        guard let date = format.date(from: text) else { return nil }
        return min(max(0, Int64(date.timeIntervalSince1970 * 1000) - now), week)
    }
}
