import MartletWire

/// What is left of a batch when people changed their preferences since it was gated. A pure value.
///
/// An attempt may only take away: who wants no push now gets none, and who wants one now and did not then is no member.
public struct LateChange: Sendable, Hashable {
    /// Who is still sent to, in the order of before.
    public private(set) var members: [Member] = []
    /// What is not delivered any more.
    public private(set) var suppressions: [Suppression] = []

    /// Decides.
    ///
    /// - Parameters:
    ///   - members: those of a batch that have no result.
    ///   - category: the notification's, as it is now.
    ///   - changed: what those users chose, as it is now, who changed something since; all others are sent to.
    public init(_ members: [Member], category: Category?, changed: [RowID<User>: PersonChoice]) {
        let off = Set(
            changed.filter { !PreferenceDecision(.push, category: category, choice: $0.value).isOn }.keys
        )
        for member in members {
            if let user = member.user, off.contains(user) {
                suppressions.append(
                    Suppression(endpoint: member.endpoint, user: user, reason: .preferenceOff, detail: .late)
                )
            } else {
                self.members.append(member)
            }
        }
    }
}
