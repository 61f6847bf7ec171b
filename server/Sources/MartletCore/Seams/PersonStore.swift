/// What happened to people.
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
}
