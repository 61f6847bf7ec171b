/// People: what happened to them, and whom an audience has now.
public protocol PersonStore: Sendable {
    /// What is known of a notification and a person, also of one of whom nothing is stored.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when there is no such notification.
    func whyFacts(of notification: RowID<Notification>, user: String) async throws -> WhyFacts

    /// What happened to a person up to a moment, that included, in no order; of their changes up to `limit`. The inbox is
    /// not among it. Where there is no index by person it looks at so many notifications and events, the newest first, and
    /// says how far back that was: a delivery of an earlier notification may be missing, however late it was.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when there is no such person.
    func timeline(_ filter: TimelineFilter, upTo moment: Timestamp, limit: Int) async throws -> TimelinePart

    /// A part of an audience as it is now, with what its people chose; writes nothing. Who is named and not known has a key
    /// that nobody has.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` for a topic that is gone.
    func audience(_ query: AudienceQuery, after cursor: FanOut.Cursor, limit: Int) async throws -> AudiencePage

    /// How many people an audience has, counted for no longer than about so long: what is not counted by then is taken to be
    /// as dense as the rest.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` for a topic that is gone.
    func size(of query: AudienceQuery, within limit: Duration) async throws -> AudienceSize

    /// To which devices a notification is sent again: those on which people missed it for such a reason, and where these are
    /// gone the people's others, as far as they are enabled now. Nobody's who has it on any device.
    ///
    /// - Parameters:
    ///   - limit: how many devices are found at most.
    ///   - most: how many lines of those who missed it are looked at; `nil` for all.
    /// - Throws: `Failure` with ``ErrorCode/queryTimedOut`` where too many have to be looked at.
    func resendTargets(
        of notification: RowID<Notification>,
        for reasons: ResendReasons,
        limit: Int,
        among most: Int?
    ) async throws -> ResendTargets

    /// Whom a text stands for, up to ``PersonSearch/limit``: installations and tokens first, then users by app and id.
    func people(_ search: PersonSearch) async throws -> [PersonHit]
}
