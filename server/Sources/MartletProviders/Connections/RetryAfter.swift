import MartletCore

/// How long a provider asks us to wait. A pure function.
enum RetryAfter {
    /// What an answer can make us wait at most. Ours.
    static let longest: Duration = .seconds(3_600)

    /// The header `retry-after`, in seconds or as a date (RFC 9110, section 10.2.3), where one of the past is none;
    /// `nil` for what is neither.
    static func delay(_ text: String?, now: Timestamp) -> Duration? {
        guard let text else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number that is too large for one is longer than the longest.
            return Int64(text).map { bounded(.seconds($0)) } ?? longest
        }
        return HTTPDate.parse(text).map { bounded($0 - now) }
    }

    /// Between nothing and the longest.
    static func bounded(_ delay: Duration) -> Duration { min(max(.zero, delay), longest) }
}
