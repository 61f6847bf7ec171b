import Synchronization

/// What the pipeline counts since the start, for the operator: by queue, and read when somebody asks.
public final class DeliveryMetrics: Sendable {
    /// Answers of providers to one queue that are counted together.
    public struct Answer: Sendable, Hashable {
        /// Which queue.
        public var queue: DeliveryQueue
        /// The kind of ``Outcome``.
        public var outcome: String
        /// The provider's reason or ours, one of few words; empty for what was accepted.
        public var reason: String
    }

    /// Ends of deliveries of one queue that are counted together.
    public struct End: Sendable, Hashable {
        /// Which queue.
        public var queue: DeliveryQueue
        /// How they ended.
        public var state: DeliveryResult.State

        package init(queue: DeliveryQueue, state: DeliveryResult.State) {
            self.queue = queue
            self.state = state
        }
    }

    /// Suppressions of one app that are counted together.
    public struct Held: Sendable, Hashable {
        /// Whose.
        public var app: RowID<App>
        /// Why.
        public var reason: Suppression.Reason

        package init(app: RowID<App>, reason: Suppression.Reason) {
            self.app = app
            self.reason = reason
        }
    }

    /// All numbers at one moment.
    public struct Numbers: Sendable {
        /// Answers of providers.
        public fileprivate(set) var answers: [Answer: Int] = [:]
        /// Deliveries that ended.
        public fileprivate(set) var ends: [End: Int] = [:]
        /// Deliveries that were not made; those that the dedup claims hold back are not among them.
        public fileprivate(set) var suppressions: [Held: Int] = [:]
        /// Batches that are under way.
        public fileprivate(set) var batchesInFlight = 0
        fileprivate var words = ReasonWords()
    }

    private let state = Mutex(Numbers())

    /// The defaults.
    public init() {}

    /// All numbers now.
    public var numbers: Numbers { state.withLock { $0 } }

    /// Counts a provider's answers.
    package func count(_ outcomes: some Sequence<Outcome>, in queue: DeliveryQueue) {
        var accepted = 0
        state.withLock { numbers in
            // Others come in runs as well, and need words: those of each run are found once.
            var (last, run): (Outcome?, Int) = (nil, 0)
            for outcome in outcomes {
                // Most are this one, and need no words.
                if case .accepted = outcome {
                    accepted += 1
                } else if outcome == last {
                    run += 1
                } else {
                    if let last { numbers.count(last, run, in: queue) }
                    (last, run) = (outcome, 1)
                }
            }
            if let last { numbers.count(last, run, in: queue) }
            guard accepted > 0 else { return }
            numbers.answers[Answer(queue: queue, outcome: "accepted", reason: ""), default: 0] += accepted
        }
    }

    /// Counts what a settlement recorded.
    package func count(_ settlement: Settlement) {
        let queue = settlement.batch.queue
        var states: [DeliveryResult.State: Int] = [:]
        for result in settlement.results { states[result.state, default: 0] += 1 }
        state.withLock { numbers in
            for (state, count) in states { numbers.ends[End(queue: queue, state: state), default: 0] += count }
        }
        count(settlement.suppressions, of: queue.app)
    }

    /// Counts a batch that ended without a worker.
    package func count(_ batch: EndedBatch) {
        guard let queue = batch.queue, batch.deliveries > 0 else { return }
        state.withLock { $0.ends[End(queue: queue, state: batch.state), default: 0] += batch.deliveries }
    }

    /// Counts deliveries that are not made.
    package func count(_ suppressions: [Suppression], of app: RowID<App>) {
        guard !suppressions.isEmpty else { return }
        state.withLock { numbers in
            for suppression in suppressions {
                numbers.suppressions[Held(app: app, reason: suppression.reason), default: 0] += 1
            }
        }
    }

    /// Says how many batches are under way.
    package func show(batchesInFlight: Int) { state.withLock { $0.batchesInFlight = batchesInFlight } }
}

extension DeliveryMetrics.Numbers {
    fileprivate mutating func count(_ outcome: Outcome, _ times: Int, in queue: DeliveryQueue) {
        let (word, reason) =
            switch outcome {
            case .accepted: ("accepted", "")
            case .rejected(let rejection): ("rejected", words.word(for: rejection.reason))
            case .retry(let retry) where retry.kind == .connection:
                ("retry", words.word(for: retry.reason, sentence: ReasonWords.connection))
            case .retry(let retry): ("retry", words.word(for: retry.reason))
            case .reroute(let reason, _): ("reroute", words.word(for: reason, sentence: ReasonWords.connection))
            case .misconfigured(let what): ("misconfigured", words.word(for: what.reason))
            }
        answers[DeliveryMetrics.Answer(queue: queue, outcome: word, reason: reason), default: 0] += times
    }
}
