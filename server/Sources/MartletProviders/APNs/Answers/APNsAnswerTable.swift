import MartletCore

/// Every reason that Apple documents for a push to a device, with its status and what it means to us.
enum APNsAnswerTable {
    /// What a reason means.
    enum Meaning: Sendable, Hashable {
        /// The request was wrong, and should have been refused before it was sent.
        case ourMistake
        /// The endpoint cannot be pushed to.
        case endpoint(Outcome.Meaning)
        /// The app is gone from the device, since the answer's timestamp.
        case unregistered
        /// Nothing of this app can be sent until an operator acts.
        case misconfigured(APNsAdvice)
        /// The provider token is too old, or a clock is wrong.
        case expiredProviderToken
        /// This connection cannot be used any more.
        case reconnect
        /// This device has had too many pushes.
        case deviceBusy
        /// Provider tokens were minted too often.
        case tooManyTokens
        /// APNs is in trouble.
        case provider
        /// This server is going down.
        case shutdown
    }

    /// One line of the table.
    struct Row: Sendable, Hashable {
        /// The status that Apple documents.
        var status: Int
        /// What it means.
        var meaning: Meaning

        init(_ status: Int, _ meaning: Meaning) {
            self.status = status
            self.meaning = meaning
        }
    }

    /// Apple, "Handling notification responses from APNs", by reason.
    static let rows: [String: Row] = [
        "BadCollapseId": Row(400, .ourMistake),
        "BadExpirationDate": Row(400, .ourMistake),
        "BadMessageId": Row(400, .ourMistake),
        "BadPriority": Row(400, .ourMistake),
        "BadTopic": Row(400, .ourMistake),
        "DuplicateHeaders": Row(400, .ourMistake),
        "InvalidPushType": Row(400, .ourMistake),
        "MissingDeviceToken": Row(400, .ourMistake),
        "MissingTopic": Row(400, .ourMistake),
        "PayloadEmpty": Row(400, .ourMistake),
        "BadPath": Row(404, .ourMistake),
        "MethodNotAllowed": Row(405, .ourMistake),
        "PayloadTooLarge": Row(413, .ourMistake),
        "BadDeviceToken": Row(400, .endpoint(.badToken)),
        "DeviceTokenNotForTopic": Row(400, .endpoint(.wrongTopic)),
        "ExpiredToken": Row(410, .endpoint(.expiredToken)),
        "Unregistered": Row(410, .unregistered),
        "TopicDisallowed": Row(400, .misconfigured(.topic)),
        "BadCertificate": Row(403, .misconfigured(.certificate)),
        "BadCertificateEnvironment": Row(403, .misconfigured(.certificateEnvironment)),
        "Forbidden": Row(403, .misconfigured(.forbidden)),
        "InvalidProviderToken": Row(403, .misconfigured(.signingKey)),
        "MissingProviderToken": Row(403, .misconfigured(.authentication)),
        "BadEnvironmentKeyIdInToken": Row(403, .misconfigured(.keyEnvironment)),
        "ExpiredProviderToken": Row(403, .expiredProviderToken),
        "UnrelatedKeyIdInToken": Row(403, .reconnect),
        "IdleTimeout": Row(400, .reconnect),
        "TooManyRequests": Row(429, .deviceBusy),
        "TooManyProviderTokenUpdates": Row(429, .tooManyTokens),
        "InternalServerError": Row(500, .provider),
        "ServiceUnavailable": Row(503, .provider),
        "Shutdown": Row(503, .shutdown),
    ]
}
