/// What a provider's reason comes to, in one word for all providers. A pure value; the tables of answers
/// (`APNsAnswerTable.swift`, `FCMVerdict.swift`, `WebPushVerdict.swift`) say what follows from each.
public enum ReasonCode: String, Sendable, Hashable, CaseIterable {
    /// The app or the subscription is gone from the device.
    case unregistered
    /// It is no token of this provider, or of this environment.
    case invalidToken = "invalid_token"
    /// The token is another app's, or the subscription was made with another key.
    case wrongApp = "wrong_app"
    /// The message is longer than the provider takes.
    case payloadTooLarge = "payload_too_large"
    /// The provider does not take the request as it is.
    case invalidRequest = "invalid_request"
    /// The credential may not send to this app.
    case topicNotAllowed = "topic_not_allowed"
    /// The credential is wrong, has ended, or may not send.
    case credential = "credential_refused"
    /// Too many were sent.
    case rateLimited = "rate_limited"
    /// The provider is in trouble.
    case unavailable = "provider_unavailable"
    /// There was no connection, or no answer of the provider's.
    case noAnswer = "no_answer"
    /// A provider's word that is not known here.
    case other

    /// The code of a provider's word.
    public init(ofProvider word: String) {
        self =
            Self.words[word] ?? Self.status(of: word).map(Self.init(status:))
            ?? (Self.isSilence(word) ? .noAnswer : .other)
    }

    /// Whether a recorded reason says that the provider did not answer: a sentence about a connection, or one of our
    /// words.
    package static func isSilence(_ reason: String) -> Bool {
        !ReasonWords.isWord(reason) || ["NoAnswerInTime", "StreamReset", "ProxyPage"].contains(where: reason.hasPrefix)
    }

    /// The code of a recorded reason: a word of ours is its own.
    public static func text(of reason: String) -> String {
        let isOurs = reason.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) }
        return isOurs ? reason : ReasonCode(ofProvider: reason).rawValue
    }

    /// The code of the reason why a device is off. A provider that calls a message malformed takes no device away.
    package static func text(ofDisabled reason: DisableReason) -> String {
        let code = text(of: reason.rawValue)
        return code == invalidRequest.rawValue ? invalidToken.rawValue : code
    }

    private static func status(of word: String) -> Int? {
        word.hasPrefix("HTTP ") ? Int(word.dropFirst(5)) : nil
    }

    private init(status: Int) {
        self =
            switch status {
            case 404, 410: .unregistered
            case 413: .payloadTooLarge
            case 401, 403: .credential
            case 406, 429: .rateLimited
            case 408, 425, 500...599: .unavailable
            case 400..<500: .invalidRequest
            default: .other
            }
    }

    private static let words: [String: ReasonCode] = [
        "Unregistered": .unregistered, "ExpiredToken": .unregistered, "UNREGISTERED": .unregistered,
        "errno 102": .unregistered, "errno 103": .unregistered, "errno 105": .unregistered, "errno 106": .unregistered,
        "BadDeviceToken": .invalidToken, "NoSubscriptionKeys": .invalidToken, "EndpointNotAllowed": .invalidToken,
        "DeviceTokenNotForTopic": .wrongApp, "SENDER_ID_MISMATCH": .wrongApp, "UnknownVapidKey": .wrongApp,
        "VapidKeyMismatch": .wrongApp, "VapidPkHashMismatch": .wrongApp,
        "PayloadTooLarge": .payloadTooLarge, "errno 104": .payloadTooLarge,
        "BadCollapseId": .invalidRequest, "BadExpirationDate": .invalidRequest, "BadMessageId": .invalidRequest,
        "BadPriority": .invalidRequest, "DuplicateHeaders": .invalidRequest, "InvalidPushType": .invalidRequest,
        "MissingDeviceToken": .invalidRequest, "PayloadEmpty": .invalidRequest, "BadPath": .invalidRequest,
        "MethodNotAllowed": .invalidRequest, "INVALID_ARGUMENT": .invalidRequest, "BadRequest": .invalidRequest,
        "BadTtl": .invalidRequest, "BadUrgency": .invalidRequest, "BadWebPushTopic": .invalidRequest,
        "BadWebPushRequest": .invalidRequest, "PushTypeNeedsProviderToken": .invalidRequest,
        "PushTypeNeedsCertificate": .invalidRequest, "MessageNotSealed": .invalidRequest,
        "errno 111": .invalidRequest, "errno 112": .invalidRequest, "errno 113": .invalidRequest,
        "BadTopic": .topicNotAllowed, "MissingTopic": .topicNotAllowed, "TopicDisallowed": .topicNotAllowed,
        "BadCertificate": .credential, "BadCertificateEnvironment": .credential, "CertificateExpired": .credential,
        "Forbidden": .credential, "InvalidProviderToken": .credential, "MissingProviderToken": .credential,
        "ExpiredProviderToken": .credential, "BadEnvironmentKeyIdInToken": .credential,
        "UnrelatedKeyIdInToken": .credential, "UnusableCredential": .credential, "CredentialSealed": .credential,
        "THIRD_PARTY_AUTH_ERROR": .credential, "APNS_AUTH_ERROR": .credential, "UNAUTHENTICATED": .credential,
        "PERMISSION_DENIED": .credential, "BadJwtToken": .credential, "BadAuthorizationHeader": .credential,
        "BadVapidPublicKey": .credential, "errno 109": .credential,
        "TooManyRequests": .rateLimited, "TooManyProviderTokenUpdates": .rateLimited, "QUOTA_EXCEEDED": .rateLimited,
        "RESOURCE_EXHAUSTED": .rateLimited, "WNSThrottled": .rateLimited, "WNSDropped": .rateLimited,
        "InternalServerError": .unavailable, "ServiceUnavailable": .unavailable, "Shutdown": .unavailable,
        "INTERNAL": .unavailable, "UNAVAILABLE": .unavailable, "errno 202": .unavailable,
        "NoAnswerInTime": .noAnswer, "IdleTimeout": .noAnswer, "ShuttingDown": .noAnswer,
    ]
}
