import MartletCore
import MartletWire

/// What the store should hold, in plain dictionaries: its rules written a second time, without a database.
struct Reference {
    /// A notification.
    struct Sent {
        let row: RowID<Notification>
        let id: PublicID
        let audience: Audience
        /// How many classes are more urgent.
        let `class`: Int
        let dedup: Dedup?
        let acceptedAt: Timestamp
        let sendAt: Timestamp
        let expiresAt: Timestamp
        var state: NotificationStatus
        var isAudienceOpen = true
        var cursor = FanOut.Cursor()
        var reader: Int64?
        var readUntil = Reference.atOnce
        /// Leases of the audience since somebody got on with it.
        var leaseCount = 0
        var planned = 0
        var results: [RowID<Endpoint>: Ended] = [:]
        var suppressions: [Suppressed: (subject: Int64?, reason: Suppression.Reason)] = [:]
        /// Endpoints that a part of the audience held: from then on each has a state.
        var met: Set<RowID<Endpoint>> = []
        /// Endpoints that belonged to the audience from the beginning until now: whoever else is missed, they are not.
        var steady: Set<RowID<Endpoint>> = []
    }

    /// How a delivery ended.
    struct Ended {
        var state: DeliveryResult.State
        var user: RowID<User>?
        var queue: DeliveryQueue
        /// Its place in the order of leases and results.
        var write: Int
    }

    /// What a suppression is about.
    enum Suppressed: Hashable {
        case endpoint(RowID<Endpoint>)
        case user(RowID<User>)
        case unknown(Int)
    }

    /// A batch.
    struct Waiting {
        /// The place in the order in which batches were made.
        let order: Int
        let notification: RowID<Notification>
        let queue: DeliveryQueue
        let isEnvironmentKnown: Bool
        let attempts: Int
        /// When it ends without a worker: at once when the notification was cancelled.
        var expiresAt: Timestamp
        var notBefore: Timestamp?
        var dueAt: Timestamp
        var members: [Member]
        /// The store's key, known from the first lease on.
        var row: RowID<Batch>?
        var process: Int64?
        var holder: Int64?
        var leasedAt: Timestamp?
        /// Leases since the last settlement.
        var leases = 0
        /// Whether it was quarantined and nobody has asked for it since.
        var isQuarantined = false
    }

    /// Who holds a dedup key for a subject, since when.
    struct Claim {
        var holder: RowID<Notification>
        var since: Timestamp
    }

    /// A dedup key and a subject.
    struct Claimed: Hashable {
        var key: String
        var subject: Int64
    }

    /// What is known of a queue.
    struct QueueState {
        var credentialSince: Timestamp?
        var isPaused = false
    }

    static let atOnce = Timestamp(milliseconds: 0)
    /// When what is quarantined comes due.
    static let never = Timestamp(milliseconds: .max)

    var sent: [RowID<Notification>: Sent] = [:]
    var waiting: [Waiting] = []
    var claims: [Claimed: Claim] = [:]
    var queues: [DeliveryQueue: QueueState] = [:]
    var batchesMade = 0
    /// The step of the run.
    var step = 0
    /// How many leases and results were written.
    var writes = 0

    /// The members that wait in batches.
    func pending(_ row: RowID<Notification>) -> [Member] {
        waiting.lazy.filter { $0.notification == row }.flatMap(\.members)
    }

    /// The counters as they should be.
    func counts(_ row: RowID<Notification>) -> DeliveryCounts {
        // One that has its result may stand in a batch still, until whoever holds that finds out.
        let results = sent[row]?.results ?? [:]
        var counts = DeliveryCounts(pending: pending(row).count { results[$0.endpoint] == nil })
        guard let sent = sent[row] else { return counts }
        counts.suppressed = sent.suppressions.count
        for ended in sent.results.values {
            switch ended.state {
            case .accepted: counts.accepted += 1
            case .rejected: counts.rejected += 1
            case .expired: counts.expired += 1
            case .cancelled: counts.cancelled += 1
            case .dead: counts.dead += 1
            }
        }
        return counts
    }

    /// Each delivery's one state, as a report should show it.
    func states(_ row: RowID<Notification>) -> [RowID<Endpoint>: DeliveryState] {
        var states: [RowID<Endpoint>: DeliveryState] = [:]
        for member in pending(row) { states[member.endpoint] = .pending }
        guard let sent = sent[row] else { return states }
        for case .endpoint(let endpoint) in sent.suppressions.keys { states[endpoint] = .suppressed }
        for (endpoint, ended) in sent.results { states[endpoint] = DeliveryState(ended.state) }
        return states
    }

    /// Whether a notification has done with an endpoint, or is to do something about it.
    func hasMet(_ endpoint: RowID<Endpoint>, _ row: RowID<Notification>) -> Bool {
        states(row)[endpoint] != nil
    }

    /// What waits and may be leased now, and when the next thing comes due.
    func dueWork(now: Timestamp) -> DueWork {
        var queues: Set<DeliveryQueue> = []
        var urgent: Set<DeliveryQueue> = []
        var moments: [Timestamp] = []
        for batch in waiting where self.queues[batch.queue]?.isPaused != true {
            // What may be poison waits for the one that is under way.
            let other = batch.leases >= LeaseAdmission.isolatedFrom ? isolatedUntil(in: batch.queue, now: now) : nil
            let moment = max(batch.dueAt, other ?? batch.dueAt)
            if moment <= now { queues.insert(batch.queue) } else { moments.append(moment) }
            // What may be poison is never urgent, and what waited begins first.
            let isReady = batch.leases < LeaseAdmission.isolatedFrom && batch.notBefore == nil && batch.dueAt <= now
            if isReady, sent[batch.notification]?.class == 0 { urgent.insert(batch.queue) }
        }
        for sent in sent.values {
            if sent.state == .scheduled, sent.sendAt > now { moments.append(sent.sendAt) }
            if sent.state == .sending, sent.isAudienceOpen, sent.readUntil > now { moments.append(sent.readUntil) }
        }
        let sorted = queues.sorted { $0.environment == .sandbox && $1.environment != .sandbox }
        return DueWork(
            queues: sorted,
            urgent: urgent,
            next: queues.isEmpty ? moments.filter { $0 < Reference.never }.min() : nil
        )
    }

    /// Whether a queue has a batch under way whose last leases came to nothing.
    func isIsolatedLeased(in queue: DeliveryQueue, now: Timestamp) -> Bool { isolatedUntil(in: queue, now: now) != nil }

    /// When the lease ends of such a batch.
    private func isolatedUntil(in queue: DeliveryQueue, now: Timestamp) -> Timestamp? {
        waiting.first {
            $0.queue == queue && $0.holder != nil && $0.leases > LeaseAdmission.isolatedFrom && $0.dueAt > now
        }?
        .dueAt
    }

    /// Whether an audience is being read whose last leases came to nothing.
    func isIsolatedAudienceRead(now: Timestamp) -> Bool {
        sent.values.contains { $0.reader != nil && $0.leaseCount > LeaseAdmission.isolatedFrom && $0.readUntil > now }
    }

    /// How much is quarantined.
    var quarantinedCount: Int {
        waiting.count(where: \.isQuarantined)
            + sent.values.count { $0.isAudienceOpen && $0.readUntil == Reference.never }
    }

    /// Ends a notification that has nothing left to do, and gives back the claims of those whom it did not reach.
    mutating func finishIfOver(_ row: RowID<Notification>) {
        guard var over = sent[row], !over.isAudienceOpen, over.state != .done, pending(row).isEmpty else { return }
        if over.state == .sending { over.state = .done }
        sent[row] = over
        guard let key = over.dedup?.key else { return }
        var reached: Set<Int64> = []
        var missed: Set<Int64> = []
        for (endpoint, ended) in over.results {
            let subject = Member(endpoint: endpoint, user: ended.user).subject.key
            if ended.state == .accepted { reached.insert(subject) } else { missed.insert(subject) }
        }
        guard over.planned > reachedCount(over) else { return }
        for entry in over.suppressions.values where entry.reason != .duplicate {
            if let subject = entry.subject { missed.insert(subject) }
        }
        for subject in missed.subtracting(reached) {
            let claimed = Claimed(key: key, subject: subject)
            if claims[claimed]?.holder == row { claims[claimed] = nil }
        }
    }

    private func reachedCount(_ sent: Sent) -> Int { sent.results.values.count { $0.state == .accepted } }
}

extension DeliveryState {
    init(_ state: DeliveryResult.State) {
        switch state {
        case .accepted: self = .accepted
        case .rejected: self = .rejected
        case .expired: self = .expired
        case .cancelled: self = .cancelled
        case .dead: self = .dead
        }
    }
}
