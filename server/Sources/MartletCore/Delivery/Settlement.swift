/// The result of one delivery: written once.
public struct DeliveryResult: Sendable, Hashable {
    /// The states that end a delivery.
    public enum State: Int, Sendable, Hashable, CaseIterable {
        /// The provider took it.
        case accepted = 1
        /// The provider refused it for good.
        case rejected = 2
        /// Its time ran out.
        case expired = 3
        /// It was cancelled.
        case cancelled = 4
        /// Its attempts were used up.
        case dead = 5
    }

    /// Whose delivery.
    public var member: Member
    /// How it ended.
    public var state: State
    /// The provider's reason, or ours; none for what was accepted.
    public var reason: String?
    /// How many attempts were made.
    public var attempts: Int

    package init(member: Member, state: State, reason: String? = nil, attempts: Int) {
        self.member = member
        self.state = state
        self.reason = reason
        self.attempts = attempts
    }
}

/// A delivery that was not made, with its reason.
public struct Suppression: Sendable, Hashable {
    /// Why a delivery was not made.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// The subject has had this dedup key within its cooldown.
        case duplicate
        /// The user has no endpoint.
        case noEndpoint = "no_endpoint"
        /// There is no such endpoint in this app.
        case unknownEndpoint = "unknown_endpoint"
        /// The endpoint is disabled, or its platform application is.
        case endpointDisabled = "endpoint_disabled"
        /// The endpoint is gone.
        case endpointRemoved = "endpoint_removed"
        /// The app has no credential for the endpoint's platform and environment.
        case noCredential = "no_credential"
        /// The user read it in the inbox before it was sent.
        case readInInbox = "read_in_inbox"
        /// A newer version of its inbox item took its place before it was sent.
        case superseded
        /// It was a time at which the user wants quiet, and waiting for its end was not possible.
        case quietHours = "quiet_hours"
        /// The user does not want it.
        case preferenceOff = "preference_off"
        /// The user wants no pushes on this device.
        case deviceOff = "device_off"
        /// The device's system refuses what it would show.
        case permissionOff = "permission_off"
    }

    /// The endpoint, where there is one.
    public var endpoint: RowID<Endpoint>?
    /// The user, where there is one.
    public var user: RowID<User>?
    /// The endpoint's platform, where it was looked at.
    public var platform: Platform?
    /// Why.
    public var reason: Reason
    /// For a duplicate: the notification that holds the dedup key.
    public var heldBy: RowID<Notification>?
    /// What else is to be said of the reason.
    public var detail: Detail?

    /// What else is to be said of a reason.
    public enum Detail: String, Sendable, Hashable, Codable, CaseIterable {
        /// The user changed it after the notification was published, and before this delivery was sent.
        case late
    }

    package init(
        endpoint: RowID<Endpoint>?,
        user: RowID<User>?,
        platform: Platform? = nil,
        reason: Reason,
        heldBy: RowID<Notification>? = nil,
        detail: Detail? = nil
    ) {
        self.endpoint = endpoint
        self.user = user
        self.platform = platform
        self.reason = reason
        self.heldBy = heldBy
        self.detail = detail
    }
}

/// What an answer changes about an endpoint.
public struct EndpointChange: Sendable, Hashable {
    /// The change.
    public enum Kind: Sendable, Hashable {
        /// Skip it from now on.
        case disable(DisableReason)
        /// Skip it from now on, unless it was registered at this moment or later.
        case disableUnlessRegistered(since: Timestamp, DisableReason)
        /// It is gone.
        case remove(DisableReason)
        /// Its environment is now known.
        case learn(Environment)
    }

    /// Which endpoint.
    public var endpoint: RowID<Endpoint>
    /// The change.
    public var kind: Kind

    package init(endpoint: RowID<Endpoint>, kind: Kind) {
        self.endpoint = endpoint
        self.kind = kind
    }
}

/// What one checkpoint of a batch records, in one transaction.
public struct Settlement: Sendable {
    /// The batch.
    public var batch: Batch
    /// The lease under which its members were sent. When it is no longer held, results are still recorded (an answer is
    /// an answer) and everything else is left to the new holder.
    public var lease: Lease
    /// Deliveries that ended.
    public var results: [DeliveryResult] = []
    /// Deliveries that turned out not to be made.
    public var suppressions: [Suppression] = []
    /// What answers change about endpoints.
    public var changes: [EndpointChange] = []
    /// Deliveries that are tried again, each group as a batch of its own.
    public var retries: [BatchDraft] = []
    /// Deliveries without an answer yet: what the batch holds afterwards. With none left the batch is done.
    public var remaining: [Member] = []
    /// Whether the lease ends, so that others may take what remains.
    public var isLeaseReleased = false
    /// What stops the queue, if something does.
    public var pause: Pause?
    /// What the answers say of the topic, where it was not known.
    public var topic: CredentialTopic?

    /// Whether there is something to be leased after it.
    package var leavesWork: Bool { !retries.isEmpty || isLeaseReleased && !remaining.isEmpty }

    /// Whether nothing but the acceptance of all of the batch is to be recorded: nobody else has had it, and its end gives
    /// no claim back, because the notification makes none.
    package var isWhole: Bool {
        !batch.wasLeased && !batch.hasClaims && remaining.isEmpty && retries.isEmpty && suppressions.isEmpty
            && pause == nil && topic == nil && results.count == batch.members.count
            && results.allSatisfy { $0.state == .accepted }
    }

    /// An empty settlement.
    public init(batch: Batch, lease: Lease) {
        self.batch = batch
        self.lease = lease
    }
}
