public import MartletWire

/// Topics.
public protocol TopicStore: Sendable {
    /// Makes a topic, or finds the one that has the owner, region and name already and leaves it as it is.
    ///
    /// - Throws: `Failure` as ``TopicDraft/validate()`` does, and ``ErrorCode/notFound`` for an owner that is gone.
    func createTopic(_ draft: TopicDraft) async throws -> CreatedTopic

    /// Topics by age; one that was deleted is not found.
    func topics(_ scope: TopicScope, _ page: PageRequest) async throws -> Page<Topic>

    /// Changes attributes and tags; says what the topic is afterwards.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``; naming `tags` or `attributes` when there would be too many; and with
    ///   ``ErrorCode/conflict`` when an attribute is not what the update expects.
    func updateTopic(_ topic: RowID<Topic>, _ update: TopicUpdate) async throws -> Topic

    /// Deletes a topic with its subscriptions; says whether there was one. Its name is free at once. What was accepted
    /// for it before still reaches those who were subscribed then.
    func deleteTopic(_ topic: RowID<Topic>) async throws -> Bool

    /// One topic and what a message to it has to be written for, or `nil`.
    func recipients(of topic: TopicSelector) async throws -> TopicRecipients?
}

extension TopicStore {
    /// One topic, or `nil`.
    public func topic(_ selector: TopicSelector) async throws -> Topic? {
        try await topics(.one(selector), PageRequest(count: 1)).items.first
    }
}

/// Who is subscribed to what.
public protocol SubscriptionStore: Sendable {
    /// Subscribes, or finds the subscription that the subject has to the topic already and leaves it as it is.
    ///
    /// - Throws: `Failure` as ``SubscriptionDraft/validate()`` does; with ``ErrorCode/notFound`` when topic, app or
    ///   endpoint are gone, the topic belongs to another app, or no end has the token; and with ``ErrorCode/conflict`` at
    ///   `filter_policy` when the topic has as many different filter policies as it may.
    func subscribe(_ request: SubscribeRequest) async throws -> Subscribed

    /// Subscriptions by age; those of a deleted topic are not found.
    func subscriptions(_ scope: SubscriptionScope, _ page: PageRequest) async throws -> Page<Subscription>

    /// Changes a subscription; says what it is afterwards.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``; naming `attributes`; and as ``subscribe(_:)`` for a policy.
    func updateSubscription(_ row: RowID<Subscription>, _ update: SubscriptionUpdate) async throws -> Subscription

    /// Ends a subscription; says whether there was one.
    ///
    /// - Parameter confirmation: where given, the subscription has to be of a webhook URL, which is told so and can take the
    ///   end back for a while.
    func unsubscribe(_ row: RowID<Subscription>, confirmation: UnsubscribeConfirmation?) async throws -> Bool
}

extension SubscriptionStore {
    /// Subscribes somebody.
    public func subscribe(_ draft: SubscriptionDraft) async throws -> Subscribed {
        try await subscribe(.new(draft))
    }

    /// Takes the end of a webhook URL's subscription back.
    ///
    /// - Returns: the subscription; `nil` for a token that is not known or belongs to another region, and where the topic
    ///   is gone.
    public func restore(_ token: SecretHash, region: String) async throws -> Subscription? {
        do {
            return try await subscribe(.again(token, region: region)).subscription
        } catch let failure as Failure where failure.code == .notFound {
            return nil
        }
    }

    /// One subscription, or `nil`.
    public func subscription(_ selector: SubscriptionSelector) async throws -> Subscription? {
        try await subscriptions(.one(selector), PageRequest(count: 1)).items.first
    }

    /// Ends a subscription without a word.
    public func unsubscribe(_ row: RowID<Subscription>) async throws -> Bool {
        try await unsubscribe(row, confirmation: nil)
    }
}

/// Who subscribes.
public enum SubscribeRequest: Sendable {
    /// Somebody who may be subscribed already.
    case new(SubscriptionDraft)
    /// A webhook URL that takes the end of its subscription back, by the token that it was told: the subscription is the
    /// same again, under the same id, or the one that the URL has by now, confirmed.
    case again(SecretHash, region: String)
}

/// What a webhook URL is told of the end of its subscription.
public struct UnsubscribeConfirmation: Sendable {
    /// The hash of the token that takes the end back.
    public var token: SecretHash
    /// The message, for ``WebhookMessage/Recipients/ended(_:)``.
    public var message: WebhookMessage

    package init(token: SecretHash, message: WebhookMessage) {
        self.token = token
        self.message = message
    }
}

/// How a topic is found.
public enum TopicSelector: Sendable, Hashable {
    /// By its key inside the store.
    case row(RowID<Topic>)
    /// By its id outside.
    case id(PublicID)
    /// By its name; an app's, or the server's own.
    case name(String, app: RowID<App>?, region: String)
}

/// What a message to a topic has to be written for.
public struct TopicRecipients: Sendable, Hashable {
    /// The topic.
    public var topic: Topic
    /// The apps that have users or endpoints among the subscribers, by row: a notification is for one app, so the message
    /// becomes one for each of these.
    public var apps: [RowID<App>]
    /// Whether there are confirmed webhook URLs among them.
    public var hasWebhooks: Bool

    public init(topic: Topic, apps: [RowID<App>], hasWebhooks: Bool) {
        self.topic = topic
        self.apps = apps
        self.hasWebhooks = hasWebhooks
    }
}

/// Which topics are asked for.
public enum TopicScope: Sendable, Hashable {
    case one(TopicSelector)
    case all
    /// Those of an app, or the server's own, in a region.
    case owned(by: RowID<App>?, region: String)
}

/// How a subscription is found.
public enum SubscriptionSelector: Sendable, Hashable {
    /// By its key inside the store.
    case row(RowID<Subscription>)
    /// By its id outside.
    case id(PublicID)
}

/// Which subscriptions are asked for.
public enum SubscriptionScope: Sendable, Hashable {
    case one(SubscriptionSelector)
    /// Those to one topic.
    case topic(RowID<Topic>)
    /// Those to one topic that are confirmed webhook URLs.
    case webhooks(RowID<Topic>)
    /// A person's own, by the customer's id, and not those of their devices; to one topic or to all.
    case user(String, app: RowID<App>, topic: RowID<Topic>? = nil)
    /// Those to the topics of an app, or to the server's own, in a region.
    case owned(by: RowID<App>?, region: String)
}
