/// Something that keeps pushes from their devices, or soon will: `GET /api/v1/problems`.
public struct ProblemItem: Sendable, Hashable, Codable {
    /// What it is, such as `not_answering`; there may be more kinds in time.
    public var kind: String
    /// How bad it is.
    public var level: Finding.Level
    /// The app's name; absent where it is of all apps together.
    public var app: String?
    /// The provider, where it is of one.
    public var platform: PlatformName?
    /// The provider's environment.
    public var environment: EnvironmentName?
    /// The provider's own word, or what went wrong on the way to it.
    public var reason: String?
    /// The same in a word of ours, such as `no_answer`.
    public var reasonCode: String?
    /// What is wrong.
    public var message: String
    /// What to do.
    public var advice: String
    /// Since when; of a credential that ends: when it ends.
    public var since: UTCTime?
    /// How many deliveries or messages wait for it or are part of it.
    public var waiting: Int

    public init(
        kind: String,
        level: Finding.Level,
        app: String?,
        platform: PlatformName?,
        environment: EnvironmentName?,
        reason: String?,
        message: String,
        advice: String,
        since: UTCTime?,
        waiting: Int
    ) {
        (self.kind, self.level, self.app, self.platform, self.environment) = (kind, level, app, platform, environment)
        (self.reason, self.message, self.advice, self.since, self.waiting) = (reason, message, advice, since, waiting)
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case kind, level, app, platform, environment, reason
        case reasonCode = "reason_code"
        case message, advice, since, waiting
    }
}
