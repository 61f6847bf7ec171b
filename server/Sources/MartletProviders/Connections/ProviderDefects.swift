import CoreMetrics
import Logging
import MartletCore
import MartletWire
import Metrics
import Synchronization

/// Counts and logs answers that we should never get: to requests that were our own mistake, and those that the provider's
/// documents do not have. Each reason is logged once.
final class ProviderDefects: Sendable {
    private let service: String
    private let platform: Platform
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

    /// Reasons come from the peer; this many is more than providers have, and bounds what is kept.
    private static let limit = 128

    /// - Parameters:
    ///   - service: the provider's name, for the log.
    ///   - platform: the provider, for the metric.
    init(service: String, platform: Platform, metrics: any MetricsFactory, logger: Logger) {
        self.service = service
        self.platform = platform
        self.metrics = metrics
        self.logger = logger
    }

    /// Notes an answer to a request that was our mistake, or else one that is unknown; no other.
    func note(_ answer: some ServiceAnswer, isDefect: Bool, isUnknown: Bool) {
        guard isDefect || isUnknown else { return }
        let reason = answer.recordedReason
        let isNew = isNew(Answer(isDefect: isDefect, status: isDefect ? 0 : answer.status, reason: reason))
        if isDefect {
            counter(of: reason).increment()
            if isNew {
                logger.error("\(service) refused a request that was our mistake", metadata: ["reason": "\(reason)"])
            }
        } else if isNew {
            logger.warning(
                answer.isForeign
                    ? "the provider's address refuses without \(service)'s words: check the credential's url and any proxy"
                    : "\(service) gave an answer that this version does not know",
                metadata: ["status": "\(answer.status)", "reason": "\(reason)"]
            )
        }
    }

    /// Of known reasons only, so that the peer cannot make more and more counters.
    private func counter(of reason: String) -> Counter {
        counters.withLock { counters in
            if let counter = counters[reason] { return counter }
            if counters.count >= Self.limit {
                return makeCounter("other")
            }
            let counter = makeCounter(reason)
            counters[reason] = counter
            return counter
        }
    }

    private func makeCounter(_ reason: String) -> Counter {
        let dimensions = [("platform", platform.rawValue), ("reason", reason)]
        return Counter(label: "martlet_provider_defects_total", dimensions: dimensions, factory: metrics)
    }

    private func isNew(_ answer: Answer) -> Bool {
        logged.withLock { $0.count < Self.limit && $0.insert(answer).inserted }
    }
}
