public import MartletWire

/// Up to 1,000 deliveries of one notification in one queue: the unit of durable work.
///
/// The batch row is the intent: its members have passed the gate, and no audience is read again when it is resumed; at each lease
/// ``Withdrawal`` and ``LateChange`` take out who is not to get it any more. Deliveries that have their result, or that moved to another batch, are no longer members.
public struct Batch: Sendable, Hashable {
    /// The key inside the store.
    public var row: RowID<Batch>
    /// The notification that it delivers.
    public var notification: RowID<Notification>
    /// The same, by the id outside, from which delivery ids are made.
    public var notificationID: PublicID
    /// Where it is sent.
    public var queue: DeliveryQueue
    /// Whether the queue's environment is known to be the endpoints' own, or is a guess that the answer decides.
    public var isEnvironmentKnown: Bool
    /// What it waits behind.
    public var `class`: NotificationClass
    /// Attempts that its members have behind them.
    public var attempts: Int
    /// When no member is tried any more.
    public var expiresAt: Timestamp
    /// Whether the notification was cancelled: its members are not sent.
    public var isCancelled: Bool
    /// How often and when members are tried again.
    public var retry: RetryPolicy
    /// The deliveries, by ascending endpoint.
    public var members: [Member]
    /// Whether it had a time to wait for: its members were tried or rerouted before.
    public var hasWaited: Bool
    /// What the notification came of.
    public var origin: NotificationOrigin
    /// Whether somebody had it before, or had its members in another batch: answers of theirs may still come.
    package var wasLeased: Bool
    /// Whether the notification claims a dedup key.
    package var hasClaims: Bool

    package init(
        row: RowID<Batch>,
        notification: RowID<Notification>,
        notificationID: PublicID,
        queue: DeliveryQueue,
        isEnvironmentKnown: Bool,
        class: NotificationClass = .default,
        attempts: Int,
        expiresAt: Timestamp,
        isCancelled: Bool,
        retry: RetryPolicy,
        members: [Member],
        hasWaited: Bool = false,
        origin: NotificationOrigin = .caller,
        wasLeased: Bool = true,
        hasClaims: Bool = true
    ) {
        self.row = row
        self.notification = notification
        self.notificationID = notificationID
        self.queue = queue
        self.isEnvironmentKnown = isEnvironmentKnown
        self.class = `class`
        self.attempts = attempts
        self.expiresAt = expiresAt
        self.isCancelled = isCancelled
        self.retry = retry
        self.members = members
        self.hasWaited = hasWaited
        self.origin = origin
        self.wasLeased = wasLeased
        self.hasClaims = hasClaims
    }
}

/// A worker's hold on a notification's fan-out or on a batch: it ends by itself when it is not renewed.
public struct Lease: Sendable, Hashable {
    /// The process that holds it, by a number made at its start. A process gets nothing that it holds itself: a lease
    /// looks as if it had ended when the clock was set forward or the process stood still.
    public var process: Int64
    /// Who in it: a number made anew for each lease call, so that nobody settles on another's lease.
    public var holder: Int64

    package init(process: Int64, holder: Int64) {
        self.process = process
        self.holder = holder
    }

    /// A lease of a process, with a holder's number of its own.
    public static func new(process: Int64) -> Lease { Lease(process: process, holder: newNumber()) }

    /// A number that no other process and no other lease has.
    public static func newNumber() -> Int64 { Int64.random(in: 1...Int64.max) }

    /// How long a lease lasts without renewal. Ours: long enough for a slow answer and a checkpoint, short enough that
    /// a crashed worker's batch does not wait for long.
    public static let duration: Duration = .seconds(30)

    /// How often a holder renews: three times within the duration, so that one missed renewal loses nothing.
    public static let renewalInterval: Duration = .seconds(10)
}

/// A batch that is waiting to be written: what fan-out and settlement make.
public struct BatchDraft: Sendable, Hashable {
    /// Where it is to be sent.
    public var queue: DeliveryQueue
    /// Whether the queue's environment is known to be the endpoints' own.
    public var isEnvironmentKnown: Bool
    /// Attempts that its members have behind them.
    public var attempts: Int
    /// When it may be leased; `nil` is at once.
    public var notBefore: Timestamp?
    /// What came of the last attempt, where there was one: the provider's reason, or ours.
    public var lastReason: String?
    /// The deliveries.
    public var members: [Member]

    package init(
        queue: DeliveryQueue,
        isEnvironmentKnown: Bool,
        attempts: Int = 0,
        notBefore: Timestamp? = nil,
        lastReason: String? = nil,
        members: [Member]
    ) {
        self.queue = queue
        self.isEnvironmentKnown = isEnvironmentKnown
        self.attempts = attempts
        self.notBefore = notBefore
        self.lastReason = lastReason
        self.members = members
    }
}
