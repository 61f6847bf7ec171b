public import MartletWire

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
