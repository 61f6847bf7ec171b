/// Why a notification reached a person, or did not: `GET /api/v1/notifications/{id}/why?user=`.
public struct WhyResponse: Sendable, Hashable, Codable {
    /// The notification.
    public var notificationID: PublicID
    /// The customer's own id for the person.
    public var userID: String
    /// Whether it was for them; absent where that is not known any more.
    public var isInAudience: Bool?
    /// What was asked about the person, in its order, up to what stopped it.
    public var steps: [WhyStep]
    /// What became of it on each of their devices.
    public var devices: [DeliveryItem]
    /// The item in their inbox, where there is one.
    public var inbox: InboxItemResponse?
    /// The answer in one sentence.
    public var summary: String

    public init(
        notificationID: PublicID,
        userID: String,
        isInAudience: Bool?,
        steps: [WhyStep],
        devices: [DeliveryItem],
        inbox: InboxItemResponse?,
        summary: String
    ) {
        self.notificationID = notificationID
        self.userID = userID
        self.isInAudience = isInAudience
        self.steps = steps
        self.devices = devices
        self.inbox = inbox
        self.summary = summary
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case notificationID = "notification_id"
        case userID = "user_id"
        case isInAudience = "is_in_audience"
        case steps, devices, inbox, summary
    }
}

/// One thing that was asked about a person.
public struct WhyStep: Sendable, Hashable, Codable {
    /// What was asked: `audience`, `category`, `dedup`, `inbox`, `quiet_hours`.
    public var step: String
    /// Whether it went on from there.
    public var passed: Bool
    /// The reason, as a suppression has it, where it stopped.
    public var reason: String?
    /// What says so, where a preference does.
    public var source: PreferenceSource?
    /// The facts, in one sentence.
    public var detail: String

    public init(step: String, passed: Bool, reason: String? = nil, source: PreferenceSource? = nil, detail: String) {
        self.step = step
        self.passed = passed
        self.reason = reason
        self.source = source
        self.detail = detail
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case step, passed, reason, source, detail }
}

/// Something that happened to a person: `GET /api/v1/users/{user}/timeline`, newest first.
public struct TimelineItem: Sendable, Hashable, Codable {
    /// When.
    public var at: UTCTime
    /// What it is.
    public var kind: TimelineKind
    /// What happened, as one word: a delivery's state, a suppression's reason, an event's type.
    public var what: String
    /// The notification, where there is one.
    public var notificationID: PublicID?
    /// The endpoint, where there is one.
    public var endpointID: PublicID?
    /// The facts, in one sentence.
    public var detail: String?

    public init(
        at: UTCTime,
        kind: TimelineKind,
        what: String,
        notificationID: PublicID? = nil,
        endpointID: PublicID? = nil,
        detail: String? = nil
    ) {
        self.at = at
        self.kind = kind
        self.what = what
        self.notificationID = notificationID
        self.endpointID = endpointID
        self.detail = detail
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case at, kind, what
        case notificationID = "notification_id"
        case endpointID = "endpoint_id"
        case detail
    }
}

/// A kind of thing that happened to a person.
public enum TimelineKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// What became of a push to one of their devices.
    case delivery
    /// A push that was not made.
    case suppression
    /// A change of what they want.
    case preference
    /// A change of one of their devices.
    case device
    /// An item of their inbox.
    case inbox
    /// What one of their phones reported.
    case event
}
