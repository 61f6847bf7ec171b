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
    }

    /// How many `wrongTopic` answers in one checkpoint, being at least half of all, mean that the app is at fault and
    /// not each endpoint. Ours: a handful of stray tokens must not stop an app, a wrong bundle id hits all of them.
    static let bulkWrongTopic = 20

    private(set) var settlement: Settlement
    private let setting: Setting
    private var retries: [Timestamp: [Member]] = [:]
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
        let strays = answers.count { Checkpoint.isWrongTopic($0.outcome) }
        let isBulk = strays >= Checkpoint.bulkWrongTopic && strays * 2 >= answers.count
        for answer in answers {
            apply(isBulk ? Checkpoint.blamingApp(answer) : answer)
        }
        addRetryBatches()
    }

    private mutating func apply(_ answer: Answer) {
        let batch = setting.batch
        let member = answer.send.member
        let verdict = Verdict(
            answer.outcome,
            Verdict.Circumstances(
                attempts: batch.attempts + 1,
                policy: batch.retry,
                expiresAt: batch.expiresAt,
                now: setting.now,
                jitter: setting.jitter,
                environment: batch.lane.environment,
                isEndpointEnvironmentKnown: answer.send.isEnvironmentKnown,
                mayTryOtherEnvironment: !batch.isEnvironmentKnown && setting.hasOtherEnvironment
            )
        )
        if let change = verdict.change {
            settlement.changes.append(EndpointChange(endpoint: member.endpoint, kind: change))
        }
        switch verdict.consequence {
        case .end(let state, let reason):
            settlement.facts.append(
                Fact(member: member, state: state, reason: reason, attempts: batch.attempts + 1)
            )
        case .retry(let moment): retries[moment, default: []].append(member)
        case .otherEnvironment: elsewhere.append(member)
        case .hold(let misconfiguration):
            settlement.remaining.append(member)
            settlement.pause = Pause(
                lane: batch.lane,
                reason: misconfiguration.reason,
                advice: misconfiguration.advice,
                since: setting.now
            )
        }
    }

    private mutating func addRetryBatches() {
        let batch = setting.batch
        for (moment, members) in retries.sorted(by: { $0.key < $1.key }) {
            settlement.retries.append(
                BatchDraft(
                    lane: batch.lane,
                    isEnvironmentKnown: batch.isEnvironmentKnown,
                    attempts: batch.attempts + 1,
                    notBefore: moment,
                    members: members
                )
            )
        }
        guard !elsewhere.isEmpty else { return }
        let lane = Lane(
            app: batch.lane.app,
            platform: batch.lane.platform,
            environment: batch.lane.environment.other
        )
        // The other environment is the last one there is: from here on a bad token is a bad token.
        settlement.retries.append(
            BatchDraft(lane: lane, isEnvironmentKnown: true, attempts: batch.attempts + 1, members: elsewhere)
        )
    }

    private static func isWrongTopic(_ outcome: Outcome) -> Bool {
        if case .rejected(let rejection) = outcome { rejection.meaning == .wrongTopic } else { false }
    }

    private static func blamingApp(_ answer: Answer) -> Answer {
        guard case .rejected(let rejection) = answer.outcome, rejection.meaning == .wrongTopic else { return answer }
        let advice =
            "Most tokens do not belong to this credential's topic: check the app's bundle id and store the credential "
            + "with the right one."
        return Answer(
            send: answer.send,
            outcome: .misconfigured(Outcome.Misconfiguration(reason: rejection.reason, advice: advice))
        )
    }
}
