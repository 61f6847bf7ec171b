/// What an operator may do in the console; each may also do what the one before it may.
public enum OperatorRole: String, Sendable, Hashable, Codable, CaseIterable {
    /// Reads, with tokens and the texts of payloads masked.
    case viewer
    /// Sends, and cancels what they sent themselves.
    case sender
    /// Everything.
    case admin
}

/// A person who uses the console.
public struct OperatorResponse: Sendable, Hashable, Codable {
    /// The id.
    public var id: PublicID
    /// What they sign in with.
    public var name: String
    /// What they may do.
    public var role: OperatorRole
    /// Whether they cannot sign in.
    public var isDisabled: Bool
    /// When they chose their password.
    public var createdAt: UTCTime
    /// Since when they cannot sign in.
    public var disabledAt: UTCTime?

    public init(
        id: PublicID,
        name: String,
        role: OperatorRole,
        isDisabled: Bool,
        createdAt: UTCTime,
        disabledAt: UTCTime?
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.isDisabled = isDisabled
        self.createdAt = createdAt
        self.disabledAt = disabledAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, role
        case isDisabled = "is_disabled"
        case createdAt = "created_at"
        case disabledAt = "disabled_at"
    }
}

/// Changes an operator: `PATCH /api/v1/operators/{id}`.
public struct OperatorUpdate: Sendable, Hashable, Codable {
    /// What they may do.
    public var role: OperatorRole?
    /// Whether they cannot sign in; it ends their sessions.
    public var isDisabled: Bool?

    public init(role: OperatorRole? = nil, isDisabled: Bool? = nil) {
        self.role = role
        self.isDisabled = isDisabled
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case role
        case isDisabled = "is_disabled"
    }
}

/// An operator who is signed in, in one browser.
public struct OperatorSessionItem: Sendable, Hashable, Codable {
    /// The id; it opens nothing.
    public var id: PublicID
    /// Whose it is.
    public var operatorID: PublicID
    /// What they sign in with.
    public var operatorName: String
    /// From where they signed in.
    public var address: String
    /// What the browser said that it is.
    public var userAgent: String
    /// When they signed in.
    public var createdAt: UTCTime
    /// When it was used last, to the minute.
    public var usedAt: UTCTime

    public init(
        id: PublicID,
        operatorID: PublicID,
        operatorName: String,
        address: String,
        userAgent: String,
        createdAt: UTCTime,
        usedAt: UTCTime
    ) {
        self.id = id
        self.operatorID = operatorID
        self.operatorName = operatorName
        self.address = address
        self.userAgent = userAgent
        self.createdAt = createdAt
        self.usedAt = usedAt
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case operatorID = "operator_id"
        case operatorName = "operator"
        case address
        case userAgent = "user_agent"
        case createdAt = "created_at"
        case usedAt = "used_at"
    }
}
