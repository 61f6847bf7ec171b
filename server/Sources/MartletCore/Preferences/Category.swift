public import MartletWire

/// A kind of notification that a person can switch, such as `follow`, `comment` or `announcement`.
public struct Category: Sendable, Hashable {
    /// The key inside the store.
    public var row: RowID<Category>
    /// Whose it is.
    public var app: RowID<App>
    /// The key outside, unique in the app.
    public var key: String
    /// What people read in a settings screen, by locale.
    public var names: [String: String]
    /// What holds for who has chosen nothing; what it leaves open is on.
    public var defaults: PreferenceChoice
    /// The channels that nobody can switch off.
    public var required: Set<ChannelName>
    /// Whether it is sent in quiet hours too.
    public var bypassesQuietHours: Bool
    /// Whether caps do not count it.
    public var isExemptFromCaps: Bool
    /// Where it stands in a settings screen.
    public var position: Int
    /// Since when nothing is sent with it any more.
    public var archivedAt: Timestamp?
    /// When it was made.
    public var createdAt: Timestamp

    /// The most categories of an app, archived ones too: a settings screen has few.
    public static let limit = 200

    package init(
        row: RowID<Category>,
        app: RowID<App>,
        key: String,
        names: [String: String] = [:],
        defaults: PreferenceChoice = PreferenceChoice(),
        required: Set<ChannelName> = [],
        bypassesQuietHours: Bool = false,
        isExemptFromCaps: Bool = false,
        position: Int = 0,
        archivedAt: Timestamp? = nil,
        createdAt: Timestamp
    ) {
        self.row = row
        self.app = app
        self.key = key
        self.names = names
        self.defaults = defaults
        self.required = required
        self.bypassesQuietHours = bypassesQuietHours
        self.isExemptFromCaps = isExemptFromCaps
        self.position = position
        self.archivedAt = archivedAt
        self.createdAt = createdAt
    }
}

/// A category on its way into the store.
public struct CategoryDraft: Sendable, Hashable {
    /// The key outside.
    public var key: String
    /// What people read in a settings screen, by locale.
    public var names: [String: String]
    /// What holds for who has chosen nothing.
    public var defaults: PreferenceChoice
    /// The channels that nobody can switch off.
    public var required: Set<ChannelName>
    /// Whether it is sent in quiet hours too.
    public var bypassesQuietHours: Bool
    /// Whether caps do not count it.
    public var isExemptFromCaps: Bool
    /// Where it stands in a settings screen; `nil` is last.
    public var position: Int?

    package init(
        key: String,
        names: [String: String] = [:],
        defaults: PreferenceChoice = PreferenceChoice(),
        required: Set<ChannelName> = [],
        bypassesQuietHours: Bool = false,
        isExemptFromCaps: Bool = false,
        position: Int? = nil
    ) {
        self.key = key
        self.names = names
        self.defaults = defaults
        self.required = required
        self.bypassesQuietHours = bypassesQuietHours
        self.isExemptFromCaps = isExemptFromCaps
        self.position = position
    }
}

/// What changes about a category; `nil` leaves it.
public struct CategoryChange: Sendable, Hashable {
    /// What people read in a settings screen, by locale.
    public var names: [String: String]?
    /// What holds for who has chosen nothing.
    public var defaults: PreferencePatch?
    /// The channels that nobody can switch off.
    public var required: Set<ChannelName>?
    /// Whether it is sent in quiet hours too.
    public var bypassesQuietHours: Bool?
    /// Whether caps do not count it.
    public var isExemptFromCaps: Bool?
    /// Where it stands in a settings screen.
    public var position: Int?
    /// Whether nothing is sent with it any more.
    public var isArchived: Bool?

    package init() {}
}
