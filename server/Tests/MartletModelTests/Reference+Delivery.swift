import MartletCore
import MartletWire

/// How batches become results.
extension Reference {
    /// Which batches a worker gets: the most urgent and the oldest, without what has its result. Of its own process it gets
    /// none until a lease that ended was made longer once.
    mutating func lease(
        _ queue: DeliveryQueue,
        limit: Int,
        lease: Lease,
        now: Timestamp
    ) -> [Waiting] {
        guard queues[queue]?.isPaused != true else { return [] }
        writes += 1
        beginWaiting(in: queue, now: now)
        let due = waiting.filter { $0.queue == queue && $0.dueAt <= now }.sorted { $0.isBefore($1, in: self) }
        var leased: [Waiting] = []
        for var batch in due where leased.count < limit {
            let isOtherIsolated = isIsolatedLeased(in: queue, now: now)
            let isOwn = batch.process == lease.process
            switch LeaseAdmission(failures: batch.leases, isOtherIsolated: isOtherIsolated, isOwn: isOwn) {
            case .lease: break
            case .wait: continue
            case .extend:
                extendLease(of: batch, now: now)
                continue
            case .quarantine:
                (batch.process, batch.holder) = (nil, nil)
                batch.isQuarantined = true
                batch.dueAt = Reference.never
                replace(batch)
                continue
            }
            let results = sent[batch.notification]?.results ?? [:]
            let count = batch.members.count
            batch.members.removeAll { results[$0.endpoint] != nil }
            batch.leases = batch.members.count < count ? 1 : batch.leases + 1
            (batch.process, batch.holder) = (lease.process, lease.holder)
            batch.leasedAt = now
            batch.dueAt = now + Lease.duration
            replace(batch)
            if batch.members.isEmpty { finishIfOver(batch.notification) } else { leased.append(batch) }
        }
        return leased
    }

    /// Whether the lease is still its holder's.
    mutating func renew(_ row: RowID<Batch>, lease: Lease, now: Timestamp) -> Bool {
        guard let index = index(of: row, lease) else { return false }
        waiting[index].dueAt = now + Lease.duration
        waiting[index].process = lease.process
        return true
    }

    mutating func settle(_ settlement: Settlement, now: Timestamp) {
        let row = settlement.batch.notification
        record(settlement.results, of: row, queue: settlement.batch.queue)
        // Without the lease an answer is an answer, and nothing else counts.
        guard let index = index(of: settlement.batch.row, settlement.lease) else { return }
        var batch = waiting[index]
        for suppression in settlement.suppressions { sent[row]?.suppress(suppression) }
        if let notification = sent[row] {
            for draft in settlement.retries { insert(draft, of: notification, expiresAt: batch.expiresAt, now: now) }
        }
        batch.members = settlement.remaining.sorted { $0.endpoint < $1.endpoint }
        batch.leases = 0
        if let pause = settlement.pause, let pushedAt = batch.leasedAt {
            let since = queues[pause.queue]?.credentialSince
            if since.map({ $0 <= pushedAt }) ?? true { queues[pause.queue, default: QueueState()].isPaused = true }
        }
        if settlement.isLeaseReleased {
            (batch.process, batch.holder) = (nil, nil)
            batch.dueAt = batch.notBefore ?? Reference.atOnce
        }
        replace(batch)
        finishIfOver(row)
    }

    mutating func cancel(_ row: RowID<Notification>) {
        guard let state = sent[row]?.state, state == .scheduled || state == .sending else { return }
        sent[row]?.state = .cancelled
        sent[row]?.isAudienceOpen = false
        sent[row]?.reader = nil
        sent[row]?.readUntil = Reference.atOnce
        for index in waiting.indices where waiting[index].notification == row {
            waiting[index].notBefore = nil
            waiting[index].expiresAt = Reference.atOnce
            if waiting[index].holder == nil { waiting[index].dueAt = Reference.atOnce }
        }
        finishIfOver(row)
    }

    /// Ends what waits beyond its time and is held by nobody; says how many batches and quarantined fan-outs that were. A
    /// lease of the process that asks is made longer once.
    mutating func expire(process: Int64, now: Timestamp) -> (batches: Int, fanOuts: Int) {
        let over = waiting.filter { $0.expiresAt <= now && ($0.holder == nil || $0.dueAt <= now) }
        for batch in over where batch.process == process { extendLease(of: batch, now: now) }
        let ended = over.filter { $0.process != process }
        for var batch in ended {
            let state: DeliveryResult.State = sent[batch.notification]?.state == .cancelled ? .cancelled : .expired
            let results = batch.members.map { DeliveryResult(member: $0, state: state, attempts: batch.attempts) }
            record(results, of: batch.notification, queue: batch.queue)
            batch.members = []
            replace(batch)
            finishIfOver(batch.notification)
        }
        let unread = sent.values.filter { $0.isAudienceOpen && $0.readUntil == Reference.never && $0.expiresAt <= now }
        for notification in unread { close(notification) }
        return (ended.count, unread.count)
    }

    /// Sends a dead delivery again.
    mutating func revive(
        _ member: Member,
        of row: RowID<Notification>,
        in queue: DeliveryQueue,
        isKnown: Bool,
        now: Timestamp
    ) {
        sent[row]?.results[member.endpoint] = nil
        if sent[row]?.state == .done { sent[row]?.state = .sending }
        guard let notification = sent[row] else { return }
        if !pending(row).contains(where: { $0.endpoint == member.endpoint }) {
            let draft = BatchDraft(queue: queue, isEnvironmentKnown: isKnown, members: [member])
            insert(draft, of: notification, expiresAt: max(notification.expiresAt, now + .seconds(86_400)), now: now)
        }
        claim([member], of: notification, now: now)
    }

    /// An operator has what was quarantined tried again.
    mutating func retryQuarantined() {
        for index in waiting.indices where waiting[index].isQuarantined {
            waiting[index].isQuarantined = false
            waiting[index].leases = 0
            waiting[index].dueAt = waiting[index].notBefore ?? Reference.atOnce
        }
        for row in sent.keys where sent[row]?.isAudienceOpen == true && sent[row]?.readUntil == Reference.never {
            sent[row]?.leaseCount = 0
            sent[row]?.readUntil = Reference.atOnce
        }
    }

    /// The clock was set back by so much: leases and further attempts are due that much earlier.
    mutating func bringForward(by duration: Duration, now: Timestamp) {
        let ahead = { (moment: Timestamp) in moment > now && moment < Reference.never }
        for index in waiting.indices {
            if ahead(waiting[index].dueAt) { waiting[index].dueAt = waiting[index].dueAt - duration }
            if let moment = waiting[index].notBefore, ahead(moment) { waiting[index].notBefore = moment - duration }
        }
        for (row, held) in sent where held.state == .sending && held.isAudienceOpen && ahead(held.readUntil) {
            sent[row]?.readUntil = held.readUntil - duration
        }
    }

    /// A server began anew: whoever held a lease is gone, and what may be poison waits a little.
    mutating func restart(now: Timestamp) {
        let pauseEnd = now + LeaseAdmission.pauseAfterStart
        for index in waiting.indices where waiting[index].holder != nil {
            let batch = waiting[index]
            (waiting[index].process, waiting[index].holder) = (nil, nil)
            waiting[index].dueAt =
                batch.leases < LeaseAdmission.isolatedFrom ? batch.notBefore ?? Reference.atOnce : pauseEnd
        }
        for row in sent.keys where sent[row]?.reader != nil {
            let mayBePoison = (sent[row]?.leaseCount ?? 0) >= LeaseAdmission.isolatedFrom
            sent[row]?.reader = nil
            sent[row]?.readUntil = mayBePoison ? pauseEnd : Reference.atOnce
        }
    }

    /// What waited until its time waits no more, whatever another clock says later.
    private mutating func beginWaiting(in queue: DeliveryQueue, now: Timestamp) {
        for index in waiting.indices where waiting[index].queue == queue && waiting[index].holder == nil {
            guard let moment = waiting[index].notBefore, moment <= now else { continue }
            waiting[index].notBefore = nil
            waiting[index].dueAt = Reference.atOnce
        }
    }

    private mutating func extendLease(of batch: Waiting, now: Timestamp) {
        var batch = batch
        batch.process = nil
        batch.dueAt = now + Lease.duration
        replace(batch)
    }

    private mutating func record(_ results: [DeliveryResult], of row: RowID<Notification>, queue: DeliveryQueue) {
        for result in results where sent[row]?.results[result.member.endpoint] == nil {
            writes += 1
            let ended = Ended(state: result.state, user: result.member.user, queue: queue, write: writes)
            sent[row]?.results[result.member.endpoint] = ended
            // An answer that came late takes precedence over what was thought meanwhile.
            sent[row]?.suppressions[.endpoint(result.member.endpoint)] = nil
        }
    }

    private func index(of row: RowID<Batch>, _ lease: Lease) -> Int? {
        waiting.firstIndex { $0.row == row && $0.holder == lease.holder }
    }

    /// Writes a batch over what it was; without members it goes.
    private mutating func replace(_ batch: Waiting) {
        guard let index = waiting.firstIndex(where: { $0.order == batch.order }) else { return }
        if batch.members.isEmpty { waiting.remove(at: index) } else { waiting[index] = batch }
    }
}

extension Reference.Waiting {
    /// The more urgent, then the older notification's, then the one that was made first.
    fileprivate func isBefore(_ other: Self, in reference: Reference) -> Bool {
        guard let own = reference.sent[notification], let others = reference.sent[other.notification] else {
            return false
        }
        return (own.class, own.acceptedAt, order) < (others.class, others.acceptedAt, other.order)
    }
}
