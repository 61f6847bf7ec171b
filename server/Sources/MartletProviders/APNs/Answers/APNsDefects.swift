import CoreMetrics
import Logging
import MartletCore
import Metrics
import Synchronization

/// Counts and logs answers that we should never get: to requests that were our own mistake, and those that Apple's
/// documents do not have. Each reason is logged once.
final class APNsDefects: Sendable {
    private let metrics: any MetricsFactory
    private let logger: Logger
    private let logged = Mutex<Set<Answer>>([])
    /// Those that were needed so far.
    private let counters = Mutex<[String: Counter]>([:])

    private struct Answer: Hashable {
        var isDefect: Bool
        var status: Int
        var reason: String
    }

    /// Reasons come from the peer; this many is more than Apple has, and bounds what is kept.
    private static let limit = 128

    init(metrics: any MetricsFactory, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    /// Notes what a verdict says beside its outcome.
    func note(_ verdict: APNsVerdict, of answer: APNsAnswer) {
        guard verdict.reaction == .defect || verdict.isUnknown else { return }
        let reason = answer.recordedReason
        if verdict.reaction == .defect {
            let isNew = isNew(Answer(isDefect: true, status: answer.status, reason: reason))
            counter(of: reason).increment()
            if isNew {
                logger.error("APNs refused a request that was our mistake", metadata: ["reason": "\(reason)"])
            }
        } else if isNew(Answer(isDefect: false, status: answer.status, reason: reason)) {
            logger.warning(
                answer.isForeign
                    ? "the provider's address refuses without APNs's words: check the credential's url and any proxy"
                    : "APNs gave an answer that this version does not know",
                metadata: ["status": "\(answer.status)", "reason": "\(reason)"]
            )
        }
    }

    /// Of known reasons only, so that the peer cannot make more and more counters.
    private func counter(of reason: String) -> Counter {
        counters.withLock { counters in
            if let counter = counters[reason] { return counter }
            let dimensions = [("reason", reason)]
            let counter = Counter(label: "martlet_apns_defects_total", dimensions: dimensions, factory: metrics)
            counters[reason] = counter
            return counter
        }
    }

    private func isNew(_ answer: Answer) -> Bool {
        logged.withLock { $0.count < Self.limit && $0.insert(answer).inserted }
    }
}
