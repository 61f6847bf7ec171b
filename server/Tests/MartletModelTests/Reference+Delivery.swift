import MartletCore
import MartletWire

/// How batches become facts.
extension Reference {
    /// Which batches a worker gets: the most urgent and the oldest, without what has its fact, and none that its process
    /// has in hand.
    mutating func lease(
        _ lane: Lane,
        limit: Int,
        lease: Lease,
        except inHand: Set<RowID<Batch>>,
        now: Timestamp
    ) -> [Waiting] {
        guard lanes[lane]?.isPaused != true else { return [] }
        writes += 1
        let due = waiting.filter { $0.lane == lane && $0.dueAt <= now && !($0.row.map(inHand.contains) ?? false) }
            .sorted { $0.isBefore($1, in: self) }
        var leased: [Waiting] = []
        for var batch in due where leased.count < limit {
            let trial = LeaseTrial(
                failures: batch.leases,
                isSuspectUnderWay: isSuspectUnderWay(beside: lane, failures: batch.leases, now: now)
            )
            guard trial == .lease else {
                batch.holder = nil
                batch.isSetAside = batch.isSetAside || trial == .setAside
                batch.dueAt = trial == .setAside ? Reference.never : now + LeaseTrial.pause
                replace(batch)
                continue
            }
            let facts = sent[batch.notification]?.facts ?? [:]
            let count = batch.members.count
            batch.members.removeAll { facts[$0.endpoint] != nil }
            batch.leases = batch.members.count < count ? 1 : batch.leases + 1
            batch.holder = lease.holder
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
        return true
    }

    mutating func settle(_ settlement: Settlement, now: Timestamp) {
        let row = settlement.batch.notification
        record(settlement.facts, of: row, lane: settlement.batch.lane)
        // Without the lease an answer is an answer, and nothing else counts.
        guard let index = index(of: settlement.batch.row, settlement.lease) else { return }
        var batch = waiting[index]
        for suppression in settlement.suppressions { sent[row]?.suppress(suppression) }
        if let notification = sent[row] {
            for draft in settlement.retries { insert(draft, of: notification, expiresAt: batch.expiresAt) }
        }
        batch.members = settlement.remaining.sorted { $0.endpoint < $1.endpoint }
        batch.leases = 0
        if let pause = settlement.pause, let pushedAt = batch.leasedAt {
            let since = lanes[pause.lane]?.credentialSince
            if since.map({ $0 <= pushedAt }) ?? true { lanes[pause.lane, default: LaneState()].isPaused = true }
        }
        if settlement.isLeaseReleased {
            batch.holder = nil
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
            waiting[index].endsAt = Reference.atOnce
            if waiting[index].holder == nil { waiting[index].dueAt = Reference.atOnce }
        }
        finishIfOver(row)
    }

    /// Ends what waits beyond its time, is held by nobody and not in the hand of the process that asks; says how many
    /// batches that were.
    mutating func expire(except inHand: Set<RowID<Batch>>, now: Timestamp) -> Int {
        let ended = waiting.filter {
            $0.endsAt <= now && ($0.holder == nil || $0.dueAt <= now) && !($0.row.map(inHand.contains) ?? false)
        }
        for var batch in ended {
            let state: Fact.State = sent[batch.notification]?.state == .cancelled ? .cancelled : .expired
            let facts = batch.members.map { Fact(member: $0, state: state, attempts: batch.attempts) }
            record(facts, of: batch.notification, lane: batch.lane)
            batch.members = []
            replace(batch)
            finishIfOver(batch.notification)
        }
        return ended.count
    }

    /// Sends a dead delivery again.
    mutating func revive(_ member: Member, of row: RowID<Notification>, in lane: Lane, isKnown: Bool, now: Timestamp) {
        sent[row]?.facts[member.endpoint] = nil
        if sent[row]?.state == .done { sent[row]?.state = .sending }
        guard let notification = sent[row] else { return }
        if !pending(row).contains(where: { $0.endpoint == member.endpoint }) {
            let draft = BatchDraft(lane: lane, isEnvironmentKnown: isKnown, members: [member])
            insert(draft, of: notification, expiresAt: max(notification.expiresAt, now + .seconds(86_400)))
        }
        claim([member], of: notification, now: now)
    }

    /// An operator has what was set aside tried again.
    mutating func retrySetAside() {
        for index in waiting.indices where waiting[index].isSetAside {
            waiting[index].isSetAside = false
            waiting[index].leases = 0
            waiting[index].dueAt = waiting[index].notBefore ?? Reference.atOnce
        }
        for row in sent.keys where sent[row]?.isAudienceOpen == true && sent[row]?.readUntil == Reference.never {
            sent[row]?.readings = 0
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

    /// A server began anew: whoever held a lease is gone, and what is suspect waits a little.
    mutating func restart(now: Timestamp) {
        let pauseEnd = now + LeaseTrial.pauseAfterStart
        for index in waiting.indices where waiting[index].holder != nil {
            let batch = waiting[index]
            waiting[index].holder = nil
            waiting[index].dueAt =
                batch.leases < LeaseTrial.suspectFrom ? batch.notBefore ?? Reference.atOnce : pauseEnd
        }
        for row in sent.keys where sent[row]?.reader != nil {
            let isSuspect = (sent[row]?.readings ?? 0) >= LeaseTrial.suspectFrom
            sent[row]?.reader = nil
            sent[row]?.readUntil = isSuspect ? pauseEnd : Reference.atOnce
        }
    }

    private mutating func record(_ facts: [Fact], of row: RowID<Notification>, lane: Lane) {
        for fact in facts where sent[row]?.facts[fact.member.endpoint] == nil {
            writes += 1
            let ended = Ended(state: fact.state, user: fact.member.user, lane: lane, write: writes)
            sent[row]?.facts[fact.member.endpoint] = ended
            // An answer that came late outweighs what was thought meanwhile.
            sent[row]?.suppressions[.endpoint(fact.member.endpoint)] = nil
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
        return (others.priority, own.acceptedAt, order) < (own.priority, others.acceptedAt, other.order)
    }
}
