public import MartletWire

/// Somebody who gets what is sent to a topic.
public struct Subscription: Sendable, Hashable {
    /// Who.
    public enum Subject: Sendable, Hashable {
        /// One endpoint, by key and id. The subscription outlives it, as it does at Amazon SNS.
        case endpoint(RowID<Endpoint>, PublicID, app: RowID<App>)
        /// A user, on all devices that are theirs when a message comes.
        case user(User)
        /// A webhook URL, `http` or `https`.
        case webhook(String)

        /// Whose people they are; `nil` for a webhook URL.
        public var app: RowID<App>? {
            switch self {
            case .endpoint(_, _, let app): app
            case .user(let user): user.app
            case .webhook: nil
            }
        }
    }

    /// The key inside the store.
    public var row: RowID<Subscription>
    /// The id outside.
    public var id: PublicID
    /// What to.
    public var topic: RowID<Topic>
    /// Who.
    public var subject: Subject
    /// The subject as the caller wrote it, such as an endpoint's ARN.
    public var address: String
    /// What messages must be like; `nil` takes all.
    public var filter: SubscriptionFilter?
    /// Whether messages go to it.
    public var isConfirmed: Bool
    /// What was set about it, by name; only whoever set it knows what it means.
    public var attributes: [String: String]
    /// When it was made; of one that is not confirmed, when its address was asked last.
    public var createdAt: Timestamp

    package init(
        row: RowID<Subscription>,
        id: PublicID,
        topic: RowID<Topic>,
        subject: Subject,
        address: String,
        filter: SubscriptionFilter?,
        isConfirmed: Bool,
        attributes: [String: String],
        createdAt: Timestamp
    ) {
        self.row = row
        self.id = id
        self.topic = topic
        self.subject = subject
        self.address = address
        self.filter = filter
        self.isConfirmed = isConfirmed
        self.attributes = attributes
        self.createdAt = createdAt
    }
}

/// A subscription on its way into the store.
public struct SubscriptionDraft: Sendable, Hashable {
    /// Who subscribes.
    public enum Subject: Sendable, Hashable {
        /// One endpoint.
        case endpoint(RowID<Endpoint>)
        /// A user of an app, by the customer's own id; made where there is none.
        case user(String, app: RowID<App>)
        /// A webhook URL, `http` or `https`.
        case webhook(String)
    }

    /// What to.
    public var topic: RowID<Topic>
    /// Who.
    public var subject: Subject
    /// The subject as the caller wrote it.
    public var address: String
    /// What messages must be like; `nil` takes all.
    public var filter: SubscriptionFilter?
    /// What is set about it.
    public var attributes: [String: String]
    /// Whether a webhook URL has to confirm it first; others are confirmed from the start.
    public var isPending: Bool

    package init(
        topic: RowID<Topic>,
        subject: Subject,
        address: String,
        filter: SubscriptionFilter? = nil,
        attributes: [String: String] = [:],
        isPending: Bool = false
    ) {
        self.topic = topic
        self.subject = subject
        self.address = address
        self.filter = filter
        self.attributes = attributes
        self.isPending = isPending
    }

    /// The longest address: 2,048 bytes, ours, as for the other webhook URLs that a request holds.
    public static let addressLimit = 2_048
    /// The longest form in which a webhook URL is stored: as long, with what is sealed of it in base64 behind it.
    static let storedAddressLimit = 5_120

    /// Checks the lengths of address, user id and attributes.
    ///
    /// - Throws: `Failure` naming `address`, `user_id` or `attributes`.
    public func validate() throws(Failure) {
        if case .user(let id, _) = subject { try User.validate(id: id, field: "user_id") }
        var (address, limit) = (address, SubscriptionDraft.addressLimit)
        if case .webhook(let url) = subject { (address, limit) = (url, SubscriptionDraft.storedAddressLimit) }
        guard (1...limit).contains(address.utf8.count) else {
            throw .invalid("address", "An address has 1 to \(limit) bytes.")
        }
        try Topic.validate(attributes: attributes)
    }
}

/// What is to change about a subscription.
public struct SubscriptionUpdate: Sendable, Hashable {
    /// What messages must be like; `null` takes all from now on.
    public var filter: NullablePatch<SubscriptionFilter>
    /// Of each name the value that it gets, `nil` takes it away; others stay.
    public var attributes: [String: String?]
    /// Whether it is confirmed with this update.
    public var isConfirming: Bool
    /// Whether a webhook URL that has not confirmed is asked once more: it waits from now on as if it were new.
    public var isAskedAgain: Bool

    package init(
        filter: NullablePatch<SubscriptionFilter> = .unset,
        attributes: [String: String?] = [:],
        isConfirming: Bool = false,
        isAskedAgain: Bool = false
    ) {
        self.filter = filter
        self.attributes = attributes
        self.isConfirming = isConfirming
        self.isAskedAgain = isAskedAgain
    }
}

/// What asking for a subscription came to.
public struct Subscribed: Sendable, Hashable {
    /// The subscription: the new one, or the one that the subject had, as it was.
    public var subscription: Subscription
    /// Whether it is new.
    public var isNew: Bool

    package init(subscription: Subscription, isNew: Bool) {
        self.subscription = subscription
        self.isNew = isNew
    }
}
