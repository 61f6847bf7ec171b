import MartletCore
import Testing

@testable import MartletProviders

/// The table of answers of `providers.md`, written out here once more, so that a mistake in the code does not hide.
struct AnswerRow: Sendable, CustomTestStringConvertible {
    /// What is to become of a delivery.
    enum Expectation: Sendable {
        case accepted
        case rejected(Outcome.Meaning)
        /// With a word that the advice must have.
        case misconfigured(String)
        case retry(Outcome.Retry.Kind, after: Duration?)
        case reroute
    }

    var status: Int
    var reason: String?
    /// Milliseconds, for 410.
    var timestamp: Int64?
    var expected: Expectation
    var reaction: APNsVerdict.Reaction
    var isUnknown = false

    init(
        _ status: Int,
        _ reason: String?,
        timestamp: Int64? = nil,
        _ expected: Expectation,
        _ reaction: APNsVerdict.Reaction = .none,
        isUnknown: Bool = false
    ) {
        self.status = status
        self.reason = reason
        self.timestamp = timestamp
        self.expected = expected
        self.reaction = reaction
        self.isUnknown = isUnknown
    }

    var testDescription: String { "\(status) \(reason ?? "without reason")" }

    func matches(_ outcome: Outcome) -> Bool {
        let reason = reason ?? "HTTP \(status)"
        return switch (expected, outcome) {
        case (.accepted, .accepted): true
        case (.rejected(let meaning), .rejected(let rejection)):
            rejection == Outcome.Rejection(reason: reason, meaning: meaning)
        case (.misconfigured(let word), .misconfigured(let found)):
            found.reason == reason && found.advice.contains(word)
        case (.retry(let kind, let after), .retry(let retry)):
            retry == Outcome.Retry(reason: reason, kind: kind, after: after)
        case (.reroute, .reroute(let found, _)): found == reason
        default: false
        }
    }

    /// Rows that Apple documents. `ExpiredProviderToken` is told of a token that is half an hour old.
    static let documented: [AnswerRow] =
        [
            AnswerRow(200, nil, .accepted),
            AnswerRow(400, "BadDeviceToken", .rejected(.badToken)),
            AnswerRow(400, "DeviceTokenNotForTopic", .rejected(.wrongTopic)),
            AnswerRow(400, "TopicDisallowed", .misconfigured("com.example.app")),
            AnswerRow(403, "BadCertificate", .misconfigured("new push certificate")),
            AnswerRow(403, "BadCertificateEnvironment", .misconfigured("production")),
            AnswerRow(403, "Forbidden", .misconfigured("revoked")),
            AnswerRow(403, "InvalidProviderToken", .misconfigured("ABCD1234")),
            AnswerRow(403, "MissingProviderToken", .misconfigured("proxy")),
            AnswerRow(403, "BadEnvironmentKeyIdInToken", .misconfigured("production")),
            AnswerRow(400, "IdleTimeout", .retry(.connection, after: .zero), .reconnect),
            AnswerRow(403, "ExpiredProviderToken", .retry(.connection, after: .zero), .renewToken),
            AnswerRow(403, "UnrelatedKeyIdInToken", .retry(.connection, after: .zero), .reconnect),
            AnswerRow(
                410,
                "Unregistered",
                timestamp: 1_700_000_000_123,
                .rejected(.unregistered(since: Timestamp(milliseconds: 1_700_000_000_123)))
            ),
            AnswerRow(410, "ExpiredToken", timestamp: 1_700_000_000_123, .rejected(.expiredToken)),
            AnswerRow(429, "TooManyRequests", .retry(.rateLimited, after: nil)),
            AnswerRow(429, "TooManyProviderTokenUpdates", .retry(.provider, after: nil), .keepOldToken),
            AnswerRow(500, "InternalServerError", .retry(.provider, after: nil)),
            AnswerRow(503, "ServiceUnavailable", .retry(.provider, after: nil)),
            AnswerRow(503, "Shutdown", .reroute, .reconnect),
        ]
        + [
            "BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic", "DuplicateHeaders",
            "InvalidPushType", "MissingDeviceToken", "MissingTopic", "PayloadEmpty",
        ].map { AnswerRow(400, $0, .rejected(.nothing), .defect) }
        + [
            AnswerRow(404, "BadPath", .rejected(.nothing), .defect),
            AnswerRow(405, "MethodNotAllowed", .rejected(.nothing), .defect),
            AnswerRow(413, "PayloadTooLarge", .rejected(.nothing), .defect),
        ]

    /// Answers that no document has go by their status.
    static let undocumented: [AnswerRow] = [
        AnswerRow(201, nil, .accepted, isUnknown: true),
        AnswerRow(302, nil, .misconfigured("url"), isUnknown: true),
        AnswerRow(400, "SomethingNew", .rejected(.nothing), isUnknown: true),
        AnswerRow(400, nil, .retry(.provider, after: nil), isUnknown: true),
        AnswerRow(401, nil, .retry(.provider, after: nil), isUnknown: true),
        AnswerRow(401, "SomethingNew", .misconfigured("ABCD1234"), isUnknown: true),
        AnswerRow(403, nil, .retry(.provider, after: nil), isUnknown: true),
        AnswerRow(404, nil, .retry(.provider, after: nil), isUnknown: true),
        AnswerRow(410, nil, .retry(.provider, after: nil), isUnknown: true),
        AnswerRow(429, nil, .retry(.provider, after: nil), isUnknown: true),
        AnswerRow(403, "SomethingNew", .misconfigured("ABCD1234"), isUnknown: true),
        AnswerRow(
            410,
            "SomethingNew",
            timestamp: 5,
            .rejected(.unregistered(since: Timestamp(milliseconds: 5))),
            isUnknown: true
        ),
        AnswerRow(422, nil, .retry(.provider, after: nil), isUnknown: true),
        AnswerRow(429, "SomethingNew", .retry(.rateLimited, after: nil), isUnknown: true),
        AnswerRow(500, nil, .retry(.provider, after: nil), isUnknown: true),
        AnswerRow(502, "SomethingNew", .retry(.provider, after: nil), isUnknown: true),
        AnswerRow(503, nil, .retry(.provider, after: nil), isUnknown: true),
        // A known word with a status of another class is not taken at its word.
        AnswerRow(503, "BadDeviceToken", .retry(.provider, after: nil), isUnknown: true),
        AnswerRow(400, "Shutdown", .rejected(.nothing), isUnknown: true),
    ]
}
