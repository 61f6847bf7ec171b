extension InboxItemKind {
    /// The most subscriptions of a topic whose subscribers have a row each: as many as an audience may name.
    public static let rowLimit = Audience.limit

    /// How the item of a notification to an audience is kept.
    ///
    /// - Parameters:
    ///   - hasDedup: whether a dedup key may keep people out.
    ///   - subscriptions: how many subscriptions the audience's topic has; 0 where it is none.
    public init(_ audience: Audience, hasDedup: Bool, subscriptions: Int) {
        switch audience {
        case .users, .endpoints, .tokens: self = .rows
        case .topic: self = subscriptions <= Self.rowLimit ? .rows : .sets
        case .all: self = hasDedup ? .sets : .everyone
        }
    }
}
