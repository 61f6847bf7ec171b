/// Why an app's pushes to one provider stand still until an operator acts.
public struct PauseResponse: Sendable, Hashable, Codable {
    /// The provider.
    public var platform: PlatformName
    /// The provider's environment.
    public var environment: EnvironmentName
    /// The provider's reason, such as `InvalidProviderToken`.
    public var reason: String
    /// The same in a word of ours, such as `credential_refused`.
    public var reasonCode: String?
    /// What the operator has to change.
    public var advice: String
    /// Since when.
    public var since: UTCTime

    public init(
        platform: PlatformName,
        environment: EnvironmentName,
        reason: String,
        advice: String,
        since: UTCTime
    ) {
        self.platform = platform
        self.environment = environment
        self.reason = reason
        self.advice = advice
        self.since = since
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case platform, environment, reason
        case reasonCode = "reason_code"
        case advice, since
    }
}
