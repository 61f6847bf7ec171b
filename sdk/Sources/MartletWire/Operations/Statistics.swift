/// What became of pushes over time: `GET /api/v1/stats`.
public struct StatisticsResponse: Sendable, Hashable, Codable {
    /// Whose; absent where it is all apps together.
    public var appID: PublicID?
    /// Of which platform; absent where it is all together.
    public var platform: PlatformName?
    /// Where the first point begins.
    public var from: UTCTime
    /// Where the last point ends.
    public var to: UTCTime
    /// How long a point is.
    public var step: StatisticsStep
    /// One for each step, oldest first, also where nothing happened.
    public var points: [StatisticsPoint]

    public init(
        appID: PublicID?,
        platform: PlatformName?,
        from: UTCTime,
        to: UTCTime,
        step: StatisticsStep,
        points: [StatisticsPoint]
    ) {
        self.appID = appID
        self.platform = platform
        self.from = from
        self.to = to
        self.step = step
        self.points = points
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case appID = "app_id"
        case platform, from, to, step, points
    }
}

/// What happened in one step. A delivery is counted when it came to its end, an event when it was received.
public struct StatisticsPoint: Sendable, Hashable {
    /// When the step begins.
    public var at: UTCTime
    /// How many.
    public var counts: OutcomeCounts

    public init(at: UTCTime, counts: OutcomeCounts) {
        self.at = at
        self.counts = counts
    }

    /// The fields on the wire, where the counts stand beside the time.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case at, accepted, rejected, dead, suppressed, expired, cancelled, deliveries, opens, dismissals
    }
}

extension StatisticsPoint: Codable {
    /// Decodes the time, and the counts beside it.
    public init(from decoder: any Decoder) throws {
        at = try decoder.container(keyedBy: CodingKeys.self).decode(UTCTime.self, forKey: .at)
        counts = try OutcomeCounts(from: decoder)
    }

    /// Encodes the time, and the counts beside it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(at, forKey: .at)
        try counts.encode(to: encoder)
    }
}

/// How many deliveries came to which end, and what phones reported of pushes.
public struct OutcomeCounts: Sendable, Hashable, Codable {
    /// A provider took them; that is not yet on a phone.
    public var accepted = 0
    /// The provider refused them for good.
    public var rejected = 0
    /// Their attempts were used up.
    public var dead = 0
    /// They were not made.
    public var suppressed = 0
    /// Their time ran out.
    public var expired = 0
    /// They were cancelled.
    public var cancelled = 0
    /// Events: a push reached the phone and the app saw it. A lower bound.
    public var deliveries = 0
    /// Events: a push was tapped.
    public var opens = 0
    /// Events: a push was dismissed. A lower bound.
    public var dismissals = 0

    /// Nothing.
    public init() {}
}

/// How long a step of statistics is. Days are those of UTC.
public enum StatisticsStep: String, Sendable, Hashable, Codable, CaseIterable {
    case minute
    case hour
    case day
}

/// When a provider took a notification's deliveries: `GET /api/v1/notifications/{id}/accepted`.
public struct AcceptedResponse: Sendable, Hashable, Codable {
    /// How long a point is, in seconds.
    public var stepSeconds: Int
    /// One for each step from the first to the last in which something was accepted, at most 60; absent where there are too
    /// many batches to look at.
    public var points: [AcceptedPoint]?

    public init(stepSeconds: Int, points: [AcceptedPoint]?) {
        self.stepSeconds = stepSeconds
        self.points = points
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case stepSeconds = "step_seconds"
        case points
    }
}

/// What was accepted in one step.
public struct AcceptedPoint: Sendable, Hashable, Codable {
    /// When the step begins.
    public var at: UTCTime
    /// A provider took them; that is not yet on a phone.
    public var accepted: Int

    public init(at: UTCTime, accepted: Int) {
        self.at = at
        self.accepted = accepted
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case at, accepted
    }
}
