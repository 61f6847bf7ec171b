/// Whom a notification is for: exactly one of `users`, `endpoints`, `tokens`, `topic` and `all`.
public struct AudienceRequest: Sendable, Hashable, Codable {
    /// These users.
    public var users: [String]?
    /// These endpoints.
    public var endpoints: [PublicID]?
    /// These tokens.
    public var tokens: [String]?
    /// The provider of `tokens`.
    public var platform: PlatformName?
    /// The subscribers of a topic, by its id or name.
    public var topic: String?
    /// Everybody the app can reach.
    public var all: Bool?

    public init(
        users: [String]? = nil,
        endpoints: [PublicID]? = nil,
        tokens: [String]? = nil,
        platform: PlatformName? = nil,
        topic: String? = nil,
        all: Bool? = nil
    ) {
        self.users = users
        self.endpoints = endpoints
        self.tokens = tokens
        self.platform = platform
        self.topic = topic
        self.all = all
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case users, endpoints, tokens, platform, topic, all }
}

/// What keeps a user from getting the same thing twice.
public struct DedupRequest: Sendable, Hashable, Codable {
    /// What counts as the same thing.
    public var key: String
    /// For how long a user is spared.
    public var cooldownSeconds: NullablePatch<Int>

    public init(key: String, cooldownSeconds: NullablePatch<Int> = .unset) {
        self.key = key
        self.cooldownSeconds = cooldownSeconds
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case key
        case cooldownSeconds = "cooldown_seconds"
    }
}

/// How often and when a delivery is tried again; what is absent is the server's default.
public struct RetryRequest: Sendable, Hashable, Codable {
    /// The first attempt and all that follow it.
    public var maxAttempts: Int?
    /// The shortest delay.
    public var minimumDelaySeconds: Int?
    /// The longest delay.
    public var maximumDelaySeconds: Int?
    /// The shortest delay after a 429.
    public var rateLimitedDelaySeconds: Int?

    public init(
        maxAttempts: Int? = nil,
        minimumDelaySeconds: Int? = nil,
        maximumDelaySeconds: Int? = nil,
        rateLimitedDelaySeconds: Int? = nil
    ) {
        self.maxAttempts = maxAttempts
        self.minimumDelaySeconds = minimumDelaySeconds
        self.maximumDelaySeconds = maximumDelaySeconds
        self.rateLimitedDelaySeconds = rateLimitedDelaySeconds
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case maxAttempts = "max_attempts"
        case minimumDelaySeconds = "minimum_delay_seconds"
        case maximumDelaySeconds = "maximum_delay_seconds"
        case rateLimitedDelaySeconds = "rate_limited_delay_seconds"
    }
}

/// What a notification waits behind: the more urgent class is sent first, whatever is older. How loud it is on the phone
/// is its ``Priority``.
public enum NotificationClass: String, Sendable, Hashable, Codable, CaseIterable {
    /// A person waits for it, such as a login code.
    case transactional
    /// Everything of which nothing is said.
    case `default`
    /// What may wait for all others, such as an announcement.
    case bulk
}

/// How loud a notification is: on the wire Apple's numbers 10, 5 and 1, or the words `high`, `normal` and `low`.
public enum Priority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// When it costs the device nothing.
    case low = 1
    /// When it suits the device's power.
    case normal = 5
    /// At once.
    case high = 10

    /// The word.
    public var word: String {
        switch self {
        case .low: "low"
        case .normal: "normal"
        case .high: "high"
        }
    }

    /// Less urgent is smaller.
    public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
}

extension Priority: Codable {
    /// Decodes the word or the number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let found: Priority?
        if let word = try? container.decode(String.self) {
            found = Priority.allCases.first { $0.word == word }
        } else {
            found = Priority(rawValue: try container.decode(Int.self))
        }
        guard let found else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a priority")
        }
        self = found
    }

    /// Encodes the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
