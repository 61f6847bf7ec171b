/// The number on the app's icon: one for everybody, `{"by_user": {"ann": 3}}`, or `"unread"` or `"unseen"`, as the inbox
/// has it when a push goes out.
public enum BadgeRequest: Sendable, Hashable, Codable {
    /// The same for everybody.
    case number(Int)
    /// By users' ids; who is not named keeps the number that is there.
    case byUser([String: Int])
    /// What a person's inbox has.
    case inbox(InboxBadgeName)

    /// The fields on the wire, where it is an object.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case byUser = "by_user"
    }

    /// A number, a word, or an object with the numbers.
    public init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: CodingKeys.self) {
            self = .byUser(try members.decode([String: Int].self, forKey: .byUser))
        } else if let name = try? decoder.singleValueContainer().decode(InboxBadgeName.self) {
            self = .inbox(name)
        } else {
            self = .number(try decoder.singleValueContainer().decode(Int.self))
        }
    }

    /// A number, a word, or an object with the numbers.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .number(let number):
            var value = encoder.singleValueContainer()
            try value.encode(number)
        case .inbox(let name):
            var value = encoder.singleValueContainer()
            try value.encode(name)
        case .byUser(let badges):
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(badges, forKey: .byUser)
        }
    }
}

/// Which items of a person's inbox a badge counts.
public enum InboxBadgeName: String, Sendable, Hashable, Codable, CaseIterable {
    /// Those that were not read.
    case unread
    /// Those that were not seen.
    case unseen
}
