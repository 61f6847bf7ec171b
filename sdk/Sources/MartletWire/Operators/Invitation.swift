/// Invites somebody to the console, or has an operator who exists set a new password: `POST /api/v1/operators/invitations`.
public struct InvitationRequest: Sendable, Hashable, Codable {
    /// What they will sign in with.
    public var name: String
    /// What they will be allowed to do; one who exists keeps their role.
    public var role: OperatorRole?

    public init(name: String, role: OperatorRole? = nil) {
        self.name = name
        self.role = role
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case name, role }
}

/// An invitation to the console, which is good once.
public struct InvitationResponse: Sendable, Hashable, Codable {
    /// What they will sign in with.
    public var name: String
    /// What they will be allowed to do.
    public var role: OperatorRole
    /// Whether an operator who exists sets a new password with it.
    public var isPasswordReset: Bool
    /// The link; absent where the server was not told how it is reached.
    public var url: String?
    /// What ends the link: it is shown once.
    public var token: String
    /// From when the link is good for nothing.
    public var expiresAt: UTCTime

    public init(
        name: String,
        role: OperatorRole,
        isPasswordReset: Bool,
        url: String?,
        token: String,
        expiresAt: UTCTime
    ) {
        self.name = name
        self.role = role
        self.isPasswordReset = isPasswordReset
        self.url = url
        self.token = token
        self.expiresAt = expiresAt
    }

    /// Where the console takes an invitation, from the server's address.
    public static func path(of token: String) -> String { "/console/invitations/\(token)" }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name, role
        case isPasswordReset = "is_password_reset"
        case url, token
        case expiresAt = "expires_at"
    }
}
