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

extension String {
    /// The text as an error may repeat it: its first 256 scalars, ours, enough for every name that SNS allows. A character
    /// would have no bound.
    var excerpt: String { utf8.count > 256 ? String(String.UnicodeScalarView(unicodeScalars.prefix(256))) : self }
}
