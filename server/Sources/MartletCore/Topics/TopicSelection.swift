public import MartletWire

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
