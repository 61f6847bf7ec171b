/// Where a notification can reach a person.
public enum ChannelName: String, Sendable, Hashable, Codable, CaseIterable {
    /// On their devices.
    case push
    /// In their inbox.
    case inbox
}

/// Makes a category: `POST /api/v1/categories`.
public struct CategoryRequest: Sendable, Hashable, Codable {
    /// The id or name of the app.
    public var app: String?
    /// The category's key.
    public var key: String
    /// What people read in a settings screen, by locale.
    public var names: [String: String]?
    /// What holds for who has chosen nothing.
    public var `default`: ChannelChoice?
    /// The channels that nobody can switch off.
    public var required: [ChannelName]?
    /// Whether it is sent in quiet hours too.
    public var bypassQuietHours: Bool?
    /// Whether caps do not count it.
    public var exemptFromCaps: Bool?
    /// Where it stands in a settings screen.
    public var position: Int?

    /// A category by its key; all else is set afterwards.
    public init(app: String? = nil, key: String, names: [String: String]? = nil) {
        self.app = app
        self.key = key
        self.names = names
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case app, key, names
        case `default` = "default"
        case required
        case bypassQuietHours = "bypass_quiet_hours"
        case exemptFromCaps = "exempt_from_caps"
        case position
    }
}

/// Changes a category: `PATCH /api/v1/categories/{key}`. What is absent stays.
public struct CategoryUpdate: Sendable, Hashable, Codable {
    /// What people read in a settings screen, by locale; replaces all of them.
    public var names: [String: String]?
    /// What holds for who has chosen nothing.
    public var `default`: ChannelPatch?
    /// The channels that nobody can switch off.
    public var required: [ChannelName]?
    /// Whether it is sent in quiet hours too.
    public var bypassQuietHours: Bool?
    /// Whether caps do not count it.
    public var exemptFromCaps: Bool?
    /// Where it stands in a settings screen.
    public var position: Int?
    /// Whether nothing is sent with it any more, and no settings screen shows it.
    public var isArchived: Bool?

    /// A change; what changes is set afterwards.
    public init() {}

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case names
        case `default` = "default"
        case required
        case bypassQuietHours = "bypass_quiet_hours"
        case exemptFromCaps = "exempt_from_caps"
        case position
        case isArchived = "is_archived"
    }
}

/// A kind of notification that a person can switch.
public struct CategoryResponse: Sendable, Hashable, Codable {
    /// The id of the app.
    public var appID: PublicID
    /// The category's key.
    public var key: String
    /// What people read in a settings screen, by locale.
    public var names: [String: String]
    /// What holds for who has chosen nothing; absent is on.
    public var `default`: ChannelChoice
    /// The channels that nobody can switch off.
    public var required: [ChannelName]
    /// Whether it is sent in quiet hours too.
    public var bypassQuietHours: Bool
    /// Whether caps do not count it.
    public var exemptFromCaps: Bool
    /// Where it stands in a settings screen.
    public var position: Int
    /// Whether nothing is sent with it any more, and no settings screen shows it.
    public var isArchived: Bool
    /// When it was made.
    public var createdAt: UTCTime

    /// An answer; what is not among the parts is set afterwards.
    public init(appID: PublicID, key: String, names: [String: String], position: Int, createdAt: UTCTime) {
        self.appID = appID
        self.key = key
        self.names = names
        self.default = ChannelChoice()
        self.required = []
        self.bypassQuietHours = false
        self.exemptFromCaps = false
        self.position = position
        self.isArchived = false
        self.createdAt = createdAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case appID = "app_id"
        case key, names
        case `default` = "default"
        case required
        case bypassQuietHours = "bypass_quiet_hours"
        case exemptFromCaps = "exempt_from_caps"
        case position
        case isArchived = "is_archived"
        case createdAt = "created_at"
    }
}

/// What was chosen for a category or for all: `enabled` is over both channels. An absent value is the default.
public struct ChannelChoice: Sendable, Hashable, Codable {
    /// Whether there is anything at all.
    public var enabled: Bool?
    /// Whether there are pushes.
    public var push: Bool?
    /// Whether there are inbox items.
    public var inbox: Bool?

    public init(enabled: Bool? = nil, push: Bool? = nil, inbox: Bool? = nil) {
        self.enabled = enabled
        self.push = push
        self.inbox = inbox
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case enabled, push, inbox }
}

/// Changes what was chosen: absent leaves it, `null` takes the default again.
public struct ChannelPatch: Sendable, Hashable, Codable {
    /// Whether there is anything at all.
    public var enabled: NullablePatch<Bool>
    /// Whether there are pushes.
    public var push: NullablePatch<Bool>
    /// Whether there are inbox items.
    public var inbox: NullablePatch<Bool>

    public init(
        enabled: NullablePatch<Bool> = .unset,
        push: NullablePatch<Bool> = .unset,
        inbox: NullablePatch<Bool> = .unset
    ) {
        self.enabled = enabled
        self.push = push
        self.inbox = inbox
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case enabled, push, inbox }
}
