/// The code of an SNS error: its short form, as clients compare it, and not the name of its shape.
///
/// boto3 turns `EndpointDisabled` into `client.exceptions.EndpointDisabledException`; the long form would be nothing to it.
enum SNSErrorCode: String, CaseIterable, Sendable {
    // The 34 shapes of the API model 2010-03-31.
    case authorizationError = "AuthorizationError"
    case batchEntryIDsNotDistinct = "BatchEntryIdsNotDistinct"
    case batchRequestTooLong = "BatchRequestTooLong"
    case concurrentAccess = "ConcurrentAccess"
    case emptyBatchRequest = "EmptyBatchRequest"
    case endpointDisabled = "EndpointDisabled"
    case filterPolicyLimitExceeded = "FilterPolicyLimitExceeded"
    case internalError = "InternalError"
    case invalidBatchEntryID = "InvalidBatchEntryId"
    case invalidParameter = "InvalidParameter"
    case invalidSecurity = "InvalidSecurity"
    case invalidState = "InvalidState"
    case kmsAccessDenied = "KMSAccessDenied"
    case kmsDisabled = "KMSDisabled"
    case kmsInvalidState = "KMSInvalidState"
    case kmsNotFound = "KMSNotFound"
    case kmsOptInRequired = "KMSOptInRequired"
    case kmsThrottling = "KMSThrottling"
    case notFound = "NotFound"
    case optedOut = "OptedOut"
    case parameterValueInvalid = "ParameterValueInvalid"
    case platformApplicationDisabled = "PlatformApplicationDisabled"
    case replayLimitExceeded = "ReplayLimitExceeded"
    case resourceNotFound = "ResourceNotFound"
    case staleTag = "StaleTag"
    case subscriptionLimitExceeded = "SubscriptionLimitExceeded"
    case tagLimitExceeded = "TagLimitExceeded"
    case tagPolicy = "TagPolicy"
    case throttled = "Throttled"
    case tooManyEntriesInBatchRequest = "TooManyEntriesInBatchRequest"
    case topicLimitExceeded = "TopicLimitExceeded"
    case userError = "UserError"
    case validationException = "ValidationException"
    case verificationException = "VerificationException"

    // What every service of the Query protocol answers.
    case incompleteSignature = "IncompleteSignature"
    case internalFailure = "InternalFailure"
    case invalidAction = "InvalidAction"
    case invalidClientTokenID = "InvalidClientTokenId"
    case malformedInput = "MalformedInput"
    case missingAction = "MissingAction"
    case missingAuthenticationToken = "MissingAuthenticationToken"
    case requestEntityTooLarge = "RequestEntityTooLarge"
    case serviceUnavailable = "ServiceUnavailable"
    case signatureDoesNotMatch = "SignatureDoesNotMatch"
    /// What clients retry by themselves; ``throttled`` is in no client's list of those.
    case throttling = "Throttling"
    /// What is on the wire for members that are null, where the model says ``validationException``.
    case validationError = "ValidationError"

    /// The HTTP status that the model or the protocol gives it.
    var status: Int {
        switch self {
        case .notFound, .resourceNotFound: 404
        case .authorizationError, .filterPolicyLimitExceeded, .invalidSecurity, .kmsOptInRequired, .replayLimitExceeded,
            .subscriptionLimitExceeded, .topicLimitExceeded, .invalidClientTokenID, .missingAuthenticationToken,
            .signatureDoesNotMatch:
            403
        case .requestEntityTooLarge: 413
        case .throttled: 429
        case .internalError, .internalFailure: 500
        case .serviceUnavailable: 503
        default: 400
        }
    }

    /// Whose fault it is.
    var fault: SNSError.Fault { status >= 500 ? .receiver : .sender }
}
