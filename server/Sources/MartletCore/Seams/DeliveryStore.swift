public import MartletWire

/// What turns a notification into batches.
public protocol FanOutStore: Sendable {
    /// Takes notifications whose time has come and whose audience is not read to its end, and holds that are due, most
    /// urgent and oldest first; those of expired leases too, as ``LeaseAdmission`` says. Of each app at most its share.
    func leaseFanOuts(limit: Int, share: FanOutShare, lease: Lease) async throws -> [FanOut]

    /// Reads the next part of a fan-out's audience, by user and then by endpoint; a user's endpoints may stand in two
    /// parts. Users that do not exist are made, because a suppression names them; tokens that are not registered become
    /// endpoints of nobody. Of a hold it reads the endpoints that its people have now.
    func audience(of fanOut: FanOut, limit: Int) async throws -> AudiencePage

    /// Writes one gated part in one transaction: claims (one atomic statement for each subject), suppressions, batches,
    /// holds, counters and the cursor. People who are held until the same moment fill up that moment's last hold. A subject whose dedup key is held by another notification within the cooldown becomes
    /// a `duplicate` suppression; a claim that this notification holds itself passes.
    ///
    /// - Returns: the fan-out as it goes on, `nil` when it is at its end, was cancelled, or the lease is lost.
    func commit(_ page: GatedPage, of fanOut: FanOut) async throws -> FanOut?
}

extension FanOutStore {
    /// Takes notifications whatever app they are of.
    public func leaseFanOuts(limit: Int, lease: Lease) async throws -> [FanOut] {
        try await leaseFanOuts(limit: limit, share: FanOutShare(), lease: lease)
    }
}

/// How many audiences of one app may be read at the same time, so that one app's large sends leave capacity for others.
public struct FanOutShare: Sendable, Hashable {
    /// How many of an app.
    public var perApp: Int
    /// How many of each app are being read.
    public var taken: [RowID<App>: Int]

    package init(perApp: Int = .max, taken: [RowID<App>: Int] = [:]) {
        self.perApp = perApp
        self.taken = taken
    }

    /// How many more of an app may be read.
    public func capacity(for app: RowID<App>) -> Int { max(0, perApp - (taken[app] ?? 0)) }
}

/// A notification whose audience is being read, or people of it who were held until now.
public struct FanOut: Sendable, Hashable {
    /// The notification.
    public var notification: Notification
    /// The people who were held; `nil` for the audience.
    public var hold: Hold?
    /// Where reading goes on; opaque to all but the store.
    public var cursor: Cursor
    /// Who reads.
    public var lease: Lease
    /// The last preference change when the notification was published, or the hold came due: its people are decided on by
    /// what held then. The notification's category has the defaults of then too. 0 where nobody had ever chosen anything.
    public var mark: Int64
    /// The platforms whose messages a person sees.
    public var alerts: Set<Platform>

    /// A position in an audience: for everybody the last user and endpoint, for a list and for a hold the next index.
    public struct Cursor: Sendable, Hashable {
        /// The major key.
        public var major: Int64
        /// The minor key.
        public var minor: Int64

        package init(major: Int64 = 0, minor: Int64 = 0) {
            self.major = major
            self.minor = minor
        }
    }

    package init(
        notification: Notification,
        hold: Hold? = nil,
        cursor: Cursor,
        lease: Lease,
        mark: Int64 = 0,
        alerts: Set<Platform> = Set(Platform.allCases)
    ) {
        self.notification = notification
        self.hold = hold
        self.cursor = cursor
        self.lease = lease
        self.mark = mark
        self.alerts = alerts
    }
}

/// A part of an audience as it was read.
public struct AudiencePage: Sendable {
    /// The endpoints, enabled or not.
    public var candidates: [Candidate]
    /// Users that have no endpoint.
    public var usersWithoutEndpoint: [RowID<User>]
    /// What its users chose, as of when the notification was published; who chose nothing is left out.
    public var choices: [RowID<User>: PersonChoice]
    /// How many named endpoints do not exist in this app.
    public var unknownEndpoints: Int
    /// Where reading goes on; `nil` at the end.
    public var next: FanOut.Cursor?

    package init(
        candidates: [Candidate] = [],
        usersWithoutEndpoint: [RowID<User>] = [],
        choices: [RowID<User>: PersonChoice] = [:],
        unknownEndpoints: Int = 0,
        next: FanOut.Cursor? = nil
    ) {
        self.candidates = candidates
        self.usersWithoutEndpoint = usersWithoutEndpoint
        self.choices = choices
        self.unknownEndpoints = unknownEndpoints
        self.next = next
    }
}

/// An endpoint that the gate decides on.
public struct Candidate: Sendable, Hashable {
    /// Whether pushes are made to it, without the reason.
    public enum Status: Int, Sendable, Hashable, CaseIterable {
        /// Pushes are made to it.
        case enabled = 0
        /// It is skipped.
        case disabled = 1
        /// It is gone.
        case removed = 2
    }

    /// The endpoint and its user.
    public var member: Member
    /// The provider.
    public var platform: Platform
    /// The provider's environment, once known.
    public var environment: Environment?
    /// Whether pushes are made to it.
    public var status: Status
    /// Whether the person wants pushes on this device.
    public var hasPush: Bool
    /// Whether the device said last that the app may show nothing.
    public var isDenied: Bool

    package init(
        member: Member,
        platform: Platform,
        environment: Environment?,
        status: Status,
        hasPush: Bool = true,
        isDenied: Bool = false
    ) {
        self.member = member
        self.platform = platform
        self.environment = environment
        self.status = status
        self.hasPush = hasPush
        self.isDenied = isDenied
    }
}

/// A part of an audience after the gate.
public struct GatedPage: Sendable, Hashable {
    /// What is to be delivered, before dedup.
    public var batches: [BatchDraft]
    /// What is not.
    public var suppressions: [Suppression]
    /// Who is decided on later, before dedup.
    public var holds: [HoldDraft]
    /// Who gets an inbox item, before dedup; a user may stand in two parts.
    public var inboxUsers: [RowID<User>]
    /// Where reading goes on; `nil` at the end.
    public var next: FanOut.Cursor?

    package init(
        batches: [BatchDraft],
        suppressions: [Suppression],
        holds: [HoldDraft] = [],
        inboxUsers: [RowID<User>] = [],
        next: FanOut.Cursor?
    ) {
        self.batches = batches
        self.suppressions = suppressions
        self.holds = holds
        self.inboxUsers = inboxUsers
        self.next = next
    }
}

/// What turns batches into results.
public protocol DeliveryStore: Sendable {
    /// Which queues have batches that may be leased now, and when the next one comes due otherwise. Paused queues are
    /// left out.
    func dueWork() async throws -> DueWork

    /// Takes a queue's batches, most urgent and oldest first; those of expired leases too, as ``LeaseAdmission`` says, and
    /// those of a cancelled notification. Where the lease that ended is of the caller's own process, it is made longer
    /// once; unless it is renewed until then, nobody works on the batch any more.
    ///
    /// Members who have read the notification meanwhile, or who changed a preference since the batch was gated and want no
    /// push now, are taken out.
    func leaseBatches(
        _ queue: DeliveryQueue,
        capacity: BatchCapacity,
        lease: Lease
    ) async throws -> LeasedBatches

    /// Holds leases for another ``Lease/duration``; returns the batches that are still held.
    func renew(_ batches: [RowID<Batch>], lease: Lease) async throws -> Set<RowID<Batch>>

    /// Ends the lease of a batch or fan-out that is not settled. Without the lease nothing changes.
    func endLease(_ end: LeaseEnd) async throws

    /// What attempts at batches need, as it is now; in their order.
    func contexts(of batches: [Batch]) async throws -> [AttemptContext]

    /// Records a checkpoint: results, counters, endpoint changes, retry batches, dead letters, the batch's remaining
    /// members, what is news of the topic, the notification's end with the claims that it gives back. Results that exist
    /// already stay as they are.
    func settle(_ settlement: Settlement) async throws
}

/// How a lease ends without a settlement.
///
/// A nack says that nobody works on it any more, although the lease came to nothing: it counts as a lease without a
/// settlement, and the work comes due when the lease would have ended.
public enum LeaseEnd: Sendable, Hashable {
    /// Others may go on with the fan-out at once. A batch is given back by its settlement.
    case releaseFanOut(FanOut)
    /// Nothing came of the fan-out.
    case nackFanOut(FanOut)
    /// Nothing came of the batch.
    case nackBatch(RowID<Batch>, Lease)
}

/// Which queues wait.
public struct DueWork: Sendable, Hashable {
    /// Queues with batches that may be leased now.
    public var queues: [DeliveryQueue]
    /// Those of them in which such a batch is `transactional`.
    public var urgent: Set<DeliveryQueue>
    /// When the next batch or notification comes due, if none is due now.
    public var next: Timestamp?

    package init(queues: [DeliveryQueue], urgent: Set<DeliveryQueue> = [], next: Timestamp?) {
        self.queues = queues
        self.urgent = urgent
        self.next = next
    }
}

/// An endpoint as an attempt finds it.
public struct TargetState: Sendable, Hashable {
    /// The token.
    public var token: String
    /// The user that it belongs to now.
    public var user: RowID<User>?
    /// Whether pushes are made to it.
    public var status: Candidate.Status
    /// The environment, once known.
    public var environment: Environment?
    /// Whether the person wants pushes on this device.
    public var hasPush: Bool
    /// What a message to it is sealed with, at Web Push.
    public var subscription: StoredSubscription?

    package init(
        token: String,
        user: RowID<User>?,
        status: Candidate.Status,
        environment: Environment?,
        hasPush: Bool = true,
        subscription: StoredSubscription? = nil
    ) {
        self.token = token
        self.user = user
        self.status = status
        self.environment = environment
        self.hasPush = hasPush
        self.subscription = subscription
    }
}

extension DeliveryStore {
    /// Takes a queue's batches, of whatever size.
    public func leaseBatches(_ queue: DeliveryQueue, limit: Int, lease: Lease) async throws -> [Batch] {
        try await leaseBatches(queue, capacity: BatchCapacity(batches: limit), lease: lease).batches
    }
}

/// What an attempt at a batch needs beside the batch.
public struct AttemptContext: Sendable, Hashable {
    /// The app, or `nil` when it is gone.
    public var app: App?
    /// What the queue's platform gets of the notification.
    public var message: Message?
    /// The app's credentials for the queue's platform.
    public var credentials: [Credential]
    /// The batch's endpoints, in the order of its members; `nil` for those that do not exist.
    public var targets: [TargetState?]
    /// The badges of the batch's users, where the message has a place for them and they have one.
    public var badges: [RowID<User>: Int32]

    package init(
        app: App? = nil,
        message: Message? = nil,
        credentials: [Credential] = [],
        targets: [TargetState?] = [],
        badges: [RowID<User>: Int32] = [:]
    ) {
        self.app = app
        self.message = message
        self.credentials = credentials
        self.targets = targets
        self.badges = badges
    }
}

/// What keeps the store small and what waits in it moving; each duty does a bounded part and says how much it did, and
/// is called again until it says 0.
public protocol MaintenanceStore: Sendable {
    /// Records as expired what waits in batches whose time ran out and which no worker holds, paused queues too, and as
    /// cancelled what waits in those of cancelled notifications. Closes fan-outs that are quarantined and whose
    /// notification's time ran out: what of the audience was not read has no delivery.
    ///
    /// - Parameters:
    ///   - limit: how many batches at most, and how many fan-outs.
    ///   - process: the caller's, whose leases last longer as in ``DeliveryStore/leaseBatches(_:capacity:lease:)``.
    func expire(limit: Int, process: Int64) async throws -> EndedWork

    /// Forgets what is older than its retention; says how much that was. A store that drops whole days keeps a notification
    /// for up to two days more.
    func purge(_ table: RetentionTable, before: Timestamp, limit: Int) async throws -> Int

    /// How much there is, as far as it is asked for.
    func statistics(_ part: StatisticsPart) async throws -> StoreStatistics
}

extension MaintenanceStore {
    /// The numbers that an operator watches.
    public func statistics() async throws -> StoreStatistics { try await statistics(.operation) }

    /// How much a submission waits for.
    public func waitingDeliveries() async throws -> WaitingDeliveries { try await statistics(.waiting).waiting }
}

/// What is forgotten after a time, each by its own setting.
public enum RetentionTable: String, Sendable, Hashable, CaseIterable {
    /// Endpoints that were not registered for long: they are removed, as `stale`.
    case staleEndpoints = "stale_endpoints"
    /// Notifications that are over, with their deliveries and suppressions, by when they were accepted.
    case notifications
    /// Dedup claims whose cooldown has passed; those for ever stay.
    case claims
    /// Idempotency records.
    case idempotency
    /// Endpoints that were removed and that no delivery refers to any more.
    case removedEndpoints = "removed_endpoints"
    case deadLetters = "dead_letters"
    /// Deleted topics, with their subscriptions and policies, that no audience is read from any more.
    case deletedTopics = "deleted_topics"
    /// Webhook URLs that were asked and never confirmed, and ends of subscriptions that nobody took back.
    case pendingSubscriptions = "pending_subscriptions"
    /// Hosts of webhook URLs for which nothing waits.
    case webhookHosts = "webhook_hosts"
    /// What FIFO topics know repetitions by.
    case fifoMessages = "fifo_messages"
    /// Inbox items, each for its own time, with what people did with them.
    case inboxItems = "inbox_items"
    /// What phones reported, by when it was received.
    case events
    /// What repeated events are known by, each for its own time.
    case eventKeys = "event_keys"
    /// How many events of a message there were, by when the last one came.
    case eventCounts = "event_counts"
    /// What joins events to users, by when the last event came.
    case eventSubjects = "event_subjects"
    /// What people changed of their preferences, and the changes of categories' defaults.
    case preferenceChanges = "preference_changes"
    /// Counts by the minute of each writer: those of whole hours are added up, by the minute and by the hour.
    case minuteCounts = "minute_counts"
    /// Counts by the minute that were added up.
    case pastMinuteCounts = "past_minute_counts"
    /// Counts by the hour.
    case hourCounts = "hour_counts"
    /// Operators' sessions and invitations that ended, each for its own time.
    case operatorSessions = "operator_sessions"
    /// Who changed what.
    case auditLog = "audit_log"
}

/// What ended without a worker.
public struct EndedWork: Sendable, Hashable {
    /// The batches.
    public var batches: [EndedBatch]
    /// How many fan-outs.
    public var fanOuts: Int

    package init(batches: [EndedBatch] = [], fanOuts: Int = 0) {
        self.batches = batches
        self.fanOuts = fanOuts
    }
}

/// A batch that ended without a worker.
public struct EndedBatch: Sendable, Hashable {
    /// Its queue; `nil` when that cannot be read.
    public var queue: DeliveryQueue?
    /// How its deliveries ended.
    public var state: DeliveryResult.State
    /// How many deliveries ended with it.
    public var deliveries: Int

    package init(queue: DeliveryQueue?, state: DeliveryResult.State, deliveries: Int) {
        self.queue = queue
        self.state = state
        self.deliveries = deliveries
    }
}
