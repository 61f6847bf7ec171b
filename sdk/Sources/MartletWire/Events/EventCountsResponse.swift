/// How many events phones reported of a notification. What a phone does not see it does not report: each is a lower
/// bound.
public struct EventCountsResponse: Sendable, Hashable, Codable {
    /// It reached the phone and the app saw it.
    public var deliveries: Int
    /// It was tapped.
    public var opens: Int
    /// It was dismissed.
    public var dismissals: Int
    /// A web link of it was opened.
    public var links: Int
    /// A link of it into the app was opened.
    public var deeplinks: Int

    /// Counts from their parts.
    public init(deliveries: Int = 0, opens: Int = 0, dismissals: Int = 0, links: Int = 0, deeplinks: Int = 0) {
        self.deliveries = deliveries
        self.opens = opens
        self.dismissals = dismissals
        self.links = links
        self.deeplinks = deeplinks
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case deliveries, opens, dismissals, links, deeplinks }
}
