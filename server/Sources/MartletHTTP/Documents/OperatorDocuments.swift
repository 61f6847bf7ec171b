import MartletCore
import MartletWire

extension OperatorResponse: Documented {
    static let schema = document("Operator") { field in
        switch field {
        case .id: (.uuid, "The id.")
        case .name: (.string, "What they sign in with.")
        case .role: (.words(of: OperatorRole.self), "What they may do in the console.")
        case .isDisabled: (.boolean, "Whether they cannot sign in.")
        case .createdAt: (.time, "When they chose their password.")
        case .disabledAt: (.time, "Since when they cannot sign in.")
        }
    }
}

extension OperatorUpdate: Documented {
    static let schema = document("OperatorUpdate") { field in
        switch field {
        case .role: (.words(of: OperatorRole.self), "What they may do in the console.")
        case .isDisabled: (.boolean, "Whether they cannot sign in; true ends their sessions.")
        }
    }
}

extension InvitationRequest: Documented {
    static let schema = document("InvitationRequest") { field in
        switch field {
        case .name:
            (.string.of(1...Operator.nameLimit), "What they will sign in with: 1 to \(Operator.nameLimit) characters.")
        case .role:
            (
                .words(of: OperatorRole.self),
                "What a new operator may do in the console. Leave it out for one who exists, who keeps their role."
            )
        }
    }
}

extension InvitationResponse: Documented {
    static let schema = document("Invitation") { field in
        switch field {
        case .name: (.string, "What they will sign in with.")
        case .role: (.words(of: OperatorRole.self), "What they will be allowed to do in the console.")
        case .isPasswordReset: (.boolean, "Whether an operator who exists sets a new password with it.")
        case .url: (.string, "The link; absent where the setting sns.publicURL does not say how the server is reached.")
        case .token: (.string, "What the link ends with: /console/invitations/{token}. It is shown once.")
        case .expiresAt: (.time, "From when the link is good for nothing.")
        }
    }
}

extension OperatorSessionItem: Documented {
    static let schema = document("OperatorSession") { field in
        switch field {
        case .id: (.uuid, "The id; it opens nothing.")
        case .operatorID: (.uuid, "Whose it is.")
        case .operatorName: (.string, "What they sign in with.")
        case .address: (.string, "From where they signed in; of IPv6 the network.")
        case .userAgent: (.string, "What the browser said that it is.")
        case .createdAt: (.time, "When they signed in.")
        case .usedAt: (.time, "When it was used last, to the minute.")
        }
    }
}
