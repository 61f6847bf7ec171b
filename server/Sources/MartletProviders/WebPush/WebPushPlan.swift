import MartletCore

/// What of a push goes where: its targets by the origin of their endpoints and by the VAPID key that they were made with.
/// A pure value.
struct WebPushPlan: Sendable {
    /// What one VAPID token is good for.
    struct Group: Sendable, Hashable {
        var origin: String
        var keyID: String
    }

    /// One request.
    struct Request: Sendable {
        /// The target's place in the push.
        var index: Int
        var endpoint: WebPushEndpoint
        var subscription: PushSubscription
    }

    /// The requests.
    private(set) var groups: [Group: [Request]] = [:]
    /// Targets that cannot be sent to, with why.
    private(set) var refused: [(index: Int, rejection: Outcome.Rejection)] = []

    /// Divides targets.
    ///
    /// - Parameter keys: the ids of the app's VAPID keys.
    init(_ targets: [Push.Target], keys: Set<String>, hosts: WebPushHosts) {
        for (index, target) in targets.enumerated() {
            // The host may have been allowed when it registered.
            guard let endpoint = try? WebPushEndpoint(target.token, hosts: hosts, field: "token") else {
                refused.append((index, .init(reason: "EndpointNotAllowed")))
                continue
            }
            guard let subscription = target.subscription else {
                refused.append((index, .init(reason: "NoSubscriptionKeys", meaning: .badToken)))
                continue
            }
            guard keys.contains(subscription.vapidKeyID) else {
                refused.append((index, .init(reason: "UnknownVapidKey", meaning: .wrongTopic)))
                continue
            }
            let group = Group(origin: endpoint.origin, keyID: subscription.vapidKeyID)
            groups[group, default: []].append(
                Request(index: index, endpoint: endpoint, subscription: subscription)
            )
        }
    }
}
