package import MartletWire

/// What a one-time link is good for: its holder chooses a password, which makes an operator, or is the new one of an operator
/// who lost theirs.
public struct Invitation: Sendable, Hashable {
    /// The name of the operator to be, or of the one who is.
    public var name: String
    package var role: OperatorRole
    /// The operator who gets a new password; `nil` makes one.
    package var existing: RowID<Operator>?
    /// From when the link is good for nothing.
    public var expiresAt: Timestamp

    /// How long a link is good. Ours: long enough to read a log or a message, and to think of a password.
    public static let lifetime: Duration = .seconds(15 * 60)

    package init(name: String, role: OperatorRole, existing: RowID<Operator>? = nil, expiresAt: Timestamp) {
        self.name = name
        self.role = role
        self.existing = existing
        self.expiresAt = expiresAt
    }

    /// Whether an operator who exists sets a new password with it.
    package var isPasswordReset: Bool { existing != nil }

    /// What a draft makes where the name is an operator's, or nobody's.
    ///
    /// - Throws: `Failure` naming `role` where a new operator would have none, or one who exists another one; with
    ///   ``ErrorCode/conflict`` for an operator who is disabled.
    package init(_ draft: InvitationDraft, for known: Operator?, at now: Timestamp) throws(Failure) {
        let end = now + Invitation.lifetime
        guard let known else {
            guard let role = draft.role else {
                throw .invalid(
                    "role",
                    "There is no operator '\(draft.name)', and a new one needs a role.",
                    hint: "Name the role: viewer, sender or admin."
                )
            }
            self.init(name: draft.name, role: role, expiresAt: end)
            return
        }
        guard draft.role == nil || draft.role == known.role else {
            throw Failure(
                .conflict,
                "There is an operator '\(known.name)' already, whose role is \(known.role.rawValue).",
                hint: "Leave out the role for a link with which they set a new password, or choose another name.",
                field: "role"
            )
        }
        guard known.disabledAt == nil else {
            throw Failure(
                .conflict,
                "The operator '\(known.name)' is disabled.",
                hint: "Enable them first: martlet operators enable NAME.",
                field: "name"
            )
        }
        self.init(name: known.name, role: known.role, existing: known.row, expiresAt: end)
    }
}

/// An invitation on its way into the store.
public struct InvitationDraft: Sendable, Hashable {
    package var name: String
    /// What a new operator may do. One who exists keeps their role, whether it is named or `nil`.
    package var role: OperatorRole?
    /// What is stored of its token.
    public var hash: SecretHash
    /// Whether it is only made where there is no operator. It leaves other invitations of the name, because several servers
    /// may start at once; any other one takes their place.
    public var isFirst: Bool

    package init(name: String, role: OperatorRole?, hash: SecretHash, isFirst: Bool = false) {
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

    package init(invitation: Invitation, token: String) {
        self.invitation = invitation
        self.token = token
    }
}

extension Failure {
    /// The refusal of a name or a password, which does not say which of them is wrong.
    package static let wrongPassword = Failure(.unauthorized, "The name or the password is wrong.")

    /// The refusal of an invitation's token.
    package static let invitationIsOver = Failure(
        .notFound,
        "This link was used already, or is older than a quarter of an hour.",
        hint: "Ask an admin for another one, or on the server: martlet operators invite NAME"
    )
}
