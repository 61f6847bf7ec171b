import MartletCore

/// The reserved attributes of this server's own: what a message asks of people's preferences and inboxes. Amazon SNS has
/// nothing like them, and passes them on as it does all others.
struct PersonAttributes: Hashable, Sendable {
    static let category = "MARTLET.CATEGORY"
    static let inboxKey = "MARTLET.INBOX_KEY"
    static let dedupKey = "MARTLET.DEDUP_KEY"

    private static let prefix = "MARTLET."
    /// The longest key, in bytes, as a dedup key's.
    private static let longestKey = 256

    /// The key of a category.
    private(set) var category: String?
    /// What makes a later item take an earlier one's place, for each person; there is an item where it is given.
    private(set) var inboxKey: String?
    /// What keeps a person from getting the same twice.
    private(set) var dedupKey: String?

    init() {}

    /// Reads the reserved ones among a message's attributes.
    ///
    /// - Throws: `InvalidParameter` naming the attribute, also for one that begins like them and is none of them: a typing
    ///   error must not bypass what people chose.
    init(_ attributes: [MessageAttribute]) throws(SNSError) {
        for attribute in attributes where attribute.name.hasPrefix(Self.prefix) {
            switch attribute.name {
            case Self.category: category = try Self.text(attribute)
            case Self.inboxKey: inboxKey = try Self.text(attribute)
            case Self.dedupKey: dedupKey = try Self.text(attribute)
            default:
                let known = [Self.category, Self.dedupKey, Self.inboxKey].joined(separator: ", ")
                throw .invalidParameter(attribute.name.excerpt, reason: "The attributes of this server are \(known)")
            }
        }
    }

    private static func text(_ attribute: MessageAttribute) throws(SNSError) -> String {
        guard !attribute.isBinary else {
            throw .invalidParameter(attribute.name, reason: "must have the data type String or Number")
        }
        guard attribute.value.utf8.count <= longestKey, !attribute.value.hasControlCharacters else {
            throw .invalidParameter(
                attribute.name,
                reason: "must have at most \(longestKey) bytes and no control characters"
            )
        }
        return attribute.value
    }
}

/// The reserved tags of a topic: what its messages ask for that say nothing themselves.
struct PersonTags: Hashable, Sendable {
    static let category = "martlet:category"
    static let inbox = "martlet:inbox"

    private static let prefix = "martlet:"

    /// The key of a category.
    let category: String?
    /// Whether its messages leave inbox items.
    let leavesItem: Bool?

    init(_ topic: Topic) {
        category = topic.tags[Self.category]
        leavesItem = topic.tags[Self.inbox].map { $0 == "true" }
    }

    /// Looks at the reserved ones among tags that somebody sets. Whether there is such a category is said when something is
    /// published: a topic belongs to no app.
    ///
    /// - Throws: `InvalidParameter` naming the tag.
    static func check(_ tags: [String: String]) throws(SNSError) {
        for (key, value) in tags where key.hasPrefix(prefix) {
            switch key {
            case category:
                guard !value.isEmpty else {
                    throw .invalidParameter("Tags", reason: "The tag \(key) is the key of a category")
                }
            case inbox:
                guard value == "true" || value == "false" else {
                    throw .invalidParameter("Tags", reason: "The tag \(key) is true or false")
                }
            default:
                throw .invalidParameter("Tags", reason: "The tags of this server are \(category) and \(inbox)")
            }
        }
    }
}

/// What a message asks of people's preferences and inboxes, in one app.
struct PersonRequest: Sendable {
    private(set) var category: Category?
    private(set) var inbox: InboxDraft?
    private(set) var dedup: Dedup?

    /// Finds the category.
    ///
    /// - Parameters:
    ///   - tags: those of the topic, which count where the message says nothing.
    ///   - categories: the app's.
    ///   - isOfOneDevice: whether it goes to one endpoint. It leaves an item only where it has a key, because each of a
    ///     person's devices would leave one.
    /// - Throws: `InvalidParameter` naming the attribute or the tag for a category that there is not.
    init(
        _ attributes: PersonAttributes,
        tags: PersonTags? = nil,
        isOfOneDevice: Bool = false,
        app: App,
        categories: [Category]
    ) throws(SNSError) {
        if let key = attributes.category ?? tags?.category {
            let source = attributes.category == nil ? PersonTags.category : PersonAttributes.category
            guard let found = categories.first(where: { $0.key == key }) else {
                throw .invalidParameter(source, reason: "The app \(app.name) has no category \(key.excerpt)")
            }
            guard found.archivedAt == nil else {
                throw .invalidParameter(source, reason: "The category \(key) of the app \(app.name) is archived")
            }
            category = found
        }
        if let key = attributes.inboxKey {
            inbox = InboxDraft(key: key)
        } else if !isOfOneDevice, tags?.leavesItem ?? (category != nil) {
            // As everywhere: what has a category leaves an item unless something says otherwise.
            inbox = InboxDraft()
        }
        dedup = attributes.dedupKey.map { Dedup(key: $0) }
    }

    /// Whether an app's categories have to be read.
    static func needsCategories(_ attributes: PersonAttributes, tags: PersonTags? = nil) -> Bool {
        (attributes.category ?? tags?.category) != nil
    }
}
