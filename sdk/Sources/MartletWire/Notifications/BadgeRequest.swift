/// The number on the app's icon: one for everybody, or `{"by_user": {"ann": 3}}`.
public enum BadgeRequest: Sendable, Hashable, Codable {
    /// The same for everybody.
    case number(Int)
    /// By users' ids; who is not named keeps the number that is there.
    case byUser([String: Int])

    /// The fields on the wire, where it is an object.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case byUser = "by_user"
    }

    /// A number, or an object with the numbers.
    public init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: CodingKeys.self) {
            self = .byUser(try members.decode([String: Int].self, forKey: .byUser))
        } else {
            self = .number(try decoder.singleValueContainer().decode(Int.self))
        }
    }

    /// A number, or an object with the numbers.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .number(let number):
            var value = encoder.singleValueContainer()
            try value.encode(number)
        case .byUser(let badges):
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(badges, forKey: .byUser)
        }
    }
}
