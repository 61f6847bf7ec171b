/// The two calls by which the system tells an app in front of one push that wakes it and has a sound or a number for the icon,
/// and no alert. The second call has neither the identifier nor the date of the first: only the content says that they are one.
struct PairedCalls: Sendable {
    /// One of the two.
    enum Call: Sendable {
        case willPresent
        case didReceiveRemote
    }

    /// How long the second may take, in milliseconds: ours; the system makes them one right after the other.
    static let span: Int64 = 2000

    private var first: [(call: Call, payload: NotificationPayload, time: Int64)] = []

    /// Takes a call. A pair is over with its second: the same content may be sent again at once.
    ///
    /// - Parameter now: by the monotonic clock.
    /// - Returns: whether it is the second of a pair.
    mutating func isSecond(_ call: Call, of payload: NotificationPayload, at now: Int64) -> Bool {
        first.removeAll { now - $0.time > Self.span }
        if let index = first.firstIndex(where: { $0.call != call && $0.payload == payload }) {
            first.remove(at: index)
            return true
        }
        first.append((call, payload, now))
        return false
    }
}
