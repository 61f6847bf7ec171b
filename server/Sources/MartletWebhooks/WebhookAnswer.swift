import MartletCore

/// What a call came to.
enum WebhookAnswer: Hashable, Sendable {
    /// The receiver answered; redirects are not followed.
    case status(Int)
    /// Nobody answered, or not in time.
    case failed(String)
    /// It may not be called.
    case refused(String)
    /// This server has too much to do to make it.
    case busy
    /// The server stops, or the delivery may be somebody else's by now.
    case cancelled
}

extension WebhookAnswer {
    /// When a call is made for which there was no capacity: a second later, ours; look-ups of names take about as long.
    private static let busyPause: Duration = .seconds(1)

    /// What becomes of a delivery. Success is 2xx; what is the receiver's own trouble (5xx), too much at a time (429)
    /// or no answer is tried again by the policy; everything else is the sender's and stays so (Amazon SNS, dead-letter
    /// queues: client-side errors are not retried). What this server has no capacity for costs no attempt.
    ///
    /// - Parameters:
    ///   - attempts: how many were made with this one.
    ///   - now: when the answer came.
    func outcome(afterAttempts attempts: Int, _ policy: DeliveryPolicy, now: Timestamp) -> WebhookOutcome {
        let reason: String
        switch self {
        case .status(200...299): return .delivered
        case .status(let code) where code == 429 || code >= 500: reason = "answered \(code)"
        case .status(let code): return .dead(reason: "answered \(code)")
        case .refused(let why): return .dead(reason: why)
        case .busy: return .deferred(until: now + Self.busyPause)
        case .cancelled: return .deferred(until: now)
        case .failed(let why): reason = why
        }
        guard let delay = policy.delay(afterAttempts: attempts) else { return .dead(reason: reason) }
        return .retry(at: now + delay, reason: reason)
    }

    /// What it tells of the host.
    ///
    /// - Parameters:
    ///   - start: when the call was made.
    ///   - now: when it was over.
    func sign(since start: Timestamp, now: Timestamp) -> WebhookHost.Sign {
        switch self {
        case .status: .answered
        case .failed where now - start >= WebhookHost.timeout: .silent(since: start)
        case .failed, .refused, .busy, .cancelled: .none
        }
    }
}
