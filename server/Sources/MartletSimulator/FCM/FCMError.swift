import Foundation
import MartletTransport
import NIOCore

/// The errors that a rule can answer with: Google's `ErrorCode` of FCM, of the platform (`google.rpc`) and of the token
/// endpoint (RFC 6749 section 5.2).
package enum FCMErrorCode: String, Sendable, Codable, CaseIterable {
    case invalidArgument = "INVALID_ARGUMENT"
    /// 400 that says that the token is no token.
    case invalidToken = "INVALID_TOKEN"
    case tooBig = "TOO_BIG"
    case unregistered = "UNREGISTERED"
    case senderIDMismatch = "SENDER_ID_MISMATCH"
    case thirdPartyAuth = "THIRD_PARTY_AUTH_ERROR"
    case quotaExceeded = "QUOTA_EXCEEDED"
    case deviceQuotaExceeded = "DEVICE_QUOTA_EXCEEDED"
    case unavailable = "UNAVAILABLE"
    case `internal` = "INTERNAL"
    case unauthenticated = "UNAUTHENTICATED"
    case permissionDenied = "PERMISSION_DENIED"
    /// 404 without FCM's error.
    case notFound = "NOT_FOUND"
    case invalidGrant = "invalid_grant"
    case invalidScope = "invalid_scope"
    case invalidRequest = "invalid_request"
    case unsupportedGrantType = "unsupported_grant_type"
    case temporarilyUnavailable = "temporarily_unavailable"
}

/// An error of the simulated FCM with what its answer tells.
struct FCMError: Error, Equatable {
    var code: FCMErrorCode
    var message: String?
    /// `google.rpc.BadRequest`.
    var violation: FieldViolation?
    /// The subject of `google.rpc.QuotaFailure`.
    var quotaSubject: String?
    /// Seconds.
    var retryAfter: Int?
    /// The `reason` of `google.rpc.ErrorInfo`.
    var reason: String?

    init(
        _ code: FCMErrorCode,
        _ message: String? = nil,
        violation: FieldViolation? = nil,
        quotaSubject: String? = nil,
        retryAfter: Int? = nil,
        reason: String? = nil
    ) {
        self.code = code
        self.message = message
        self.violation = violation
        self.quotaSubject = quotaSubject
        self.retryAfter = retryAfter
        self.reason = reason
    }
}

extension FCMErrorCode {
    var status: Int {
        switch self {
        case .unregistered, .notFound: 404
        case .senderIDMismatch, .permissionDenied: 403
        case .thirdPartyAuth, .unauthenticated: 401
        case .quotaExceeded, .deviceQuotaExceeded: 429
        case .unavailable, .temporarilyUnavailable: 503
        case .internal: 500
        default: 400
        }
    }

    /// `status` of the error: a code of `google.rpc`.
    fileprivate var canonical: String {
        switch self {
        case .unregistered, .notFound: "NOT_FOUND"
        case .senderIDMismatch, .permissionDenied: "PERMISSION_DENIED"
        case .thirdPartyAuth, .unauthenticated: "UNAUTHENTICATED"
        case .quotaExceeded, .deviceQuotaExceeded: "RESOURCE_EXHAUSTED"
        case .unavailable: "UNAVAILABLE"
        case .internal: "INTERNAL"
        default: "INVALID_ARGUMENT"
        }
    }

    /// `errorCode` of FCM's own detail; `nil` where the platform answers before FCM does.
    fileprivate var detail: String? {
        switch self {
        case .invalidArgument, .invalidToken, .tooBig: "INVALID_ARGUMENT"
        case .deviceQuotaExceeded: "QUOTA_EXCEEDED"
        case .unregistered, .senderIDMismatch, .thirdPartyAuth, .quotaExceeded, .unavailable, .internal: rawValue
        default: nil
        }
    }

    /// Whether it is of the token endpoint.
    fileprivate var isOfTokenEndpoint: Bool { rawValue.first?.isLowercase ?? false }

    fileprivate var usualMessage: String {
        switch self {
        case .invalidArgument: "Request contains an invalid argument."
        case .invalidToken: "The registration token is not a valid FCM registration token"
        case .tooBig: "Message is too big"
        case .unregistered, .notFound: "Requested entity was not found."
        case .senderIDMismatch: "SenderId mismatch"
        case .thirdPartyAuth: "Auth error from APNS or Web Push Service"
        case .quotaExceeded, .deviceQuotaExceeded: "Quota exceeded."
        case .unavailable: "The service is currently unavailable."
        case .internal: "Internal error encountered."
        case .unauthenticated:
            "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other "
                + "valid authentication credential."
        case .permissionDenied:
            "Permission 'cloudmessaging.messages.create' denied on the project (or it may not exist)."
        case .invalidGrant: "Invalid grant"
        case .invalidScope: "Invalid OAuth scope or ID token audience provided."
        case .invalidRequest: "Invalid request"
        case .unsupportedGrantType: "Invalid grant_type"
        case .temporarilyUnavailable: "Try again later"
        }
    }
}

extension FCMError {
    /// What the service says of the error.
    var text: String { message ?? violation?.description ?? code.usualMessage }

    /// The error as an answer, in Google's JSON.
    var answer: ServiceAnswer {
        var headers = [HTTP2Header("content-type", "application/json; charset=UTF-8")]
        if let retryAfter { headers.append(HTTP2Header("retry-after", "\(retryAfter)")) }
        if code == .unauthenticated {
            headers.append(HTTP2Header("www-authenticate", #"Bearer realm="https://accounts.google.com/""#))
        }
        return ServiceAnswer(
            status: code.status,
            headers: headers,
            body: ByteBuffer(string: code.isOfTokenEndpoint ? grantBody : body),
            reason: code.rawValue
        )
    }

    private var grantBody: String {
        #"{"error":\#(APNsAnswer.quoted(code.rawValue)),"error_description":\#(APNsAnswer.quoted(text))}"#
    }

    private var body: String {
        var details: [String] = []
        if let detail = code.detail {
            details.append(
                #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(detail)"}"#
            )
        }
        if let violation {
            details.append(
                #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"#
                    + APNsAnswer.quoted(violation.field) + #","description":"#
                    + APNsAnswer.quoted(violation.description) + "}]}"
            )
        }
        if let quotaSubject {
            details.append(
                #"{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"#
                    + APNsAnswer.quoted(quotaSubject) + #","description":"Too many messages."}]}"#
            )
        }
        if let reason {
            details.append(
                #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"#
                    + APNsAnswer.quoted(reason) + #","domain":"googleapis.com"}"#
            )
        }
        let list = details.isEmpty ? "" : #","details":[\#(details.joined(separator: ","))]"#
        return #"{"error":{"code":\#(code.status),"message":\#(APNsAnswer.quoted(text)),"#
            + #""status":"\#(code.canonical)"\#(list)}}"#
    }
}
