public import MartletWire

/// The gate's second stage: decides for each device of a person whether a delivery is made, and in which queue. A pure
/// value.
public struct DeviceGate: Sendable {
    /// The app.
    public var app: RowID<App>
    /// The queues for which the app has a credential and the notification a message.
    public var queues: Set<DeliveryQueue>
    /// The queues whose platform application is disabled: their endpoints count as disabled.
    public var disabledQueues: Set<DeliveryQueue>
    /// The environments of each provider, in the order in which they are tried where an endpoint's is not known.
    public var environments: [Platform: [Environment]]
    /// The platforms whose messages a person sees: a device whose system shows nothing gets none of them. What works unseen
    /// passes.
    public var alerts: Set<Platform>

    package init(
        app: RowID<App>,
        queues: Set<DeliveryQueue>,
        disabledQueues: Set<DeliveryQueue> = [],
        environments: [Platform: [Environment]],
        alerts: Set<Platform> = Set(Platform.allCases)
    ) {
        self.app = app
        self.queues = queues
        self.disabledQueues = disabledQueues
        self.environments = environments
        self.alerts = alerts
    }

    /// The gate of an app, from the credentials that it has and the platforms that can be sent to.
    package init(app: RowID<App>, credentials: [Credential], providers: [Platform: any Provider]) {
        self.init(app: app, queues: [], environments: providers.mapValues(\.environments))
        for credential in credentials where providers[credential.platform] != nil {
            if credential.isEnabled {
                queues.insert(credential.queue)
            } else {
                disabledQueues.insert(credential.queue)
            }
        }
    }

    /// What goes into one batch.
    package struct Group: Hashable, Comparable {
        package var queue: DeliveryQueue
        package var isEnvironmentKnown: Bool

        package static func < (one: Group, other: Group) -> Bool { one.order < other.order }

        private var order: (String, String, Int) {
            (queue.platform.rawValue, queue.environment.rawValue, isEnvironmentKnown ? 0 : 1)
        }
    }

    package enum Decision: Hashable {
        case deliver(Group)
        case suppress(Suppression.Reason)
    }

    /// Decides on one endpoint: whether it is there, whether the person wants pushes on it and its system shows them, by its
    /// status, then by the app's credentials. Where its environment is not known, the first
    /// of its provider's is tried for which the app has a credential; the answer teaches the right one.
    package func decide(_ candidate: Candidate) -> Decision {
        if candidate.status == .removed { return .suppress(.endpointRemoved) }
        if !candidate.hasPush { return .suppress(.deviceOff) }
        if candidate.isDenied, alerts.contains(candidate.platform) { return .suppress(.permissionOff) }
        if candidate.status == .disabled { return .suppress(.endpointDisabled) }
        guard let environment = candidate.environment else {
            for guess in environments[candidate.platform] ?? [] {
                let decision = decide(candidate, in: guess)
                if decision != .suppress(.noCredential) { return decision }
            }
            return .suppress(.noCredential)
        }
        return decide(candidate, in: environment)
    }

    private func decide(_ candidate: Candidate, in environment: Environment) -> Decision {
        let queue = DeliveryQueue(app: app, platform: candidate.platform, environment: environment)
        if disabledQueues.contains(queue.ofCredential) { return .suppress(.endpointDisabled) }
        guard queues.contains(queue.ofCredential) else { return .suppress(.noCredential) }
        return .deliver(Group(queue: queue, isEnvironmentKnown: candidate.environment != nil))
    }
}
