import MartletCore
import MartletTransport

/// What it means that there is no answer.
enum MissingAnswer {
    /// The outcome; a request that no peer has disowned is not due at once without any connection that answers, because
    /// the next connection would fail as well.
    static func outcome(of failure: HTTP2Failure, hasConnection: Bool) -> Outcome {
        switch failure {
        case .unprocessed(let reason, let isDisowned) where isDisowned || hasConnection:
            .reroute(reason: bounded(reason))
        case .unprocessed(let reason, _): .retry(.init(reason: bounded(reason), kind: .connection))
        case .lost(let reason): .retry(.init(reason: bounded(reason), kind: .connection))
        case .deadline: .retry(.init(reason: "NoAnswerInTime", kind: .connection))
        case .reset(let code): .retry(.init(reason: "StreamReset \(code)", kind: .connection))
        case .limit(let limit): .retry(.init(reason: bounded(limit), kind: .connection))
        }
    }

    /// 200 bytes say why; reasons are stored with deliveries.
    private static func bounded(_ reason: String) -> String { String(decoding: reason.utf8.prefix(200), as: UTF8.self) }
}
