public import MartletWire

/// A text by which somebody is looked for: the beginning of a user's id, a device's token, an installation's id.
public struct PersonSearch: Sendable, Hashable {
    /// An app's people; `nil` looks in all apps.
    public var app: RowID<App>?
    /// What users' ids begin with; `nil` where none does.
    public var user: String?
    /// The token as each provider has it.
    public var tokens: [Platform: String]
    /// An installation's id.
    public var installation: PublicID?

    /// The most people that are found.
    public static let limit = 20

    /// The first people by their ids, of one app or of all.
    package init(firstOf app: RowID<App>?) {
        (self.app, user, tokens, installation) = (app, "", [:], nil)
    }

    /// What a text may stand for.
    ///
    /// - Throws: `Failure` naming `q` for a text that can be none of them.
    package init(
        _ text: String,
        app: RowID<App>?,
        providers: [Platform: any Provider]
    ) throws(Failure) {
        guard (1...4_096).contains(text.utf8.count), !text.hasControlCharacters else {
            throw .invalid("q", "A search has 1 to 4,096 bytes and no control characters.")
        }
        self.app = app
        user = text.utf8.count <= 256 ? text : nil
        tokens = [:]
        for platform in Platform.allCases {
            tokens[platform] = try? providers.normalize(text, platform: platform, field: "q")
        }
        installation = PublicID(text)
    }
}

/// Somebody who was found.
public struct PersonHit: Sendable, Hashable {
    /// Whose user or device it is.
    public var app: RowID<App>
    /// The user; `nil` for a device of nobody.
    public var user: String?
    /// What matched.
    public var match: PersonMatch
    /// The device, where one matched.
    public var endpoint: PublicID?
    /// Its provider.
    public var platform: Platform?

    package init(
        app: RowID<App>,
        user: String?,
        match: PersonMatch,
        endpoint: PublicID? = nil,
        platform: Platform? = nil
    ) {
        self.app = app
        self.user = user
        self.match = match
        self.endpoint = endpoint
        self.platform = platform
    }
}
