import MartletCore
import MartletWire

/// How an audience becomes batches.
extension Reference {
    /// Which notifications a worker gets.
    mutating func leaseFanOuts(limit: Int, lease: Lease, now: Timestamp) -> [RowID<Notification>] {
        for row in sent.keys where sent[row]?.state == .scheduled && (sent[row]?.sendAt ?? now) <= now {
            sent[row]?.state = .sending
        }
        let open = sent.values.filter { $0.state == .sending && $0.isAudienceOpen && $0.readUntil <= now }
        var leased: [RowID<Notification>] = []
        for row in open.sorted(by: { ($0.class, $0.row) < ($1.class, $1.row) }).map(\.row)
        where leased.count < limit {
            let failures = sent[row]?.leaseCount ?? 0
            switch LeaseAdmission(failures: failures, isOtherIsolated: isIsolatedAudienceRead(now: now)) {
            case .lease:
                sent[row]?.reader = lease.holder
                sent[row]?.readUntil = now + Lease.duration
                sent[row]?.leaseCount += 1
                leased.append(row)
            case .wait, .extend: break
            case .quarantine:
                sent[row]?.reader = nil
                sent[row]?.readUntil = Reference.never
            }
        }
        return leased
    }

    /// Writes a part of an audience; says whether its worker goes on.
    mutating func commit(_ page: GatedPage, of fanOut: FanOut, now: Timestamp) -> Bool {
        let row = fanOut.notification.row
        guard var held = sent[row], held.isAudienceOpen, held.reader == fanOut.lease.holder,
            held.cursor == fanOut.cursor
        else { return false }
        write(page, of: &held, now: now)
        if let next = page.next {
            held.cursor = next
            held.readUntil = now + Lease.duration
            held.leaseCount = 0
            sent[row] = held
            return true
        }
        close(held)
        return false
    }

    /// Writes all of a short audience, and leases what has a reservation.
    mutating func begin(_ submitted: Submitted, of notification: Sent, lease: Lease, now: Timestamp) {
        guard let page = submitted.fanOut else { return }
        var held = notification
        write(page, of: &held, now: now)
        writes += 1
        for batch in submitted.leased {
            guard
                let index = waiting.firstIndex(where: {
                    $0.notification == held.row && $0.queue == batch.queue && $0.members == batch.members
                        && $0.isEnvironmentKnown == batch.isEnvironmentKnown
                })
            else { continue }
            waiting[index].row = batch.row
            (waiting[index].process, waiting[index].holder) = (lease.process, lease.holder)
            waiting[index].leasedAt = now
            waiting[index].dueAt = now + Lease.duration
            waiting[index].leases = 1
        }
        close(held)
    }

    /// Ends the reading of an audience.
    mutating func close(_ sent: Sent) {
        var held = sent
        held.isAudienceOpen = false
        held.reader = nil
        held.readUntil = Reference.atOnce
        self.sent[held.row] = held
        finishIfOver(held.row)
    }

    private mutating func write(_ page: GatedPage, of held: inout Sent, now: Timestamp) {
        let row = held.row
        var drafts = page.batches
        for index in drafts.indices { drafts[index].members.removeAll { hasMet($0.endpoint, row) } }
        let duplicates = claim(drafts.flatMap(\.members), of: held, now: now)
        for draft in drafts {
            var kept = draft
            kept.members.removeAll { duplicates.contains($0.subject.key) }
            for member in draft.members where duplicates.contains(member.subject.key) {
                held.suppress(.endpoint(member.endpoint), member.subject.key, .duplicate)
            }
            held.planned += kept.members.count
            insert(kept, of: held, expiresAt: held.expiresAt, now: now)
        }
        for suppression in page.suppressions where !(suppression.endpoint.map { hasMet($0, row) } ?? false) {
            held.suppress(suppression)
        }
        held.met.formUnion(drafts.flatMap(\.members).map(\.endpoint))
        held.met.formUnion(page.suppressions.compactMap(\.endpoint))
    }

    mutating func release(_ fanOut: FanOut) {
        guard sent[fanOut.notification.row]?.reader == fanOut.lease.holder else { return }
        sent[fanOut.notification.row]?.reader = nil
        sent[fanOut.notification.row]?.readUntil = Reference.atOnce
        sent[fanOut.notification.row]?.leaseCount = 0
    }

    /// Claims subjects; says which are another notification's.
    @discardableResult
    mutating func claim(_ members: [Member], of asking: Sent, now: Timestamp) -> Set<Int64> {
        guard let dedup = asking.dedup else { return [] }
        var refused: Set<Int64> = []
        for subject in Set(members.map(\.subject.key)) {
            let claimed = Claimed(key: dedup.key, subject: subject)
            guard let standing = claims[claimed] else {
                claims[claimed] = Claim(holder: asking.row, since: now)
                continue
            }
            // A claim of one's own never suppresses, and keeps its time.
            if standing.holder == asking.row { continue }
            if let cooldown = dedup.cooldown, standing.since <= now - cooldown {
                claims[claimed] = Claim(holder: asking.row, since: now)
            } else {
                refused.insert(subject)
            }
        }
        return refused
    }

    /// Makes a draft a batch.
    mutating func insert(_ draft: BatchDraft, of notification: Sent, expiresAt: Timestamp, now: Timestamp) {
        guard !draft.members.isEmpty else { return }
        let isCancelled = notification.state == .cancelled
        let notBefore = isCancelled ? nil : draft.notBefore.flatMap { $0 > now ? $0 : nil }
        batchesMade += 1
        waiting.append(
            Waiting(
                order: batchesMade,
                notification: notification.row,
                queue: draft.queue,
                isEnvironmentKnown: draft.isEnvironmentKnown,
                attempts: draft.attempts,
                expiresAt: isCancelled ? Reference.atOnce : expiresAt,
                notBefore: notBefore,
                dueAt: notBefore ?? Reference.atOnce,
                members: draft.members.sorted { $0.endpoint < $1.endpoint }
            )
        )
    }
}

extension Reference.Sent {
    /// Says that a delivery is not made, unless it is known already.
    mutating func suppress(_ about: Reference.Suppressed, _ subject: Int64?, _ reason: Suppression.Reason) {
        if case .endpoint(let endpoint) = about, results[endpoint] != nil { return }
        if suppressions[about] == nil { suppressions[about] = (subject, reason) }
    }

    mutating func suppress(_ suppression: Suppression) {
        if let endpoint = suppression.endpoint {
            let subject = Member(endpoint: endpoint, user: suppression.user).subject.key
            suppress(.endpoint(endpoint), subject, suppression.reason)
        } else if let user = suppression.user {
            suppress(.user(user), user.rawValue, suppression.reason)
        } else {
            suppress(.unknown(suppressions.count), nil, suppression.reason)
        }
    }
}
