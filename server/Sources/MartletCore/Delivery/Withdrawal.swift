/// What is left of a batch when it is leased: an attempt may only take away. A pure value.
///
/// Who has read the notification meanwhile, or has a newer version of it, is not told of it any more; what was sent before
/// stays as it is.
public struct Withdrawal: Sendable, Hashable {
    /// Who is still sent to, in the order of before.
    public private(set) var members: [Member] = []
    /// What is not delivered any more.
    public private(set) var suppressions: [Suppression] = []

    /// Decides.
    ///
    /// - Parameters:
    ///   - members: those of a batch that have no result.
    ///   - withdrawn: the users from whom its notification was withdrawn, and why.
    public init(_ members: [Member], withdrawn: [RowID<User>: Suppression.Reason]) {
        for member in members {
            if let user = member.user, let reason = withdrawn[user] {
                suppressions.append(Suppression(endpoint: member.endpoint, user: user, reason: reason))
            } else {
                self.members.append(member)
            }
        }
    }
}
