import MartletCore
import MartletWire

/// What an operator has to change when APNs refuses everything.
enum APNsAdvice: Sendable, Hashable {
    case topic
    case certificate
    case certificateEnvironment
    case forbidden
    case signingKey
    case authentication
    case keyEnvironment
    case unknownRefusal
    case notAPNs

    /// The advice for one credential, with its ids and never its secret.
    func text(_ context: APNsAnswerContext) -> String {
        let credential = context.credential
        let environment = context.environment.rawValue
        let topic = credential.topic
        let key = "key \(credential.keyID ?? "?") of team \(credential.teamID ?? "?")"
        let certificate = "the certificate for \(topic)"
        return switch self {
        case .topic:
            """
            APNs does not let this credential push to the topic \(topic). Check that it is the app's bundle id, that \
            the push capability is on for it, and that the credential belongs to the same team.
            """
        case .certificate:
            "APNs does not accept the certificate for \(topic). Make a new push certificate and store it."
        case .certificateEnvironment:
            """
            The certificate is not for \(environment). Store a certificate of that environment, or one for both \
            ("Sandbox & Production").
            """
        case .forbidden:
            """
            APNs refuses \(credential.kind == .token ? key : certificate). Look in the developer account whether it has \
            been revoked, then store a new one.
            """
        case .signingKey:
            """
            APNs does not accept tokens signed with \(key). Check that the key id and the team id are those of the .p8 \
            file, that the key has the push service enabled, and that it has not been revoked.
            """
        case .authentication:
            """
            APNs saw neither a provider token nor a certificate. If a proxy stands between, it must pass the \
            authorization header or the TLS connection through.
            """
        case .keyEnvironment:
            "The \(key) is not valid for \(environment). Store a key that may be used there."
        case .unknownRefusal where credential.kind == .token:
            """
            APNs refuses \(key) at \(environment) for a reason that this version does not know. Check it in the developer \
            account.
            """
        case .unknownRefusal:
            """
            APNs refuses the certificate at \(environment) for a reason that this version does not know. Check it in the \
            developer account.
            """
        case .notAPNs:
            "The address of this credential answers with a redirect, so it is not APNs. Check the credential's url."
        }
    }
}
