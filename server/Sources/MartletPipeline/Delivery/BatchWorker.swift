import Logging
import MartletCore
import MartletStore
import MartletWire
import Synchronization

/// Carries one leased batch from attempt to settlement.
struct BatchWorker: Sendable {
    let store: Store
    let providers: [Platform: any Provider]
    let credentials: CredentialService
    let clock: any WallClock
    let metrics: DeliveryMetrics
    let breakers: QueueBreakers
    let onSettlement: Dispatcher.SettlementHandler?
    let wakeUps: WakeUps
    let logger: Logger
    /// Ticks at every ``checkpointInterval``.
    let ticker: Ticker
    /// For how long other processes take this one for alive; `nil` where there are no others.
    let presence: LeaseTerm?

    /// How often answers are recorded while others are still outstanding. Ours: what a crash may repeat is at most what
    /// was answered in this time.
    static let checkpointInterval: Duration = .milliseconds(250)

    /// Works on batches, side by side, until nothing more can be done with them now; what they need is read for all of
    /// them at once. What the store cannot record stays with its batch, which others take over when the lease ends.
    ///
    /// - Parameters:
    ///   - start: when the call began that leased them.
    ///   - sends: what begins to send one without a task, where that is possible.
    ///   - ended: called when one of them is through, while others may still be under way.
    func work(
        _ batches: [Batch],
        lease: Lease,
        since start: ContinuousClock.Instant,
        by sends: InlineSends,
        ended: @escaping @Sendable (Batch) -> Void
    ) async {
        do {
            let contexts = try await store.contexts(of: batches)
            await withDiscardingTaskGroup { group in
                for (batch, context) in zip(batches, contexts)
                where !sends.begin(batch, in: context, lease: lease, since: start, ended: ended) {
                    group.addTask {
                        await work(batch, in: context, lease: lease, since: start)
                        ended(batch)
                    }
                }
            }
        } catch {
            guard batches.count > 1 else {
                for batch in batches {
                    await leave(batch, lease, error)
                    ended(batch)
                }
                return
            }
            // One that cannot be read keeps none of the others from being sent.
            await withDiscardingTaskGroup { group in
                for batch in batches {
                    group.addTask { await work([batch], lease: lease, since: start, by: sends, ended: ended) }
                }
            }
        }
    }

    private func work(
        _ batch: Batch,
        in context: AttemptContext,
        lease: Lease,
        since start: ContinuousClock.Instant
    ) async {
        do {
            if let state = BatchWorker.endWithoutAttempt(batch, now: clock.now()) {
                try await settle(BatchWorker.ending(batch, lease: lease, state: state), app: context.app?.name)
                return
            }
            switch try attempt(batch, in: context, lease, LeaseTerm(of: Lease.duration, since: start)) {
            case .ends(let settlement): try await settle(settlement, app: context.app?.name)
            case .send(let push, let provider, let job):
                // What is not sent leaves the batch with its reason, in one transaction, before the answers of the rest do.
                if let opening = job.plan.opening(batch, lease: lease) { try await settle(opening, app: job.app) }
                guard !push.targets.isEmpty else { return }
                let buffer = OutcomeBuffer(count: push.targets.count)
                try await record(job, buffer) { await provider.send(push) { buffer.put($0, $1) } }
            }
        } catch {
            await leave(batch, lease, error)
        }
    }

    /// Ends the work on a batch that came to nothing; after some such tries it is quarantined (``LeaseAdmission``).
    func leave(_ batch: Batch, _ lease: Lease, _ error: any Error) async {
        logger.error(
            "a batch could not be worked on and will be resumed when its lease ends",
            metadata: ["batch": "\(batch.row.rawValue)", "error": "\(error)"]
        )
        do {
            try await store.endLease(.nackBatch(batch.row, lease))
            wakeUps.notify(.batches)
        } catch {
            report(error, "a lease could not be ended", batch)
        }
    }

    /// The state in which all of a batch ends without an attempt, if it does.
    static func endWithoutAttempt(_ batch: Batch, now: Timestamp) -> DeliveryResult.State? {
        if batch.isCancelled { return .cancelled }
        return now >= batch.expiresAt ? .expired : nil
    }

    private static func ending(_ batch: Batch, lease: Lease, state: DeliveryResult.State) -> Settlement {
        var settlement = Settlement(batch: batch, lease: lease)
        settlement.results = batch.members.map { DeliveryResult(member: $0, state: state, attempts: batch.attempts) }
        return settlement
    }

    /// What an attempt begins with.
    enum Attempt {
        /// Nothing is sent.
        case ends(Settlement)
        /// What the plan says is sent, if anything.
        case send(Push, any Provider, Job)
    }

    /// Decides on an attempt from what was read for it.
    func attempt(_ batch: Batch, in context: AttemptContext, _ lease: Lease, _ term: LeaseTerm) throws -> Attempt {
        var first = Settlement(batch: batch, lease: lease)
        guard let app = context.app, let provider = providers[batch.queue.platform], let message = context.message,
            let credential = context.credentials.first(where: { $0.queue == batch.queue.ofCredential })
        else {
            first.suppressions = BatchWorker.suppressAll(batch)
            return .ends(first)
        }
        if let reason = message.refusal {
            first.results = batch.members.map {
                DeliveryResult(member: $0, state: .rejected, reason: reason, attempts: batch.attempts)
            }
            return .ends(first)
        }
        let opened: OpenedCredential
        do {
            opened = try credentials.open(credential, of: app)
        } catch {
            first.remaining = batch.members
            first.isLeaseReleased = true
            first.pause = Pause(
                queue: batch.queue,
                reason: CredentialService.sealedReason,
                advice: error.detail.hint ?? error.detail.message,
                since: clock.now()
            )
            first.pause?.credential = credential.row
            return .ends(first)
        }
        let plan = AttemptPlan(batch, targets: context.targets)
        let ids = DeliveryID(notification: batch.notificationID)
        var push = Push(
            credential: opened,
            message: message,
            targets: plan.sends.map { send in
                let badge = context.badges.isEmpty ? nil : send.member.user.flatMap { context.badges[$0] }
                return Push.Target(
                    token: send.token,
                    id: ids.of(send.member.endpoint),
                    badge: badge,
                    subscription: send.subscription.flatMap {
                        credentials.vault.open($0, app: app.id, address: send.token)
                    }
                )
            },
            isUrgent: batch.class == .transactional
        )
        push.mayBegin = { [presence] in !term.isOver && !(presence?.isOver ?? false) }
        let hasOther = context.credentials.contains { credential in
            credential.environment == batch.queue.environment.other && credential.queue != batch.queue
        }
        let topic = provider.topic(of: message, with: credential.summary).map {
            CredentialTopic(credential: credential.row, name: $0, standing: credential.topics[$0])
        }
        let job = Job(
            batch: batch,
            lease: lease,
            term: term,
            plan: plan,
            hasOtherEnvironment: hasOther,
            topic: KnownTopic(topic),
            app: app.name,
            credential: credential.row
        )
        return .send(push, provider, job)
    }

    private static func suppressAll(_ batch: Batch) -> [Suppression] {
        batch.members.map { Suppression(endpoint: $0.endpoint, user: $0.user, reason: .noCredential) }
    }

    /// What the checkpoints of one batch have in common.
    struct Job: Sendable {
        var batch: Batch
        var lease: Lease
        /// Until when its pushes may begin.
        var term: LeaseTerm
        var plan: AttemptPlan
        var hasOtherEnvironment: Bool
        /// The topic, as it is known by now.
        fileprivate var topic: KnownTopic
        /// The app's name, for the log.
        var app: String
        /// What it is sent with.
        var credential: RowID<Credential>
    }

    /// Records answers as they come, until `sending` returns; the last checkpoint holds what is left and ends the lease. A
    /// lease that is lost cancels the sending: whoever has it now sends what has no answer.
    func record(_ job: Job, _ buffer: OutcomeBuffer, of sending: @escaping @Sendable () async -> Void) async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await sending() }
            group.addTask { await recordAnswers(in: buffer, for: job) }
            await group.next()
            group.cancelAll()
        }
        let answers = buffer.take()
        try await settle(checkpoint(answers, for: job, isLast: true), app: job.app)
        count(answers, for: job)
    }

    /// Records what has arrived, at every interval, and renews the lease, until it is cancelled or the lease is lost.
    private func recordAnswers(in buffer: OutcomeBuffer, for job: Job) async {
        var renewAt = clock.now() + Lease.renewalInterval
        while true {
            do { try await ticker.next() } catch { return }
            let answers = buffer.take()
            do {
                if !answers.arrived.isEmpty {
                    let settlement = checkpoint(answers, for: job, isLast: false)
                    try await record(settlement, app: job.app)
                    job.topic.learn(settlement.topic)
                    // What waits for an operator stays a member of the batch at every later checkpoint too.
                    let kept = Set(settlement.remaining)
                    buffer.reopen(answers.arrived.map(\.index).filter { kept.contains(job.plan.sends[$0].member) })
                    count(answers, for: job)
                }
            } catch {
                buffer.putBack(answers.arrived)
                report(error, "a checkpoint failed and is tried again", job.batch)
            }
            let now = clock.now()
            // A clock that was set back makes the renewal due too.
            guard now >= renewAt || renewAt - now > Lease.renewalInterval else { continue }
            renewAt = now + Lease.renewalInterval
            let start = ContinuousClock.now
            do {
                guard try await !store.renew([job.batch.row], lease: job.lease).isEmpty else {
                    return logger.warning("a lease was lost", metadata: ["batch": "\(job.batch.row.rawValue)"])
                }
                job.term.renew(since: start)
            } catch {
                report(error, "a lease could not be renewed", job.batch)
            }
        }
    }

    func report(_ error: any Error, _ message: Logger.Message, _ batch: Batch) {
        logger.warning(message, metadata: ["batch": "\(batch.row.rawValue)", "error": "\(error)"])
    }

    /// Counts answers, once they are recorded.
    func count(_ answers: OutcomeBuffer.Contents, for job: Job) {
        metrics.count(answers.arrived.lazy.map(\.outcome), in: job.batch.queue)
        breakers.note(
            answers.arrived.lazy.map(\.outcome),
            in: job.batch.queue,
            of: job.app,
            at: clock.now()
        )
    }

    func checkpoint(_ answers: OutcomeBuffer.Contents, for job: Job, isLast: Bool) -> Settlement {
        var settlement = Settlement(batch: job.batch, lease: job.lease)
        settlement.isLeaseReleased = isLast
        let setting = Checkpoint.Setting(
            batch: job.batch,
            now: clock.now(),
            // One number for all that is to be tried again: it comes back as one batch, which is the unit of durable work.
            // A number for each delivery would make up to a thousand batches, each with a row, a lease and a settlement,
            // while something is in trouble; how many go out at once is for the streams, the permits and the breaker.
            jitter: Double.random(in: RetryPolicy.jitter),
            hasOtherEnvironment: job.hasOtherEnvironment,
            topic: job.topic.value,
            credential: job.credential
        )
        return Checkpoint(
            settlement,
            setting: setting,
            answers: answers.arrived.map {
                Checkpoint.Answer(send: job.plan.sends[$0.index], outcome: $0.outcome)
            },
            unanswered: answers.unanswered.map { job.plan.sends[$0].member }
        ).settlement
    }

    /// Records a settlement, with ``SettlementRetries``; while its worker is at it nobody in this process leases the
    /// batch.
    func settle(_ settlement: Settlement, app: String?) async throws {
        try await SettlementRetries.run(on: clock) {
            try await record(settlement, app: app)
        } failed: { error in
            report(error, "a settlement failed and is tried again", settlement.batch)
            // Its worker is alive: nobody else is to send what has its answer.
            _ = try? await store.renew([settlement.batch.row], lease: settlement.lease)
        }
    }

    /// Records a settlement even when the worker is being stopped: an answer that came is not thrown away.
    private func record(_ settlement: Settlement, app: String?) async throws {
        let store = store
        try await Task { try await store.settle(settlement) }.value
        note(settlement, app: app)
    }

    /// Tells whoever wants to know that a settlement is recorded.
    func note(_ settlement: Settlement, app: String?) {
        metrics.count(settlement)
        onSettlement?(settlement)
        if settlement.leavesWork { wakeUps.notify(.batches) }
        if let topic = settlement.topic, topic.standing == .refused {
            logger.error(
                "devices belong to another app than the credential's topic: check the bundle id",
                metadata: ["topic": "\(topic.name)"]
            )
        }
        if let pause = settlement.pause {
            var metadata = pause.queue.metadata(app: app ?? "")
            metadata["reason"] = "\(pause.reason)"
            metadata["advice"] = "\(pause.advice)"
            logger.error(
                "a credential was refused: its queue is paused until an operator acts, unless there is another one by now",
                metadata: metadata
            )
        }
    }
}

/// What is known of the topic of a batch's pushes, from one checkpoint to the next.
private final class KnownTopic: Sendable {
    private let topic: Mutex<CredentialTopic?>

    /// `nil` where the message names a topic that is not its credential's own.
    init(_ topic: CredentialTopic?) { self.topic = Mutex(topic) }

    var value: CredentialTopic? { topic.withLock { $0 } }

    /// Takes over what a checkpoint has recorded, if anything.
    func learn(_ news: CredentialTopic?) {
        if let news { topic.withLock { $0 = news } }
    }
}
