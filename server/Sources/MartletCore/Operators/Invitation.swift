/// What makes an operator: the holder of its link chooses a password, once.
public struct Invitation: Sendable, Hashable {
    /// The name of the operator to be.
    public var name: String
    package var role: OperatorRole
    /// From when the link is good for nothing.
    public var expiresAt: Timestamp

    /// How long a link is good. Ours: long enough to read a log or a message, and to think of a password.
    public static let lifetime: Duration = .seconds(15 * 60)

    package init(name: String, role: OperatorRole, expiresAt: Timestamp) {
        self.name = name
        self.role = role
        self.expiresAt = expiresAt
    }
}

/// An invitation on its way into the store.
public struct InvitationDraft: Sendable, Hashable {
    package var name: String
    package var role: OperatorRole
    /// What is stored of its token.
    public var hash: SecretHash
    /// Whether it is only made where there is no operator. It leaves other invitations of the name, because several servers
    /// may start at once; any other one takes their place.
    public var isFirst: Bool

    package init(name: String, role: OperatorRole, hash: SecretHash, isFirst: Bool = false) {
        self.name = name
        self.role = role
        self.hash = hash
        self.isFirst = isFirst
    }
}

/// An invitation with its token, which is shown once.
public struct NewInvitation: Sendable {
    package var invitation: Invitation
    /// 22 characters of base64url, 128 random bits.
    public var token: String
}
