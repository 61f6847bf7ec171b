import MartletStore
import MartletTesting
import MartletWire

@testable import MartletCore
@testable import MartletPipeline

/// A worker on one batch, with what it knows: `BatchWorker`, cut where it may be interrupted.
struct Job {
    enum Phase {
        case leased
        case planned(AttemptPlan)
        case sending(Sending)
    }

    let batch: Batch
    let lease: Lease
    /// The place of its lease in the order of leases and results.
    let leasedAt: Int
    /// Whose worker it is.
    let process: Int
    /// How far this worker's clock is off from that of the store.
    let skew: Duration
    /// When it renews its lease at the latest where workers are in time, by a clock that is right.
    var renewAt: Timestamp
    var phase = Phase.leased
}

/// What is on its way to the provider.
struct Sending {
    let plan: AttemptPlan
    let inbox: OutcomeBuffer
    var unsent: [Int]
    var inFlight: [Int] = []
    /// Where something was sent and no answer is recorded.
    var outstanding: Set<RowID<Endpoint>> = []
    let hasOtherEnvironment: Bool
}

extension Run {
    /// Takes due batches of a queue, as the store should give them.
    func leaseBatches(_ queue: DeliveryQueue, limit: Int) async throws {
        try expect(try await store.dueWork(), is: reference.dueWork(now: now), "due work")
        let lease = newLease()
        let live = Set(reference.waiting.filter { $0.holder != nil && $0.dueAt > now }.compactMap(\.row))
        let expected = reference.lease(queue, limit: limit, lease: lease, now: now)
        let capacity = BatchCapacity(batches: limit)
        let leased = try await store.leaseBatches(queue, capacity: capacity, lease: lease).batches
        note(
            "lease \(queue.environment) \(lease.holder % 1_000): \(leased.map { ($0.row.rawValue, $0.members.count) })"
        )
        for batch in leased {
            try expect(!live.contains(batch.row), "batch \(batch.row.rawValue) has two live holders")
            try noteTakeover(of: batch.row)
            let results = reference.sent[batch.notification]?.results ?? [:]
            for member in batch.members where results[member.endpoint] != nil {
                throw Broken("endpoint \(member.endpoint.rawValue) is leased, and its answer is recorded")
            }
        }
        try expect(leased.map(\.members), is: expected.map(\.members), "members that are leased")
        try expect(leased.map(\.notification), is: expected.map(\.notification), "whose batches are leased")
        try expect(leased.map(\.attempts), is: expected.map(\.attempts), "attempts")
        try expect(leased.map(\.expiresAt), is: expected.map(\.expiresAt), "expiry")
        for (batch, known) in zip(leased, expected) {
            try expect(known.row == nil || known.row == batch.row, "batch \(batch.row.rawValue) has changed its key")
            guard let index = reference.waiting.firstIndex(where: { $0.order == known.order }) else { continue }
            reference.waiting[index].row = batch.row
            let skew: Duration = random.chance(80) ? .zero : .seconds(random.pick([-3_600, -5, 5, 3_600]))
            jobs.append(newJob(batch, lease, skew: skew))
        }
        try await audit(Set(leased.map(\.notification)))
    }

    /// A worker of the process whose step this is.
    func newJob(_ batch: Batch, _ lease: Lease, skew: Duration) -> Job {
        Job(
            batch: batch,
            lease: lease,
            leasedAt: reference.writes,
            process: process,
            skew: skew,
            renewAt: now - skews[process] + Lease.renewalInterval
        )
    }

    /// Lets one worker take its next step.
    func work() async throws {
        guard !jobs.isEmpty else { return }
        let index = Int.random(in: 0..<jobs.count, using: &random)
        var job = jobs[index]
        let isOver = try await advance(&job, accepting: false)
        if isOver { jobs.remove(at: index) } else { jobs[index] = job }
    }

    /// One step of a worker; says whether it was the last one.
    func advance(_ job: inout Job, accepting: Bool) async throws -> Bool {
        act(as: job.process)
        switch job.phase {
        case .leased: return try await plan(&job)
        case .planned(let plan):
            if let opening = plan.opening(job.batch, lease: job.lease) { try await settle(opening) }
            let stored = try await store.credentials(app.row)
            job.phase = .sending(
                Sending(
                    plan: plan,
                    inbox: OutcomeBuffer(count: plan.sends.count),
                    unsent: Array(plan.sends.indices),
                    hasOtherEnvironment: stored.contains { $0.environment == job.batch.queue.environment.other }
                )
            )
            return plan.sends.isEmpty
        case .sending(var sending):
            defer { job.phase = .sending(sending) }
            if sending.unsent.isEmpty, sending.inFlight.isEmpty {
                try await checkpoint(&job, &sending, isLast: true)
                return true
            }
            if random.chance(15) {
                try await checkpoint(&job, &sending, isLast: false)
            } else if let sent = sending.unsent.first, sending.inFlight.isEmpty || random.chance(50) {
                sending.unsent.removeFirst()
                sending.inFlight.append(sent)
                let endpoint = sending.plan.sends[sent].member.endpoint
                try checkSending(endpoint, by: job)
                sending.outstanding.insert(endpoint)
                note("send \(job.batch.notification.rawValue) to \(endpoint.rawValue), \(job.lease.holder % 1_000)")
            } else {
                answer(&sending, job, accepting)
            }
            return false
        }
    }

    private func plan(_ job: inout Job) async throws -> Bool {
        var ending = Settlement(batch: job.batch, lease: job.lease)
        if let state = BatchWorker.endWithoutAttempt(job.batch, now: now + job.skew) {
            ending.results = job.batch.members.map {
                DeliveryResult(member: $0, state: state, attempts: job.batch.attempts)
            }
            try await settle(ending)
            return true
        }
        guard try await store.credentials(app.row).contains(where: { $0.environment == job.batch.queue.environment })
        else {
            ending.suppressions = job.batch.members.map {
                Suppression(endpoint: $0.endpoint, user: $0.user, reason: .noCredential)
            }
            try await settle(ending)
            return true
        }
        job.phase = .planned(AttemptPlan(job.batch, targets: try await store.context(of: job.batch).targets))
        return false
    }

    private func answer(_ sending: inout Sending, _ job: Job, _ accepting: Bool) {
        let place = Int.random(in: 0..<sending.inFlight.count, using: &random)
        let index = sending.inFlight.remove(at: place)
        let outcome = accepting ? .accepted : anyOutcome()
        note("answer to \(sending.plan.sends[index].member.endpoint.rawValue): \(outcome)")
        sending.inbox.put(index, outcome)
    }

    private func anyOutcome() -> Outcome {
        let since = now - .seconds(random.pick([-10, 10, 3_600]))
        let after: Duration? = random.pick([nil, nil, .seconds(1), .seconds(120)])
        return switch Int.random(in: 0..<20, using: &random) {
        case 0: .rejected(.init(reason: "PayloadEmpty"))
        case 1: .rejected(.init(reason: "BadDeviceToken", meaning: .badToken))
        case 2: .rejected(.init(reason: "Unregistered", meaning: .unregistered(since: since)))
        case 3: .rejected(.init(reason: "ExpiredToken", meaning: .expiredToken))
        case 4: .reroute(reason: "GoAway", after: after ?? .zero)
        case 5: .misconfigured(.init(reason: "InvalidProviderToken", advice: "Store the right key."))
        case 6, 7: .retry(.init(reason: "ServiceUnavailable", kind: .provider, after: after))
        case 8: .retry(.init(reason: "TooManyRequests", kind: .rateLimited, after: after))
        case 9: .retry(.init(reason: "ConnectionLost", kind: .connection))
        default: .accepted
        }
    }

    /// Records what has been answered.
    private func checkpoint(_ job: inout Job, _ sending: inout Sending, isLast: Bool) async throws {
        let answers = sending.inbox.take()
        guard isLast || !answers.arrived.isEmpty else { return }
        var empty = Settlement(batch: job.batch, lease: job.lease)
        empty.isLeaseReleased = isLast
        let settlement = Checkpoint(
            empty,
            setting: Checkpoint.Setting(
                batch: job.batch,
                now: now + job.skew,
                jitter: Double.random(in: RetryPolicy.jitter, using: &random),
                hasOtherEnvironment: sending.hasOtherEnvironment
            ),
            answers: answers.arrived.map {
                Checkpoint.Answer(send: sending.plan.sends[$0.index], outcome: $0.outcome)
            },
            unanswered: answers.unanswered.map { sending.plan.sends[$0].member }
        ).settlement
        // A store that fails has written nothing: the worker keeps the answers for the next checkpoint.
        if !isLast, random.chance(10) { return sending.inbox.putBack(answers.arrived) }
        try await settle(settlement)
        sending.outstanding.subtract(answers.arrived.map { sending.plan.sends[$0.index].member.endpoint })
        let kept = Set(settlement.remaining)
        sending.inbox.reopen(answers.arrived.map(\.index).filter { kept.contains(sending.plan.sends[$0].member) })
    }

    private func settle(_ settlement: Settlement) async throws {
        note(
            "settle \(settlement.batch.row.rawValue) by \(settlement.lease.holder % 1_000): "
                + "\(settlement.results.map { ($0.member.endpoint.rawValue, $0.state) }), "
                + "not made \(settlement.suppressions.map { $0.endpoint?.rawValue ?? 0 }), "
                + "again \(settlement.retries.map { $0.members.map(\.endpoint.rawValue) }), "
                + "left \(settlement.remaining.map(\.endpoint.rawValue))"
        )
        try await store.settle(settlement)
        reference.settle(settlement, now: now)
        if !settlement.changes.isEmpty { try await lookAtEndpoints() }
        try await audit([settlement.batch.notification])
    }
}

extension Run {
    func renew() async throws {
        guard !jobs.isEmpty else { return }
        try await renew(at: Int.random(in: 0..<jobs.count, using: &random))
    }

    /// A worker renews its lease, and stops sending when it finds that it has lost it.
    func renew(at index: Int) async throws {
        let job = jobs[index]
        act(as: job.process)
        let isHeld = reference.renew(job.batch.row, lease: job.lease, now: now)
        note("renew \(job.batch.row.rawValue), \(job.lease.holder % 1_000): \(isHeld)")
        try expect(try await store.renew([job.batch.row], lease: job.lease).count == 1, is: isHeld, "renewal")
        jobs[index].renewAt = now - skews[process] + Lease.renewalInterval
        if !isHeld, case .sending = job.phase { try await stop(at: index) }
    }

    /// One worker dies with what it has not recorded, or a process with all of its workers where there is another one.
    func crash() {
        guard !jobs.isEmpty else { return }
        let job = jobs.remove(at: Int.random(in: 0..<jobs.count, using: &random))
        note("crash of \(job.lease.holder % 1_000)")
        if workers != .alone, random.chance(50) { jobs.removeAll { $0.process == job.process } }
    }

    /// One worker is told to stop.
    func stop() async throws {
        guard !jobs.isEmpty else { return }
        try await stop(at: Int.random(in: 0..<jobs.count, using: &random))
    }

    /// A worker waits for what is in flight, records it, and gives back what it did not send.
    private func stop(at index: Int) async throws {
        var job = jobs.remove(at: index)
        act(as: job.process)
        note("stop of \(job.lease.holder % 1_000)")
        guard case .sending(var sending) = job.phase else { return }
        while !sending.inFlight.isEmpty { answer(&sending, job, false) }
        try await checkpoint(&job, &sending, isLast: true)
    }
}
