import MartletCore
import MartletWire

/// Decides which members of a batch are sent, from what their endpoints are now. A pure value.
///
/// Nothing of the gate is evaluated again; only what has changed about an endpoint since the batch was frozen counts:
/// it moved to another user or to another environment, it was switched off or disabled, it is gone.
struct AttemptPlan: Sendable, Hashable {
    /// Members to send, with the tokens to send to.
    var sends: [Send] = []
    /// Members whose delivery is cancelled: the endpoint belongs to somebody else now.
    var cancelled: [DeliveryResult] = []
    /// Members whose delivery is not made.
    var suppressions: [Suppression] = []
    /// Members whose endpoint belongs to another of the provider's environments now.
    var elsewhere: [Environment: [Member]] = [:]

    struct Send: Sendable, Hashable {
        var member: Member
        var token: String
        /// Whether the endpoint's environment is known; when it is not, an acceptance teaches it.
        var isEnvironmentKnown: Bool
        /// What the message is sealed with, at Web Push, as it is stored.
        var subscription: StoredSubscription?
    }

    /// The reason of a delivery that was cancelled because its endpoint belongs to another user now.
    static let movedReason = "moved_to_another_user"

    /// A plan for a batch; `targets` has an entry for each member.
    init(_ batch: Batch, targets: [TargetState?]) {
        sends.reserveCapacity(batch.members.count)
        for (member, target) in zip(batch.members, targets) {
            guard let target, target.status != .removed else {
                suppress(member, .endpointRemoved)
                continue
            }
            if let user = member.user, user != target.user {
                let reason = AttemptPlan.movedReason
                cancelled.append(
                    DeliveryResult(member: member, state: .cancelled, reason: reason, attempts: batch.attempts)
                )
            } else if !target.hasPush {
                suppress(member, .deviceOff)
            } else if target.status == .disabled {
                suppress(member, .endpointDisabled)
            } else if let environment = target.environment, environment != batch.queue.environment {
                elsewhere[environment, default: []].append(member)
            } else {
                sends.append(
                    Send(
                        member: member,
                        token: target.token,
                        isEnvironmentKnown: target.environment != nil,
                        subscription: target.subscription
                    )
                )
            }
        }
    }

    /// What is recorded before anything is sent; `nil` when all members are sent.
    func opening(_ batch: Batch, lease: Lease) -> Settlement? {
        guard sends.count < batch.members.count else { return nil }
        var settlement = Settlement(batch: batch, lease: lease)
        settlement.results = cancelled
        settlement.suppressions = suppressions
        settlement.remaining = sends.map(\.member)
        settlement.retries = elsewhere.sorted { $0.key.rawValue < $1.key.rawValue }.map { environment, members in
            var queue = batch.queue
            queue.environment = environment
            return BatchDraft(queue: queue, isEnvironmentKnown: true, attempts: batch.attempts, members: members)
        }
        return settlement
    }

    private mutating func suppress(_ member: Member, _ reason: Suppression.Reason) {
        suppressions.append(Suppression(endpoint: member.endpoint, user: member.user, reason: reason))
    }
}
