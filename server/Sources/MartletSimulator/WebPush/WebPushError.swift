import MartletTransport
import NIOCore

/// What a push service can find wrong, before any service's own words.
package enum WebPushErrorCode: String, Sendable, Codable, CaseIterable {
    /// No such subscription.
    case missing
    /// The subscription has ended.
    case gone
    case authorizationMissing, authorizationInvalid, publicKeyInvalid, tokenInvalid, keyMismatch
    case ttlMissing, ttlInvalid, urgencyInvalid, topicInvalid, encodingInvalid, requestInvalid
    case tooLarge
    /// Too many requests: wait.
    case tooMany
    /// Out of order: wait.
    case unavailable
    case `internal`
    /// Success by its status, but not taken: Microsoft's `x-wns-notificationstatus: dropped`.
    case dropped
    /// The same, for a device whose channel is throttled.
    case channelThrottled
}

/// An error of a simulated push service.
struct WebPushError: Error, Equatable {
    var code: WebPushErrorCode
    var message: String

    init(_ code: WebPushErrorCode, _ message: String? = nil) {
        self.code = code
        self.message = message ?? code.rawValue
    }
}

extension PushServiceKind {
    /// The error as this service words it.
    func answer(to error: WebPushError, retryAfter: Int? = nil) -> ServiceAnswer {
        var answer: ServiceAnswer
        switch self {
        case .mozilla: answer = mozilla(error)
        case .apple: answer = apple(error)
        case .microsoft: answer = microsoft(error)
        case .google: answer = google(error)
        case .other: answer = Self.text(Self.status(of: error.code), error.message)
        }
        answer.reason = error.code.rawValue
        if let retryAfter { answer.headers.append(HTTP2Header("retry-after", "\(retryAfter)")) }
        return answer
    }

    /// RFC 8030 and RFC 8292, where they say one.
    private static func status(of code: WebPushErrorCode) -> Int {
        switch code {
        case .missing: 404
        case .gone: 410
        case .authorizationMissing: 401
        case .authorizationInvalid, .publicKeyInvalid, .tokenInvalid, .keyMismatch: 403
        case .tooLarge: 413
        case .tooMany: 429
        case .unavailable: 503
        case .internal: 500
        case .dropped, .channelThrottled: 201
        default: 400
        }
    }

    private static func text(_ status: Int, _ text: String) -> ServiceAnswer {
        ServiceAnswer(
            status: status,
            headers: [HTTP2Header("content-type", "text/plain; charset=utf-8")],
            body: ByteBuffer(string: text + "\n")
        )
    }

    private static func json(_ status: Int, _ text: String) -> ServiceAnswer {
        ServiceAnswer(
            status: status,
            headers: [HTTP2Header("content-type", "application/json")],
            body: ByteBuffer(string: text)
        )
    }

    private func google(_ error: WebPushError) -> ServiceAnswer {
        let text =
            switch error.code {
            case .gone: "push subscription has unsubscribed or expired."
            case .keyMismatch:
                "the VAPID credentials in the authorization header do not correspond to the credentials used to create "
                    + "the subscriptions."
            case .tokenInvalid: "invalid JWT provided"
            case .authorizationMissing: "authorization header must be specified."
            default: error.message
            }
        return Self.text(Self.status(of: error.code), text)
    }

    /// Mozilla's `errno` (autopush, "Error codes").
    private func mozilla(_ error: WebPushError) -> ServiceAnswer {
        let (status, errno, name) =
            switch error.code {
            case .missing: (404, 102, "Not Found")
            case .gone: (410, 106, "Gone")
            case .tooLarge: (413, 104, "Payload Too Large")
            case .authorizationMissing, .authorizationInvalid, .publicKeyInvalid, .tokenInvalid, .keyMismatch:
                (401, 109, "Unauthorized")
            case .encodingInvalid: (400, 110, "Bad Request")
            case .ttlMissing: (400, 111, "Bad Request")
            case .ttlInvalid: (400, 112, "Bad Request")
            case .topicInvalid, .urgencyInvalid, .requestInvalid: (400, 113, "Bad Request")
            case .tooMany: (503, 201, "Service Unavailable")
            case .unavailable: (503, 202, "Service Unavailable")
            case .internal: (500, 999, "Internal Server Error")
            case .dropped, .channelThrottled: (201, 0, "Created")
            }
        return Self.json(
            status,
            #"{"code":\#(status),"errno":\#(errno),"error":"\#(name)","message":\#(APNsAnswer.quoted(error.message))}"#
        )
    }

    /// Apple's reasons ("Sending web push notifications in web apps and browsers").
    private func apple(_ error: WebPushError) -> ServiceAnswer {
        let (status, reason) =
            switch error.code {
            case .missing: (404, "BadPath")
            case .gone: (410, "Unregistered")
            case .authorizationMissing, .authorizationInvalid: (403, "BadAuthorizationHeader")
            case .publicKeyInvalid: (400, "BadVapidPublicKey")
            case .tokenInvalid: (403, "BadJwtToken")
            case .keyMismatch: (400, "VapidPkHashMismatch")
            case .ttlMissing, .ttlInvalid: (400, "BadTtl")
            case .urgencyInvalid: (400, "BadUrgency")
            case .topicInvalid: (400, "BadWebPushTopic")
            case .encodingInvalid, .requestInvalid: (400, "BadWebPushRequest")
            case .tooLarge: (413, "PayloadTooLarge")
            case .tooMany: (429, "TooManyRequests")
            case .unavailable: (503, "ServiceUnavailable")
            case .internal: (500, "InternalServerError")
            case .dropped, .channelThrottled: (201, "")
            }
        return Self.json(status, #"{"reason":"\#(reason)"}"#)
    }

    private func microsoft(_ error: WebPushError) -> ServiceAnswer {
        var answer = ServiceAnswer(status: error.code == .tooMany ? 406 : Self.status(of: error.code))
        switch error.code {
        case .dropped: answer.headers.append(HTTP2Header("x-wns-notificationstatus", "dropped"))
        case .channelThrottled: answer.headers.append(HTTP2Header("x-wns-notificationstatus", "channelthrottled"))
        default: answer.headers.append(HTTP2Header("x-wns-error-description", error.message))
        }
        return answer
    }
}
