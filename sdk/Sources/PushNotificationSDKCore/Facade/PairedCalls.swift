/// The two calls by which the system tells an app in front of one push that wakes it and has an alert, a sound or a
/// number for the icon. The second call has neither the identifier nor the date of the first: only the content says
/// that they are one.
///
/// And those by which an app hands over once more what the automatic way took, as the async form of a delegate's method
/// does: it runs when the system's call has returned.
struct PairedCalls: Sendable {
    /// One of the two.
    enum Call: Sendable {
        case willPresent
        case didReceiveRemote
    }

    /// How long the second may take, in milliseconds: ours; the system makes them one right after the other.
    static let span: Int64 = 2000

    private var first: [(call: Call, payload: NotificationPayload, time: Int64)] = []
    private var automatic: [(payload: NotificationPayload, time: Int64)] = []

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

    /// Takes a push that woke the app.
    ///
    /// - Parameters:
    ///   - isAutomatic: whether the app did not hand it over itself.
    ///   - now: by the monotonic clock.
    /// - Returns: whether the app hands over what the automatic way took. What comes twice in one way is two pushes.
    mutating func isHandedAgain(_ payload: NotificationPayload, isAutomatic: Bool, at now: Int64) -> Bool {
        automatic.removeAll { now - $0.time > Self.span }
        guard !isAutomatic else {
            automatic.append((payload, now))
            return false
        }
        guard let index = automatic.firstIndex(where: { $0.payload == payload }) else { return false }
        automatic.remove(at: index)
        return true
    }
}
