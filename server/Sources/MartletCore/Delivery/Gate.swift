/// Decides for each endpoint of an audience whether a delivery is made, and into which batch it goes. A pure value; the
/// dedup decision, which must be one atomic statement, is the store's.
public struct Gate: Sendable {
    /// The app.
    public var app: RowID<App>
    /// The queues for which the app has a credential and the notification a message.
    public var queues: Set<DeliveryQueue>
    /// The queues whose platform application is disabled: their endpoints count as disabled.
    public var disabledQueues: Set<DeliveryQueue>
    /// The environments of each provider, in the order in which they are tried where an endpoint's is not known.
    public var environments: [Platform: [Environment]]

    package init(
        app: RowID<App>,
        queues: Set<DeliveryQueue>,
        disabledQueues: Set<DeliveryQueue>,
        environments: [Platform: [Environment]]
    ) {
        self.app = app
        self.queues = queues
        self.disabledQueues = disabledQueues
        self.environments = environments
    }

    /// The gate of an app, from the credentials that it has and the platforms that can be sent to.
    init(app: RowID<App>, credentials: [Credential], providers: [Platform: any Provider]) {
        var gate = Gate(app: app, queues: [], disabledQueues: [], environments: providers.mapValues(\.environments))
        for credential in credentials where providers[credential.platform] != nil {
            if credential.isEnabled {
                gate.queues.insert(credential.queue)
            } else {
                gate.disabledQueues.insert(credential.queue)
            }
        }
        self = gate
    }

    /// Decides on one part of an audience.
    public func decide(_ page: AudiencePage) -> GatedPage {
        var groups: [Group: [Member]] = [:]
        var suppressions = page.usersWithoutEndpoint.map {
            Suppression(endpoint: nil, user: $0, reason: .noEndpoint)
        }
        if page.unknownEndpoints > 0 {
            suppressions.append(Suppression(endpoint: nil, user: nil, reason: .unknownEndpoint))
        }
        // As a rule all of a part go into one group.
        var current: (group: Group, members: [Member])?
        for candidate in page.candidates {
            switch decide(candidate) {
            case .deliver(let group):
                if current?.group == group {
                    current?.members.append(candidate.member)
                } else {
                    if let current { groups[current.group, default: []] += current.members }
                    current = (group, [candidate.member])
                }
            case .suppress(let reason):
                let member = candidate.member
                suppressions.append(Suppression(endpoint: member.endpoint, user: member.user, reason: reason))
            }
        }
        if let current { groups[current.group, default: []] += current.members }
        // Always in the same order, which a dictionary has not.
        let batches = groups.sorted { $0.key < $1.key }.flatMap(Gate.batches)
        return GatedPage(batches: batches, suppressions: suppressions, next: page.next)
    }

    struct Group: Hashable, Comparable {
        var queue: DeliveryQueue
        var isEnvironmentKnown: Bool

        static func < (one: Group, other: Group) -> Bool { one.order < other.order }

        private var order: (String, String, Int) {
            (queue.platform.rawValue, queue.environment.rawValue, isEnvironmentKnown ? 0 : 1)
        }
    }

    enum Decision: Hashable {
        case deliver(Group)
        case suppress(Suppression.Reason)
    }

    /// Decides on one endpoint. Where its environment is not known, the first of its provider's is tried for which the app
    /// has a credential; the answer teaches the right one.
    func decide(_ candidate: Candidate) -> Decision {
        switch candidate.status {
        case .disabled: return .suppress(.endpointDisabled)
        case .removed: return .suppress(.endpointRemoved)
        case .enabled: break
        }
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
        if disabledQueues.contains(queue) { return .suppress(.endpointDisabled) }
        guard queues.contains(queue) else { return .suppress(.noCredential) }
        return .deliver(Group(queue: queue, isEnvironmentKnown: candidate.environment != nil))
    }

    private static func batches(_ group: Group, _ members: [Member]) -> [BatchDraft] {
        stride(from: 0, to: members.count, by: MemberList.limit).map { start in
            BatchDraft(
                queue: group.queue,
                isEnvironmentKnown: group.isEnvironmentKnown,
                members: Array(members[start..<min(start + MemberList.limit, members.count)])
            )
        }
    }
}
