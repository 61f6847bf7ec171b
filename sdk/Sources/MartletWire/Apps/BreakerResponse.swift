/// A provider that does not answer: an app's deliveries to it wait, and it is tried again by itself.
public struct BreakerResponse: Sendable, Hashable, Codable {
    /// What is sent.
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// Everything.
        case closed
        /// Nothing.
        case open
        /// One batch, to see whether it answers.
        case probing
        /// More and more of what waited.
        case recovering
    }

    /// The provider.
    public var platform: PlatformName
    /// The provider's environment.
    public var environment: EnvironmentName
    /// What is sent.
    public var state: State
    /// Why the last attempt failed.
    public var reason: String?
    /// The same in a word of ours, such as `no_answer`.
    public var reasonCode: String?
    /// Since when.
    public var since: UTCTime
    /// When it is tried next, while nothing is sent.
    public var probeAt: UTCTime?

    public init(
        platform: PlatformName,
        environment: EnvironmentName,
        state: State,
        reason: String?,
        since: UTCTime,
        probeAt: UTCTime?
    ) {
        self.platform = platform
        self.environment = environment
        self.state = state
        self.reason = reason
        self.since = since
        self.probeAt = probeAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case platform, environment, state, reason
        case reasonCode = "reason_code"
        case since
        case probeAt = "probe_at"
    }
}
