/// One thing that a check of the server's set-up found: `GET /api/v1/doctor`.
public struct Finding: Sendable, Hashable, Codable {
    /// How bad it is.
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is as it should be.
        case ok
        /// It works, and will not for ever.
        case warning
        /// It does not work.
        case problem
    }

    /// How bad it is.
    public var level: Level
    /// What was looked at, such as `apns/production connection`.
    public var subject: String
    /// What was found.
    public var message: String
    /// What to change.
    public var advice: String?

    public init(_ level: Level, _ subject: String, _ message: String, advice: String? = nil) {
        self.level = level
        self.subject = subject
        self.message = message
        self.advice = advice
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case level, subject, message, advice }
}

/// Whether the server is alive, or ready for work: `GET /healthz` and `GET /readyz`.
public struct HealthResponse: Sendable, Hashable, Codable {
    /// `ok` when it is.
    public var status: String

    /// An answer from its part.
    public init(status: String) { self.status = status }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case status }
}
