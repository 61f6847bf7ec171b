/// People of a notification who are sent to later: leased like its audience when they are due, and gated again then.
///
/// People and not endpoints are held, so that a device that is registered meanwhile gets it and one that is gone does not.
public struct Hold: Sendable, Hashable {
    /// The key inside the store, among the holds of its notification.
    public var row: RowID<Hold>
    /// Who they are.
    public var people: [Subject]
    /// When no delivery to them is tried any more.
    public var expiresAt: Timestamp
    /// Why they were held.
    public var reason: Suppression.Reason
    /// How often they were held, this time included.
    public var times: Int

    /// The most people of one hold: a part of an audience has as many.
    public static let peopleLimit = 1_000

    /// How often somebody is held for one notification. Ours: night, then a busy day, then another night; what is two days
    /// late is news to nobody.
    public static let limit = 3

    package init(
        row: RowID<Hold>,
        people: [Subject],
        expiresAt: Timestamp,
        reason: Suppression.Reason,
        times: Int
    ) {
        self.row = row
        self.people = people
        self.expiresAt = expiresAt
        self.reason = reason
        self.times = times
    }
}

/// Until when people are held, and why.
public struct HoldRule: Sendable, Hashable, Comparable {
    /// When they are due.
    public var until: Timestamp
    /// Why, as a suppression says it where they are not held any more.
    public var reason: Suppression.Reason

    package init(until: Timestamp, reason: Suppression.Reason) {
        self.until = until
        self.reason = reason
    }

    /// By time, and where that is the same always in one order.
    public static func < (one: HoldRule, other: HoldRule) -> Bool {
        (one.until, one.reason.rawValue) < (other.until, other.reason.rawValue)
    }
}

/// People of a part of an audience who are to be held.
public struct HoldDraft: Sendable, Hashable {
    /// Until when, and why.
    public var rule: HoldRule
    /// How often they were held, this time included.
    public var times: Int
    /// Who they are, each once.
    public var people: [Subject]

    package init(rule: HoldRule, times: Int, people: [Subject]) {
        self.rule = rule
        self.times = times
        self.people = people
    }
}
