/// Whether a notification leaves an inbox item: `true`, `false`, or what the item has of its own.
public enum InboxRequest: Sendable, Hashable, Codable {
    /// Everybody who wants it gets an item, or nobody does.
    case enabled(Bool)
    /// Everybody who wants it gets an item with these values.
    case item(InboxItemRequest)

    /// A truth value, or an object.
    public init(from decoder: any Decoder) throws {
        if let value = try? decoder.singleValueContainer().decode(Bool.self) {
            self = .enabled(value)
        } else {
            self = .item(try InboxItemRequest(from: decoder))
        }
    }

    /// A truth value, or an object.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .enabled(let isEnabled):
            var value = encoder.singleValueContainer()
            try value.encode(isEnabled)
        case .item(let item): try item.encode(to: encoder)
        }
    }
}

/// What an inbox item has of its own.
public struct InboxItemRequest: Sendable, Hashable, Codable {
    /// What makes a later notification's item take the place of this one, for each person.
    public var key: String?
    /// When it leaves the inbox.
    public var expiresAt: UTCTime?
    /// What it says, where that is not what the push says.
    public var content: InboxContentRequest?

    public init(key: String? = nil, expiresAt: UTCTime? = nil, content: InboxContentRequest? = nil) {
        self.key = key
        self.expiresAt = expiresAt
        self.content = content
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case key
        case expiresAt = "expires_at"
        case content
    }
}

/// What an inbox item says.
public struct InboxContentRequest: Sendable, Hashable, Codable {
    /// The first line.
    public var title: String?
    /// The second line.
    public var subtitle: String?
    /// The text.
    public var body: String?
    /// An image to show, by its https address.
    public var image: String?
    /// Where a tap leads.
    public var deepLink: String?
    /// The app's own values.
    public var data: [String: JSONValue]?

    /// A text; all else is set afterwards.
    public init(title: String? = nil, body: String? = nil) {
        self.title = title
        self.body = body
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case title, subtitle, body, image
        case deepLink = "deep_link"
        case data
    }
}
