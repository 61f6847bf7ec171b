import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("An SNS error")
struct ErrorTests {
    /// Every error shape of the API model 2010-03-31, by its short code, with its status.
    static let shapes: [(String, Int)] = [
        ("InvalidParameter", 400), ("InternalError", 500), ("AuthorizationError", 403), ("NotFound", 404),
        ("Throttled", 429), ("SubscriptionLimitExceeded", 403), ("FilterPolicyLimitExceeded", 403),
        ("ReplayLimitExceeded", 403), ("OptedOut", 400), ("UserError", 400), ("TopicLimitExceeded", 403),
        ("InvalidSecurity", 403), ("TagLimitExceeded", 400), ("StaleTag", 400), ("TagPolicy", 400),
        ("ConcurrentAccess", 400), ("ResourceNotFound", 404), ("InvalidState", 400), ("ValidationException", 400),
        ("ParameterValueInvalid", 400), ("EndpointDisabled", 400), ("PlatformApplicationDisabled", 400),
        ("KMSDisabled", 400), ("KMSInvalidState", 400), ("KMSNotFound", 400), ("KMSOptInRequired", 403),
        ("KMSThrottling", 400), ("KMSAccessDenied", 400), ("BatchEntryIdsNotDistinct", 400),
        ("BatchRequestTooLong", 400), ("EmptyBatchRequest", 400), ("InvalidBatchEntryId", 400),
        ("TooManyEntriesInBatchRequest", 400), ("VerificationException", 400),
    ]

    /// What every service of the Query protocol answers.
    static let common: [(String, Int)] = [
        ("MissingAuthenticationToken", 403), ("InvalidClientTokenId", 403), ("SignatureDoesNotMatch", 403),
        ("IncompleteSignature", 400), ("MissingAction", 400), ("InvalidAction", 400),
        ("ValidationError", 400), ("MalformedInput", 400), ("Throttling", 400), ("InternalFailure", 500),
        ("ServiceUnavailable", 503), ("RequestEntityTooLarge", 413),
    ]

    @Test("has the short code and the status of its shape", arguments: shapes + common)
    func statuses(code: String, status: Int) throws {
        let error = try #require(SNSErrorCode(rawValue: code))
        #expect(error.status == status)
        #expect(error.fault == (status >= 500 ? .receiver : .sender))
    }

    @Test("has no other codes")
    func complete() {
        #expect(Set(SNSErrorCode.allCases.map(\.rawValue)) == Set((Self.shapes + Self.common).map(\.0)))
        #expect(SNSAction.allCases.count == 42)
    }

    @Test(
        "has the texts of AWS",
        arguments: [
            (SNSError.invalidParameter("TopicArn"), "InvalidParameter", "Invalid parameter: TopicArn"),
            (
                .invalidParameter("Attributes", reason: "Topic already exists with different attributes"),
                "InvalidParameter",
                "Invalid parameter: Attributes Reason: Topic already exists with different attributes"
            ),
            (
                .invalidParameter("", reason: "cannot be empty"), "InvalidParameter",
                "Invalid parameter:  Reason: cannot be empty"
            ),
            (.notFound("PlatformApplication"), "NotFound", "PlatformApplication does not exist"),
            (.resourceNotFound, "ResourceNotFound", "Resource does not exist"),
            (
                .unknownKey, "InvalidClientTokenId",
                "The security token included in the request is invalid."
            ),
            (.unsigned, "MissingAuthenticationToken", "Request is missing Authentication Token"),
            (.throttling, "Throttling", "Rate exceeded"),
        ]
    )
    func texts(error: SNSError, code: String, text: String) {
        #expect(error.code.rawValue == code && error.message == text)
    }
}
