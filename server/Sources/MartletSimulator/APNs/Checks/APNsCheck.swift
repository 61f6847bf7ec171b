/// Why a push is refused.
struct Refusal: Error, Equatable {
    var reason: APNsReason
    /// For 410: when the token stopped being valid, in milliseconds since 1970.
    var timestamp: Int64?

    init(_ reason: APNsReason, timestamp: Int64? = nil) {
        self.reason = reason
        self.timestamp = timestamp
    }
}

/// What the checks found out about one push.
struct Verdict: Equatable {
    /// The device token of the path, in lower case; `nil` when the path holds no well-formed one.
    var deviceToken: String?
    /// How the sender proved who it is; `nil` when it did not.
    var credential: Credential?
    var pushType: PushType?
    /// `nil`: the push is accepted.
    var refusal: Refusal?
}

/// How a sender proved who it is.
enum Credential: Equatable {
    case token(ProviderToken)
    case certificate(CertificateIdentity)
}

/// The checks in the order in which they are made. The first that fails gives the answer.
///
/// | # | Looked at | Refused with |
/// |---|---|---|
/// | 1 | method is POST | 405 MethodNotAllowed |
/// | 2 | path is `/3/device/<token>`; 32 to 100 bytes in hexadecimal | 404 BadPath, 400 MissingDeviceToken, 400 BadDeviceToken |
/// | 3 | no header twice (`cookie` excepted) | 400 DuplicateHeaders |
/// | 4 | a bearer token or a client certificate | 403 MissingProviderToken |
/// | 5 | token: ES256, known `kid`, its team as `iss`, `iat` a time and not in the future, signature | 403 InvalidProviderToken |
/// | 6 | token: the key's environment | 403 BadEnvironmentKeyIdInToken |
/// | 7 | token: a key of the team and the scope of the connection's first push | 403 UnrelatedKeyIdInToken |
/// | 8 | token: at most 60 minutes old | 403 ExpiredProviderToken |
/// | 9 | token: minted 20 minutes or more from the key's others on the connection, or after an expired one | 429 TooManyProviderTokenUpdates |
/// | 5' | certificate: names a topic; is for this environment | 403 BadCertificate, 403 BadCertificateEnvironment |
/// | 10 | topic: there, well-formed, of the credential's team | 400 MissingTopic, 400 BadTopic, 400 TopicDisallowed |
/// | 11 | push type: known, and the topic's suffix is its own | 400 InvalidPushType |
/// | 12 | priority: 10, 5 or 1, and one the push type allows; absent means 10 | 400 BadPriority |
/// | 13 | expiration: whole seconds that fit 32 bits; 0 for `pushtotalk` | 400 BadExpirationDate |
/// | 14 | collapse id: at most 64 bytes | 400 BadCollapseId |
/// | 15 | id: a UUID | 400 BadMessageId |
/// | 16 | payload: not empty; at most 4,096 bytes (voip 5,120); a JSON object | 400 PayloadEmpty, 413 PayloadTooLarge, 400 PayloadEmpty |
/// | 17 | device: known here, of this environment, for this topic, still registered | 400 BadDeviceToken, 400 DeviceTokenNotForTopic, 410 Unregistered, 410 ExpiredToken |
///
/// Apple does not publish its order. Where Apple's documents leave the reason open, the choice is named at the check.
struct APNsCheck {
    let request: APNsRequest
    let environment: APNsEnvironment
    /// Milliseconds since 1970.
    let now: Int64

    /// Runs the table. Remembers provider tokens in `registry` and the first key in `connection`.
    func verdict(on connection: inout ConnectionIdentity, in registry: inout APNsRegistry) -> Verdict {
        var verdict = Verdict()
        do throws(Refusal) {
            try checkMethod()
            let token = try deviceToken()
            verdict.deviceToken = token
            try checkRepetition()
            let credential = try credential(on: &connection, in: &registry)
            verdict.credential = credential
            let topic = try topic(for: credential, in: registry)
            let pushType = try pushType(for: topic, credential: credential)
            verdict.pushType = pushType
            try checkPriority(for: pushType)
            try checkExpiration(for: pushType)
            try checkCollapseID()
            try checkID()
            try checkPayload(for: pushType)
            try checkDevice(token, topic: topic, in: registry)
        } catch {
            verdict.refusal = error
        }
        return verdict
    }
}
