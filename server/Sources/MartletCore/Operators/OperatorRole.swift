public import MartletWire

extension OperatorRole {
    /// Whether a holder of the role may do that.
    public func may(_ act: OperatorAct) -> Bool { rank >= act.leastRole.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .sender: 1
        case .admin: 2
        }
    }
}

/// What can be done in the console, as far as roles tell it apart.
public enum OperatorAct: String, Sendable, Hashable, CaseIterable {
    /// Read pages, in which tokens and the texts of payloads are masked.
    case read
    /// Change one's own password, and see and end one's own sessions.
    case manageOwnAccount
    /// Read tokens and the texts of payloads as they are.
    case readUnmasked
    /// See who would get a notification, and how it looks.
    case preview
    case send
    /// Cancel or take back what one sent oneself.
    case cancelOwn
    /// Cancel or take back what anybody sent.
    case cancelAny
    /// Have failed work tried again.
    case retry
    /// Change apps, credentials, keys, topics, categories, and what belongs to people.
    case configure
    /// Invite, change and disable operators, and end anybody's sessions.
    case manageOperators
    case readAuditLog

    /// The table of what each role may do.
    package var leastRole: OperatorRole {
        switch self {
        case .read, .manageOwnAccount: .viewer
        case .readUnmasked, .preview, .send, .cancelOwn: .sender
        case .cancelAny, .retry, .configure, .manageOperators, .readAuditLog: .admin
        }
    }
}
