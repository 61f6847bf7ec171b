import MartletCore
import MartletTransport

/// What a push service answered to one request.
protocol ServiceAnswer: Sendable {
    var status: Int { get }
    var retryAfter: Duration? { get }
    /// The reason that is recorded: the service's word, or the status where it gave none.
    var recordedReason: String { get }
    /// Whether it refuses without the service's form: a proxy's word or another server's.
    var isForeign: Bool { get }
}

extension ServiceAnswer {
    func rejected(_ meaning: Outcome.Meaning = .nothing) -> Outcome {
        .rejected(.init(reason: recordedReason, meaning: meaning))
    }

    /// A retry when the service says.
    func retry(_ kind: Outcome.Retry.Kind) -> Outcome {
        .retry(.init(reason: recordedReason, kind: kind, after: retryAfter))
    }

    func misconfigured(_ advice: String) -> Outcome { .misconfigured(.init(reason: recordedReason, advice: advice)) }
}

/// An answer that is judged by its body and two fields of its head.
protocol DatedAnswer: Sendable {
    /// An answer as it came; what cannot be read of it counts as absent.
    init(status: Int, body: [UInt8], date: String?, retryAfter: String?, now: Timestamp)
}

extension DatedAnswer {
    /// The header fields that an answer is judged by.
    static var fields: [String] { ["date", "retry-after"] }

    /// An answer as the transport gives it.
    init(_ response: HTTP2Response, now: Timestamp) {
        self.init(
            status: response.status,
            body: response.body,
            date: response.value(of: "date"),
            retryAfter: response.value(of: "retry-after"),
            now: now
        )
    }
}

/// What it means that there is no answer.
struct MissingAnswer: Sendable {
    /// What allows requests to be sent, and why they are not once it is withdrawn.
    var permit: (permit: HTTP2Permit, reason: String)?
    /// Whose trouble it is.
    var kind = Outcome.Retry.Kind.connection

    /// The outcome of a request that was given to a pool.
    func outcome(of failure: HTTP2Failure, over pool: HTTP2ClientPool) -> Outcome {
        if case .unprocessed = failure, let permit, permit.permit.isWithdrawn {
            // Due at once: the next token is there by then, or the attempt says when it may be.
            return .reroute(reason: permit.reason)
        }
        let hasConnection = pool.status.connections.contains { !$0.isSilent }
        return Self.outcome(of: failure, hasConnection: hasConnection, kind: kind)
    }

    /// The outcome; a request that no peer has disowned is not due at once without any connection that answers, because
    /// the next connection would fail as well.
    static func outcome(
        of failure: HTTP2Failure,
        hasConnection: Bool,
        kind: Outcome.Retry.Kind = .connection
    ) -> Outcome {
        switch failure {
        case .unprocessed(let reason, let isDisowned) where isDisowned || hasConnection:
            .reroute(reason: bounded(reason))
        case .unprocessed(let reason, _): .retry(.init(reason: bounded(reason), kind: kind))
        case .lost(let reason): .retry(.init(reason: bounded(reason), kind: kind))
        case .deadline: .retry(.init(reason: "NoAnswerInTime", kind: kind))
        case .reset(let code): .retry(.init(reason: "StreamReset \(code)", kind: kind))
        case .limit(let limit): .retry(.init(reason: bounded(limit), kind: kind))
        }
    }

    /// 200 bytes say why; reasons are stored with deliveries.
    static func bounded(_ reason: String) -> String { String(decoding: reason.utf8.prefix(200), as: UTF8.self) }
}
