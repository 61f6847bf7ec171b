/// What of a message a filter policy is about.
public enum FilterScopeName: String, Sendable, Hashable, Codable, CaseIterable {
    /// The attributes beside it.
    case attributes
    /// The app's own values in it.
    case body
}

/// Who is subscribed.
public enum SubscriberKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A user, on all devices.
    case user
    /// One endpoint.
    case endpoint
    /// A webhook URL.
    case webhook
}

/// Subscribes a user or an endpoint: `POST /api/v1/topics/{topic}/subscriptions`.
public struct SubscriptionRequest: Sendable, Hashable, Codable {
    /// The id or name of the app whose people it is about.
    public var app: String?
    /// The user.
    public var userID: String?
    /// One endpoint.
    public var endpointID: PublicID?
    /// What messages must be like.
    public var filterPolicy: [String: JSONValue]?
    /// What of a message the policy is about.
    public var filterScope: FilterScopeName?

    public init(
        app: String? = nil,
        userID: String? = nil,
        endpointID: PublicID? = nil,
        filterPolicy: [String: JSONValue]? = nil,
        filterScope: FilterScopeName? = nil
    ) {
        self.app = app
        self.userID = userID
        self.endpointID = endpointID
        self.filterPolicy = filterPolicy
        self.filterScope = filterScope
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case app
        case userID = "user_id"
        case endpointID = "endpoint_id"
        case filterPolicy = "filter_policy"
        case filterScope = "filter_scope"
    }
}

/// Subscribes several: `POST /api/v1/topics/{topic}/subscriptions/batch`.
public struct SubscriptionBatchRequest: Sendable, Hashable, Codable {
    /// The subscriptions. Each is a ``SubscriptionRequest``, as JSON because each is read by itself.
    public var subscriptions: [JSONValue]

    /// The most subscriptions of one request.
    public static let limit = 1_000

    public init(subscriptions: [JSONValue]) { self.subscriptions = subscriptions }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case subscriptions }
}

/// What became of several subscriptions.
public struct SubscriptionBatchResponse: Sendable, Hashable, Codable {
    /// One receipt for each subscription, by position.
    public var receipts: [SubscriptionReceipt]

    public init(receipts: [SubscriptionReceipt]) { self.receipts = receipts }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case receipts }
}

/// What became of one subscription of several.
public struct SubscriptionReceipt: Sendable, Hashable, Codable {
    /// What was done.
    public var status: SubscriptionReceiptStatus
    /// The subscription's id, where there is one.
    public var id: PublicID?
    /// Why it was refused.
    public var error: ErrorBody.Detail?

    /// A receipt of a subscription that there is now.
    public init(id: PublicID, isNew: Bool) {
        self.id = id
        status = isNew ? .created : .existing
    }

    /// A receipt of one that was refused.
    public init(refused error: ErrorBody.Detail) {
        self.error = error
        status = .refused
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case status, id, error }
}

/// What was done with one subscription of several.
public enum SubscriptionReceiptStatus: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is new.
    case created
    /// It was there, and stays as it was.
    case existing
    /// Nothing was changed.
    case refused
}

/// All that a user is to be subscribed to: `PUT /api/v1/users/{user}/subscriptions`.
public struct UserTopicsRequest: Sendable, Hashable, Codable {
    /// The topics, by id or name.
    public var topics: [String]

    /// The most topics of one request.
    public static let limit = 1_000

    public init(topics: [String]) { self.topics = topics }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case topics }
}

/// Changes a subscription: `PATCH /api/v1/subscriptions/{id}`.
public struct SubscriptionChange: Sendable, Hashable, Codable {
    /// What messages must be like.
    public var filterPolicy: NullablePatch<[String: JSONValue]>
    /// What of a message the policy is about.
    public var filterScope: FilterScopeName?

    public init(filterPolicy: NullablePatch<[String: JSONValue]> = .unset, filterScope: FilterScopeName? = nil) {
        self.filterPolicy = filterPolicy
        self.filterScope = filterScope
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case filterPolicy = "filter_policy"
        case filterScope = "filter_scope"
    }
}

/// A message that a subscription's filter is tried with: `POST /api/v1/subscriptions/{id}/try`.
public struct FilterTrialRequest: Sendable, Hashable, Codable {
    /// What a policy about attributes looks at.
    public var attributes: [String: JSONValue]?
    /// What a policy about the body looks at: the app's own values.
    public var data: [String: JSONValue]?
    /// Another policy than the stored one; `null` is none.
    public var filterPolicy: NullablePatch<[String: JSONValue]>
    /// What of a message the policy is about.
    public var filterScope: FilterScopeName?

    public init(
        attributes: [String: JSONValue]? = nil,
        data: [String: JSONValue]? = nil,
        filterPolicy: NullablePatch<[String: JSONValue]> = .unset,
        filterScope: FilterScopeName? = nil
    ) {
        self.attributes = attributes
        self.data = data
        self.filterPolicy = filterPolicy
        self.filterScope = filterScope
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case attributes, data
        case filterPolicy = "filter_policy"
        case filterScope = "filter_scope"
    }
}

/// What a filter says of a message.
public struct FilterTrialResponse: Sendable, Hashable, Codable {
    /// Whether the subscriber would get it.
    public var matches: Bool

    public init(matches: Bool) { self.matches = matches }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case matches }
}

/// A subscription.
public struct SubscriptionResponse: Sendable, Hashable, Codable {
    /// The id.
    public var id: PublicID
    /// The topic's id.
    public var topicID: PublicID
    /// The topic's name.
    public var topic: String
    /// Who is subscribed.
    public var kind: SubscriberKind
    /// Whose people.
    public var appID: PublicID?
    /// The user, of a user's subscription.
    public var userID: String?
    /// The endpoint, of an endpoint's subscription; it may be gone.
    public var endpointID: PublicID?
    /// The address, of a webhook URL's subscription.
    public var url: String?
    /// What messages must be like.
    public var filterPolicy: JSONValue?
    /// What of a message the policy is about.
    public var filterScope: FilterScopeName?
    /// Whether messages go to it.
    public var isConfirmed: Bool
    /// When it was made.
    public var createdAt: UTCTime

    /// An answer from its parts; who it is and the filter are set afterwards.
    public init(
        id: PublicID,
        topicID: PublicID,
        topic: String,
        kind: SubscriberKind,
        appID: PublicID?,
        isConfirmed: Bool,
        createdAt: UTCTime
    ) {
        self.id = id
        self.topicID = topicID
        self.topic = topic
        self.kind = kind
        self.appID = appID
        self.isConfirmed = isConfirmed
        self.createdAt = createdAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case topicID = "topic_id"
        case topic, kind
        case appID = "app_id"
        case userID = "user_id"
        case endpointID = "endpoint_id"
        case url
        case filterPolicy = "filter_policy"
        case filterScope = "filter_scope"
        case isConfirmed = "is_confirmed"
        case createdAt = "created_at"
    }
}
