public import MartletWire

/// One app at one provider in one environment, which at Web Push is one push service: what is queued, leased, paused and broken apart from all other queues,
/// so that one in trouble delays no other.
public struct DeliveryQueue: Sendable, Hashable {
    /// The app.
    public var app: RowID<App>
    /// The provider.
    public var platform: Platform
    /// The provider's environment.
    public var environment: Environment

    package init(app: RowID<App>, platform: Platform, environment: Environment) {
        self.app = app
        self.platform = platform
        self.environment = environment
    }

    /// The queue within its app, as `apns/production`.
    package var word: String { "\(platform.rawValue)/\(environment.rawValue)" }

    /// The queues that are sent with the credential of this one: this one and, at Web Push, those of all services.
    package var sharingCredential: [DeliveryQueue] {
        guard platform == .webpush else { return [self] }
        return Environment.allCases.map { DeliveryQueue(app: app, platform: platform, environment: $0) }
            .filter { $0.ofCredential == self }
    }

    /// The queue under which its credential is stored: all push services of Web Push know an app by the same key.
    package var ofCredential: DeliveryQueue {
        guard environment.isPushService else { return self }
        return DeliveryQueue(app: app, platform: platform, environment: .production)
    }
}

/// Why a queue stands still until an operator acts: its deliveries wait and expire in their time.
public struct Pause: Sendable, Hashable {
    /// Which queue.
    public var queue: DeliveryQueue
    /// The provider's reason, such as `InvalidProviderToken`.
    public var reason: String
    /// What the operator has to change.
    public var advice: String
    /// Since when.
    public var since: Timestamp
    /// The credential that the reason is about, while it is told to the store: one that was replaced stops nothing.
    package var credential: RowID<Credential>?

    package init(queue: DeliveryQueue, reason: String, advice: String, since: Timestamp) {
        self.queue = queue
        self.reason = reason
        self.advice = advice
        self.since = since
    }
}
