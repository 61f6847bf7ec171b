/// What is written of a gated part of an audience, from what is known of its endpoints and of whoever holds its dedup key.
/// A pure value.
public struct PageCommit: Sendable, Hashable {
    /// What is delivered.
    public private(set) var batches: [BatchDraft]
    /// Who is decided on later.
    public private(set) var holds: [HoldDraft]
    /// Who gets an inbox item.
    public private(set) var inboxUsers: [RowID<User>]
    /// What is not, as the gate decided.
    public private(set) var suppressions: [Suppression]
    /// What is not because another notification holds the claim.
    public private(set) var duplicates: [Suppression] = []

    /// A part before its subjects are claimed.
    ///
    /// - Parameter met: those of its endpoints that the notification met before they moved in the audience: it decided on
    ///   them then.
    public init(_ page: GatedPage, met: Set<RowID<Endpoint>> = []) {
        (batches, holds, suppressions) = (page.batches, page.holds, page.suppressions)
        inboxUsers = page.inboxUsers
        guard !met.isEmpty else { return }
        keepMembers { member, _ in !met.contains(member.endpoint) }
        suppressions.removeAll { $0.endpoint.map(met.contains) ?? false }
    }

    /// For whom the dedup key is claimed, by the subjects' keys; a user as often as there are devices.
    public var subjects: [Int64] {
        batches.flatMap { $0.members.map(\.subject.key) } + holds.flatMap { $0.people.map(\.key) }
            + inboxUsers.map { Subject.user($0).key }
    }

    /// How many deliveries come of it.
    public var planned: Int { batches.reduce(0) { $0 + $1.members.count } }

    /// Takes out the deliveries that other notifications' claims forbid.
    ///
    /// - Parameter holders: the notifications that hold a claim, by the subject's key.
    public mutating func suppress(heldBy holders: [Int64: RowID<Notification>]) {
        guard !holders.isEmpty else { return }
        var duplicates: [Suppression] = []
        keepMembers { member, platform in
            guard let holder = holders[member.subject.key] else { return true }
            duplicates.append(
                Suppression(
                    endpoint: member.endpoint,
                    user: member.user,
                    platform: platform,
                    reason: .duplicate,
                    heldBy: holder
                )
            )
            return false
        }
        for index in holds.indices {
            holds[index].people.removeAll { person in
                guard let holder = holders[person.key] else { return false }
                duplicates.append(Suppression(person, .duplicate, heldBy: holder))
                return true
            }
        }
        holds.removeAll(where: \.people.isEmpty)
        inboxUsers.removeAll { holders[Subject.user($0).key] != nil }
        self.duplicates += duplicates
    }

    /// Keeps some of the members, and no batch without any.
    private mutating func keepMembers(_ isKept: (Member, Platform) -> Bool) {
        for index in batches.indices {
            let platform = batches[index].queue.platform
            batches[index].members.removeAll { !isKept($0, platform) }
        }
        batches.removeAll(where: \.members.isEmpty)
    }
}

extension FanOut {
    /// Where reading goes on after a part: behind it, or, where whoever is found by user or token may have been passed
    /// over, among the endpoints that moved; `nil` at the end.
    ///
    /// - Parameter hasMoves: whether endpoints moved while the audience was read.
    public func next(after page: Cursor?, hasMoves: @autoclosure () throws -> Bool) rethrows -> Cursor? {
        if let page { return page }
        switch notification.audience {
        case .endpoints, .tokens: return nil
        case .all, .users, .topic: break
        }
        return try !cursor.isAmongMoved && hasMoves() ? .movedAfter(0) : nil
    }
}

extension FanOut.Cursor {
    /// The major key of positions among the endpoints that moved; no user and no index has it.
    private static let amongMoved: Int64 = -1

    /// The position behind an endpoint among those that moved.
    public static func movedAfter(_ endpoint: Int64) -> FanOut.Cursor {
        FanOut.Cursor(major: amongMoved, minor: endpoint)
    }

    /// Whether the position is among the endpoints that moved.
    public var isAmongMoved: Bool { major == FanOut.Cursor.amongMoved }
}
