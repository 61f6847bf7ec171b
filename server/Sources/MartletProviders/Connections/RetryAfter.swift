import MartletCore

/// How long a provider asks us to wait. A pure function.
enum RetryAfter {
    /// What an answer can make us wait at most. Ours.
    static let longest: Duration = .seconds(3_600)

    /// The header `retry-after`, in seconds or as a date (RFC 9110, section 10.2.3); `nil` for what is neither, and for no
    /// time at all: a server in trouble is not asked at once because of that.
    static func delay(_ text: String?, now: Timestamp) -> Duration? {
        guard let text else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number that is too large for one is longer than the longest.
            guard let seconds = Int64(text) else { return longest }
            return bounded(.seconds(seconds))
        }
        return HTTPDate.parse(text).flatMap { bounded($0 - now) }
    }

    /// At most the longest; none where there is nothing to wait for.
    static func bounded(_ delay: Duration) -> Duration? { delay > .zero ? min(delay, longest) : nil }
}
