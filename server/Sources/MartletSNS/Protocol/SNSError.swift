import MartletCore

/// A refusal in SNS's words: a code, a text for people, and through the code the HTTP status and whose fault it is.
struct SNSError: Error, Hashable, Sendable {
    /// Whose fault it is; `Type` in the answer.
    enum Fault: String, Sendable {
        case sender = "Sender"
        case receiver = "Receiver"
    }

    /// What clients compare.
    let code: SNSErrorCode
    /// What people read; clients parse some of them.
    let message: String

    /// A refusal in these words.
    init(_ code: SNSErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension SNSError {
    /// `Invalid parameter: X`, and with a reason `Invalid parameter: X Reason: Y`.
    ///
    /// - Parameter what: a parameter's name or, in many of SNS's answers, a sentence.
    static func invalidParameter(_ what: String, reason: String? = nil) -> SNSError {
        SNSError(.invalidParameter, "Invalid parameter: \(what)" + (reason.map { " Reason: \($0)" } ?? ""))
    }

    /// `Topic does not exist`, and its like.
    ///
    /// - Parameter what: `Topic`, `Subscription`, `Endpoint`, `PlatformApplication`.
    static func notFound(_ what: String) -> SNSError { SNSError(.notFound, "\(what) does not exist") }

    /// A tag operation on a resource that there is not.
    static let resourceNotFound = SNSError(.resourceNotFound, "Resource does not exist")

    /// Members that are required and were not sent.
    ///
    /// - Parameters:
    ///   - paths: where they would be, such as `messageAttributes.price.member.dataType`; at least one.
    ///   - count: how many there are, when not all of them are named.
    static func missing(_ paths: [String], count: Int? = nil) -> SNSError {
        let number = count ?? paths.count
        let errors = paths.map { "Value null at '\($0)' failed to satisfy constraint: Member must not be null" }
        let head = "\(number) validation error\(number == 1 ? "" : "s") detected: "
        return SNSError(.validationError, head + errors.joined(separator: "; "))
    }

    /// Parameters that do not have the form of the protocol: AWS's word for it.
    static func malformedInput(_ message: String) -> SNSError { SNSError(.malformedInput, message) }

    /// More than a request may have.
    static func tooLarge(_ message: String) -> SNSError { SNSError(.requestEntityTooLarge, message) }

    /// An operation that the API does not have, or that version of it.
    static func invalidAction(_ action: String, version: String) -> SNSError {
        SNSError(
            .invalidAction,
            "Could not find operation \(action.excerpt) for version \(version.excerpt)"
        )
    }

    /// A request that names no operation.
    static let missingAction = SNSError(.missingAction, "No action was supplied with this request.")

    /// What somebody may not do.
    ///
    /// - Parameters:
    ///   - user: the caller's name as an ARN, such as `arn:aws:iam::123456789012:user/backend`.
    ///   - action: the operation, such as `Publish`.
    ///   - resource: the ARN of what it was asked for.
    ///   - policy: which policies do not allow it: those of the resource, or those of the caller.
    static func notAuthorized(
        user: String,
        action: String,
        resource: String,
        policy: String = "resource-based"
    ) -> SNSError {
        SNSError(
            .authorizationError,
            """
            User: \(user.excerpt) is not authorized to perform: SNS:\(action.excerpt) on resource: \(resource.excerpt) \
            because no \(policy) policy allows the SNS:\(action.excerpt) action
            """
        )
    }

    /// More work than the server takes now. Clients wait and try again.
    static let throttling = SNSError(.throttling, "Rate exceeded")

    /// A defect of the server; what it was is in its log alone.
    static let internalFailure = SNSError(
        .internalFailure,
        "The request processing has failed because of an unknown error, exception or failure."
    )
}

/// What requests without a good signature are answered, in the words of AWS's Query services.
///
/// AWS repeats the Authorization field in some of these. Here it is not repeated: clients with a key and a secret in
/// each other's place send the secret in it.
extension SNSError {
    /// No signature at all.
    static let unsigned = SNSError(.missingAuthenticationToken, "Request is missing Authentication Token")

    /// An access key that is not known, or was revoked.
    static let unknownKey = SNSError(
        .invalidClientTokenID,
        "The security token included in the request is invalid."
    )

    /// An access key whose time is over, to who has its secret.
    static let expiredKey = SNSError(
        .invalidClientTokenID,
        "The security token included in the request is invalid: the access key has expired. Ask for another one."
    )

    /// Another signature than ours: another secret, or the request is not the one that was signed.
    static let signatureMismatch = SNSError(
        .signatureDoesNotMatch,
        """
        The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key \
        and signing method. Consult the service documentation for details.
        """
    )

    /// A signature that lacks a part, or whose part has another form.
    static func incompleteSignature(_ message: String) -> SNSError { SNSError(.incompleteSignature, message) }

    /// A signature that is good for something else.
    static func wrongScope(_ message: String) -> SNSError { SNSError(.signatureDoesNotMatch, message) }

    /// A signature whose time is over.
    ///
    /// - Parameters:
    ///   - time: when it was made, as in `X-Amz-Date`.
    ///   - earliest: before which it is too old.
    ///   - now: the server's time.
    ///   - seconds: for how long signatures hold.
    static func expired(_ time: String, earliest: String, now: String, seconds: Int64) -> SNSError {
        SNSError(
            .signatureDoesNotMatch,
            "Signature expired: \(time) is now earlier than \(earliest) (\(now) - \(span(seconds)))"
        )
    }

    /// A signature of the future, of which there are only those of clocks that are wrong.
    static func notYetCurrent(_ time: String, latest: String, now: String, seconds: Int64) -> SNSError {
        SNSError(
            .signatureDoesNotMatch,
            "Signature not yet current: \(time) is still later than \(latest) (\(now) + \(span(seconds)))"
        )
    }

    private static func span(_ seconds: Int64) -> String {
        seconds.isMultiple(of: 60) ? "\(seconds / 60) min." : "\(seconds) sec."
    }
}

/// Finds every required member that a request lacks, so that one answer names them all, as AWS's does.
struct MissingMembers {
    /// How many are named. Ours: no call of a client lacks more, and an answer stays shorter than its request.
    private static let mostNamed = 100

    private var paths: [String] = []
    private var count = 0

    /// Looks for members of a form or of a structure in it.
    mutating func require(_ names: String..., in form: FormParameters) {
        for name in names where !form.has(name) {
            count += 1
            if paths.count < Self.mostNamed { paths.append(form.path(of: name)) }
        }
    }

    /// - Throws: `ValidationError` when something was missing.
    func check() throws(SNSError) {
        if count > 0 { throw .missing(paths, count: count) }
    }
}

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
