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
    public var defaults: ChannelChoice
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
        defaults: ChannelChoice = ChannelChoice(),
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

extension CategoryUpdate {
    /// The category afterwards.
    package func applied(to category: Category, at now: Timestamp) -> Category {
        var changed = category
        if let names { changed.names = names }
        if let patch = `default` { changed.defaults = category.defaults.applying(patch) }
        if let required { changed.required = Set(required) }
        if let bypassQuietHours { changed.bypassesQuietHours = bypassQuietHours }
        if let exemptFromCaps { changed.isExemptFromCaps = exemptFromCaps }
        if let position { changed.position = position }
        if let isArchived { changed.archivedAt = isArchived ? category.archivedAt ?? now : nil }
        return changed
    }
}

extension Category {
    /// The most locales that a category has names in, and the most bytes of a name. Ours: more than a phone has languages,
    /// and a line of a settings screen.
    package static let nameLimits = (locales: 100, bytes: 200)

    /// Checks a key: 1 to 64 of `a` to `z`, digits, `_`, `.` and `-`.
    public static func validate(key: String, field: String = "key") throws(Failure) {
        guard (1...64).contains(key.utf8.count), key.utf8.allSatisfy(isKeyByte) else {
            throw .invalid(field, "A category's key has 1 to 64 characters: a to z, 0 to 9, '_', '.' and '-'.")
        }
    }

    /// Checks names: each under a locale such as `en` or `pt-BR`, and each something to read.
    public static func validate(names: [String: String], field: String = "names") throws(Failure) {
        guard names.count <= nameLimits.locales else {
            throw .invalid(field, "A category has names in at most \(nameLimits.locales) locales.")
        }
        for (locale, name) in names {
            guard (1...35).contains(locale.utf8.count), locale.utf8.allSatisfy(isLocaleByte) else {
                throw .invalid(field, "'\(locale.prefix(35))' is no locale.", hint: "Write it as 'en' or 'pt-BR'.")
            }
            guard (1...nameLimits.bytes).contains(name.utf8.count), !name.hasControlCharacters else {
                throw .invalid(
                    "\(field).\(locale)",
                    "A name has 1 to \(nameLimits.bytes) bytes and no control characters."
                )
            }
        }
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x30...0x39, 0x5F, 0x2E, 0x2D: true
        default: false
        }
    }

    private static func isLocaleByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x5F, 0x2D: true
        default: false
        }
    }
}

extension CategoryRequest {
    /// Checks the key and the names.
    public func validate() throws(Failure) {
        try Category.validate(key: key)
        try Category.validate(names: names ?? [:])
    }
}
