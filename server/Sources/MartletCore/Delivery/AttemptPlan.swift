/// Decides which members of a batch are sent, from what their endpoints are now. A pure value.
///
/// Nothing of the gate is evaluated again; only what has changed about an endpoint since the batch was frozen counts:
/// it moved to another user, it was disabled, it is gone.
struct AttemptPlan: Sendable, Hashable {
    /// Members to send, with the tokens to send to.
    var sends: [Send] = []
    /// Members whose delivery is cancelled: the endpoint belongs to somebody else now.
    var cancelled: [Fact] = []
    /// Members whose delivery is not made.
    var suppressions: [Suppression] = []

    struct Send: Sendable, Hashable {
        var member: Member
        var token: String
        /// Whether the endpoint's environment is known; when it is not, an acceptance teaches it.
        var isEnvironmentKnown: Bool
    }

    /// The reason of a delivery that was cancelled because its endpoint belongs to another user now.
    static let movedReason = "moved_to_another_user"

    init(_ batch: Batch, targets: [RowID<Endpoint>: TargetState]) {
        for member in batch.members {
            guard let target = targets[member.endpoint], target.status != .removed else {
                suppress(member, .endpointRemoved)
                continue
            }
            if let user = member.user, user != target.user {
                let reason = AttemptPlan.movedReason
                cancelled.append(
                    Fact(member: member, state: .cancelled, reason: reason, attempts: batch.attempts)
                )
            } else if target.status == .disabled {
                suppress(member, .endpointDisabled)
            } else {
                sends.append(
                    Send(member: member, token: target.token, isEnvironmentKnown: target.environment != nil)
                )
            }
        }
    }

    private mutating func suppress(_ member: Member, _ reason: Suppression.Reason) {
        suppressions.append(Suppression(endpoint: member.endpoint, user: member.user, reason: reason))
    }
}
