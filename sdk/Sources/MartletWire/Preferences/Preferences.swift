/// Changes what a person wants: `PATCH /api/v1/preferences`. What is absent stays.
public struct PreferencesUpdate: Sendable, Hashable, Codable {
    /// What holds over all categories; it changes no category's own choice.
    public var master: ChannelPatch?
    /// The choices for categories, by key.
    public var categories: [String: ChannelPatch]?

    public init(master: ChannelPatch? = nil, categories: [String: ChannelPatch]? = nil) {
        self.master = master
        self.categories = categories
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case master, categories }
}

/// What a person wants.
public struct PreferencesResponse: Sendable, Hashable, Codable {
    /// The number of the last change, to be sent as `If-Match`; 0 where nothing was ever chosen.
    public var revision: Int64
    /// What holds over all categories.
    public var master: ChannelChoice
    /// One for each category that is not archived, by position.
    public var categories: [CategoryPreference]
    /// The language and region of their newest device.
    public var locale: String?
    /// The IANA time zone of their newest device.
    public var timeZone: String?

    /// An answer; locale and zone are set afterwards.
    public init(revision: Int64, master: ChannelChoice, categories: [CategoryPreference]) {
        self.revision = revision
        self.master = master
        self.categories = categories
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case revision, master, categories, locale
        case timeZone = "time_zone"
    }
}

/// What a person wants of one category.
public struct CategoryPreference: Sendable, Hashable, Codable {
    /// The category's key.
    public var key: String
    /// What people read in a settings screen, by locale.
    public var names: [String: String]
    /// What they chose.
    public var choice: ChannelChoice
    /// Whether there are pushes, and why.
    public var push: ChannelState
    /// Whether there are inbox items, and why.
    public var inbox: ChannelState

    public init(key: String, names: [String: String], choice: ChannelChoice, push: ChannelState, inbox: ChannelState) {
        self.key = key
        self.names = names
        self.choice = choice
        self.push = push
        self.inbox = inbox
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case key, names, choice, push, inbox }
}

/// Whether a channel is on, and what says so.
public struct ChannelState: Sendable, Hashable, Codable {
    /// Whether it is on.
    public var isOn: Bool
    /// What says so.
    public var source: PreferenceSource

    public init(isOn: Bool, source: PreferenceSource) {
        self.isOn = isOn
        self.source = source
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case isOn = "is_on"
        case source
    }
}

/// What says whether a channel is on.
public enum PreferenceSource: String, Sendable, Hashable, Codable, CaseIterable {
    /// The category cannot be switched off on this channel.
    case required
    /// The person's choice over all categories.
    case master
    /// The person's choice for the category.
    case user
    /// The category's default.
    case category
    /// Nothing says otherwise, and so it is on.
    case system
}

/// Changes what many people want: `POST /api/v1/preferences/batch`.
public struct PreferencesBatchRequest: Sendable, Hashable, Codable {
    /// The id or name of the app.
    public var app: String?
    /// The people. Each is a ``UserPreferencesUpdate``, as JSON because each is read by itself.
    public var users: [JSONValue]

    /// The most people of one request.
    public static let limit = 1_000

    public init(app: String? = nil, users: [JSONValue]) {
        self.app = app
        self.users = users
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case app, users }
}

/// What changes for one person of many.
public struct UserPreferencesUpdate: Sendable, Hashable, Codable {
    /// The customer's own id for the person.
    public var userID: String
    /// What holds over all categories.
    public var master: ChannelPatch?
    /// The choices for categories, by key.
    public var categories: [String: ChannelPatch]?

    public init(userID: String, master: ChannelPatch? = nil, categories: [String: ChannelPatch]? = nil) {
        self.userID = userID
        self.master = master
        self.categories = categories
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case userID = "user_id"
        case master, categories
    }
}

/// What became of many people's changes.
public struct PreferencesBatchResponse: Sendable, Hashable, Codable {
    /// One receipt for each person, by position.
    public var receipts: [PreferencesReceipt]

    public init(receipts: [PreferencesReceipt]) { self.receipts = receipts }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case receipts }
}

/// What became of one person's change among many.
public struct PreferencesReceipt: Sendable, Hashable, Codable {
    /// The number of the person's last change, where it was made.
    public var revision: Int64?
    /// Why it was refused.
    public var error: ErrorBody.Detail?

    public init(revision: Int64) { self.revision = revision }

    /// The receipt of a change that was refused.
    public init(refused error: ErrorBody.Detail) { self.error = error }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case revision, error }
}

/// One change of what a person wants: `GET /api/v1/users/{user}/preferences/history`, newest first.
public struct PreferenceChange: Sendable, Hashable, Codable {
    /// Its number.
    public var revision: Int64
    /// The category's key; absent is the choice over all.
    public var category: String?
    /// What was chosen before.
    public var before: ChannelChoice
    /// What was chosen then.
    public var after: ChannelChoice
    /// Who changed it: `user`, or the name of an API key.
    public var actor: String
    /// When.
    public var at: UTCTime

    public init(
        revision: Int64,
        category: String?,
        before: ChannelChoice,
        after: ChannelChoice,
        actor: String,
        at: UTCTime
    ) {
        self.revision = revision
        self.category = category
        self.before = before
        self.after = after
        self.actor = actor
        self.at = at
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case revision, category, before, after, actor, at }
}
