package import MartletWire

/// Who registers or changes an endpoint. It decides who the endpoint shall belong to, and throws a `Failure` that names
/// `user_id` where it may not be whoever the request says.
package enum Registrant: Sendable, Hashable {
    /// An app, by the key inside it.
    case client
    /// The customer's own server, which speaks for its users.
    case server
    /// A user, by their own token.
    case user(String)

    /// The owner of an installation's endpoint. Where none is said it is the token's user, or stays.
    package func installationOwner(
        _ said: NullablePatch<String>,
        identity: IdentityMode
    ) throws(Failure) -> Registration.Owner {
        switch (said, self) {
        case (.unset, .user(let user)): return .user(user)
        case (.unset, _): return .unchanged
        case (.null, _): return .nobody
        case (.value(let user), _):
            try User.validate(id: user, field: "user_id")
            guard self != .client || identity == .asserted else {
                throw Failure(
                    .unauthorized,
                    "In this app naming a user needs the user's token.",
                    hint: "Send the user's token in the header '\(HeaderName.userToken)'.",
                    field: "user_id"
                )
            }
            return try owner(user)
        }
    }

    /// The owner of a registered device, which always has one.
    package func deviceOwner(_ said: String?) throws(Failure) -> Registration.Owner {
        if let said { return try owner(said) }
        guard case .user(let user) = self else {
            throw Failure(
                .malformedRequest,
                "The field is missing.",
                hint: "Name the user whose device it is, or present the user's token.",
                field: "user_id"
            )
        }
        return .user(user)
    }

    /// The next owner of a known device. A user gives theirs to nobody else.
    package func nextOwner(_ said: NullablePatch<String>) throws(Failure) -> Registration.Owner {
        switch said {
        case .unset: .unchanged
        case .null: .nobody
        case .value(let user): try owner(user, hint: "Send null to let go of it.")
        }
    }

    private func owner(_ said: String, hint: String = "Leave it out.") throws(Failure) -> Registration.Owner {
        if case .user(let user) = self {
            guard User.isSame(said, user) else {
                throw .invalid("user_id", "It is not the user token's subject.", hint: hint)
            }
        } else {
            try User.validate(id: said, field: "user_id")
        }
        return .user(said)
    }
}
