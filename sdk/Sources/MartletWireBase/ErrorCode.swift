/// What went wrong, as a word that never changes: programs compare it, people read the message beside it.
public struct ErrorCode: Sendable, Hashable, RawRepresentable, Codable {
    /// The word on the wire, in snake case.
    public let rawValue: String

    /// A code by its word; clients keep codes that they do not know.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension ErrorCode {
    /// The body is not JSON, or a field is missing or of the wrong type. HTTP 400.
    public static let malformedRequest = ErrorCode(rawValue: "malformed_request")
    /// A field that this server does not know. HTTP 400.
    public static let unknownField = ErrorCode(rawValue: "unknown_field")
    /// A field has a value that it cannot have. HTTP 422.
    public static let invalidValue = ErrorCode(rawValue: "invalid_value")
    /// The rendered payload is over the provider's limit. HTTP 413.
    public static let payloadTooLarge = ErrorCode(rawValue: "payload_too_large")
    /// The request body is over the server's limit. HTTP 413.
    public static let bodyTooLarge = ErrorCode(rawValue: "body_too_large")
    /// The path and query are over the server's limit. HTTP 414.
    public static let uriTooLong = ErrorCode(rawValue: "uri_too_long")
    /// No credentials were presented, or they are not valid. HTTP 401.
    public static let unauthorized = ErrorCode(rawValue: "unauthorized")
    /// The installation is known and its secret was not presented, or is wrong. HTTP 401.
    public static let installationSecretRequired = ErrorCode(rawValue: "installation_secret_required")
    /// The key is valid and its scope does not allow this. HTTP 403.
    public static let forbidden = ErrorCode(rawValue: "forbidden")
    /// There is no such thing, or it is not yours. HTTP 404.
    public static let notFound = ErrorCode(rawValue: "not_found")
    /// The path exists and does not answer to this method. HTTP 405.
    public static let methodNotAllowed = ErrorCode(rawValue: "method_not_allowed")
    /// A thing of that name exists already, or is in a state that does not allow this. HTTP 409.
    public static let conflict = ErrorCode(rawValue: "conflict")
    /// The browser's push service has ended the subscription: the page makes another one. HTTP 409.
    public static let subscriptionEnded = ErrorCode(rawValue: "subscription_ended")
    /// The same `Idempotency-Key` was used with another body. HTTP 422.
    public static let idempotencyMismatch = ErrorCode(rawValue: "idempotency_mismatch")
    /// A provider credential that cannot work. HTTP 422.
    public static let invalidCredential = ErrorCode(rawValue: "invalid_credential")
    /// The app has no credential for what is asked. HTTP 422.
    public static let missingCredential = ErrorCode(rawValue: "missing_credential")
    /// Too many requests of this kind; `Retry-After` says when. HTTP 429.
    public static let tooManyRequests = ErrorCode(rawValue: "too_many_requests")
    /// The server cannot take more work now; `Retry-After` says when. HTTP 503.
    public static let overloaded = ErrorCode(rawValue: "overloaded")
    /// A defect of the server; its log has the cause. HTTP 500.
    public static let internalError = ErrorCode(rawValue: "internal_error")
}

/// The body of every answer that is not a success: `{"error":{"code","message","hint","field"}}`.
public struct ErrorBody: Sendable, Hashable, Codable {
    /// What went wrong.
    public struct Detail: Sendable, Hashable, Codable {
        /// The word that never changes.
        public var code: ErrorCode
        /// One sentence for a person.
        public var message: String
        /// What to do next, where that is known.
        public var hint: String?
        /// The field at fault, as a path such as `audience.users[3]`.
        public var field: String?

        public init(code: ErrorCode, message: String, hint: String? = nil, field: String? = nil) {
            self.code = code
            self.message = message
            self.hint = hint
            self.field = field
        }

        /// The fields on the wire.
        public enum CodingKeys: String, CodingKey, CaseIterable { case code, message, hint, field }
    }

    /// The one error that is reported.
    public var error: Detail

    /// A body around one detail.
    public init(_ error: Detail) { self.error = error }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case error }
}
