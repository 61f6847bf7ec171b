import MartletCore

/// Turns the answers that a batch has got so far into one settlement. A pure value.
struct Checkpoint: Sendable {
    /// One answer to one send.
    struct Answer: Sendable {
        var send: AttemptPlan.Send
        var outcome: Outcome
    }

    /// What the whole batch has in common.
    struct Setting: Sendable {
        var batch: Batch
        var now: Timestamp
        var jitter: Double
        /// Whether the app has a credential for the provider's other environment.
        var hasOtherEnvironment: Bool
        /// The topic that the batch goes to; `nil` where the message names one that is not its credential's own.
        var topic: CredentialTopic?
        /// What the batch is sent with.
        var credential: RowID<Credential>?
    }

    private(set) var settlement: Settlement
    private let setting: Setting
    private let isTopicAccepted: Bool
    private var retries: [Due: Deferred] = [:]
    private var reroutes: [Due: Deferred] = [:]
    private var words = ReasonWords()
    private var elsewhere: [Member] = []

    /// What a checkpoint records.
    ///
    /// - Parameters:
    ///   - answers: what has been answered since the last checkpoint.
    ///   - unanswered: what has no answer yet and stays in the batch.
    init(_ settlement: Settlement, setting: Setting, answers: [Answer], unanswered: [Member]) {
        self.settlement = settlement
        self.setting = setting
        self.settlement.remaining += unanswered
        isTopicAccepted =
            setting.topic.map { $0.standing == .accepted || answers.contains { $0.outcome == .accepted } } ?? false
        for answer in answers { apply(answer) }
        addRetryBatches()
        noteTopic(answers)
    }

    /// Notes what is news about the topic: the first acceptance, and before it the first word of a wrong topic.
    private mutating func noteTopic(_ answers: [Answer]) {
        guard var topic = setting.topic, topic.standing != .accepted else { return }
        if isTopicAccepted {
            topic.standing = .accepted
        } else if topic.standing == nil, answers.contains(where: { Checkpoint.isWrongTopic($0.outcome) }) {
            topic.standing = .refused
        } else {
            return
        }
        settlement.topic = topic
    }

    private mutating func apply(_ answer: Answer) {
        let batch = setting.batch
        let member = answer.send.member
        let verdict = Verdict(
            answer.outcome,
            Verdict.Circumstances(
                attempts: batch.attempts + 1,
                hasWaited: batch.hasWaited,
                policy: batch.retry,
                expiresAt: batch.expiresAt,
                now: setting.now,
                jitter: setting.jitter,
                environment: batch.queue.environment,
                isEndpointEnvironmentKnown: answer.send.isEnvironmentKnown,
                mayTryOtherEnvironment: !batch.isEnvironmentKnown && setting.hasOtherEnvironment,
                isTopicAccepted: isTopicAccepted
            )
        )
        if let change = verdict.change {
            settlement.changes.append(EndpointChange(endpoint: member.endpoint, kind: change))
        }
        switch verdict.consequence {
        case .end(let state, let reason):
            // What was not processed was not tried.
            let attempts = if case .reroute = answer.outcome { batch.attempts } else { batch.attempts + 1 }
            settlement.results.append(DeliveryResult(member: member, state: state, reason: reason, attempts: attempts))
        case .retry(let moment):
            let key = due(moment, answer)
            retries[key, default: Deferred()].add(member, answer.outcome.delayReason)
        case .reroute(let moment):
            let key = due(moment, answer)
            reroutes[key, default: Deferred()].add(member, answer.outcome.delayReason)
        case .otherEnvironment: elsewhere.append(member)
        case .hold(let misconfiguration):
            settlement.remaining.append(member)
            settlement.pause = Pause(
                queue: batch.queue,
                reason: misconfiguration.reason,
                advice: misconfiguration.advice,
                since: setting.now
            )
            settlement.pause?.credential = setting.credential
        }
    }

    /// When something is due, and why it is so late: few words, because each is a batch of its own.
    private mutating func due(_ moment: Timestamp, _ answer: Answer) -> Due {
        Due(moment: moment, word: words.word(for: answer.outcome.delayReason, sentence: ReasonWords.connection))
    }

    private mutating func addRetryBatches() {
        let batch = setting.batch
        for (attempts, due) in [(batch.attempts, reroutes), (batch.attempts + 1, retries)] {
            for (key, deferred) in due.sorted(by: { ($0.key.moment, $0.key.word) < ($1.key.moment, $1.key.word) }) {
                settlement.retries.append(
                    BatchDraft(
                        queue: batch.queue,
                        isEnvironmentKnown: batch.isEnvironmentKnown,
                        attempts: attempts,
                        notBefore: key.moment,
                        lastReason: deferred.reason ?? key.word,
                        members: deferred.members
                    )
                )
            }
        }
        guard !elsewhere.isEmpty else { return }
        let queue = DeliveryQueue(
            app: batch.queue.app,
            platform: batch.queue.platform,
            environment: batch.queue.environment.other
        )
        // The other environment is the last one there is: from here on a bad token is a bad token.
        settlement.retries.append(
            BatchDraft(queue: queue, isEnvironmentKnown: true, attempts: batch.attempts + 1, members: elsewhere)
        )
    }

    /// What comes back together.
    private struct Due: Hashable {
        var moment: Timestamp
        var word: String
    }

    private struct Deferred {
        var members: [Member] = []
        /// The reason, where all have the same one.
        var reason: String?

        mutating func add(_ member: Member, _ reason: String) {
            if members.isEmpty { self.reason = reason } else if self.reason != reason { self.reason = nil }
            members.append(member)
        }
    }

    private static func isWrongTopic(_ outcome: Outcome) -> Bool {
        if case .rejected(let rejection) = outcome { rejection.meaning == .wrongTopic } else { false }
    }
}

extension Outcome {
    /// Why it is not over: the reason of what is tried again.
    fileprivate var delayReason: String {
        switch self {
        case .retry(let retry): retry.reason
        case .reroute(let reason, _): reason
        case .accepted, .rejected, .misconfigured: ""
        }
    }
}
