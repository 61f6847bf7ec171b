import HTTPTypes
import Hummingbird
import MartletCore
import MartletWire

extension ErrorCode {
    /// The status of an answer with this code.
    var status: HTTPResponse.Status {
        switch self {
        case .malformedRequest, .unknownField: .badRequest
        case .invalidValue, .idempotencyMismatch, .invalidCredential, .missingCredential, .queryTimedOut:
            .unprocessableContent
        case .unauthorized, .installationSecretRequired: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .conflict, .subscriptionEnded: .conflict
        case .payloadTooLarge, .bodyTooLarge: .contentTooLarge
        case .uriTooLong: .uriTooLong
        case .unsupportedMediaType: .unsupportedMediaType
        case .tooManyRequests: .tooManyRequests
        case .overloaded: .serviceUnavailable
        default: .internalServerError
        }
    }
}

extension Failure {
    /// The same refusal, with the field that is at fault where none is named. A server in trouble is no field's fault.
    func at(_ field: String) -> Failure {
        guard code.status.code < 500 else { return self }
        var failure = self
        failure.detail.field = detail.field ?? field
        return failure
    }

    /// The answer that reports it.
    func response(id: String) -> Response {
        var headers = HTTPFields()
        switch code {
        case .unauthorized: headers[.wwwAuthenticate] = "Bearer"
        // One second: a shared commit takes milliseconds, so a queue that is full now has moved by then.
        case .overloaded, .tooManyRequests:
            headers[.retryAfter] = String(max(1, (retryAfter ?? .zero).components.seconds))
        // What is left of the body is not read for its content; the client is told not to send it.
        case .bodyTooLarge: headers[.connection] = "close"
        default: break
        }
        let isInternal = code.status == .internalServerError
        let body = ErrorBody(isInternal ? Failure.defect(id).detail : detail)
        let answer = try? Response.json(body, status: code.status, headers: headers)
        return answer ?? Response(status: .internalServerError)
    }

    /// What the world is told about a defect: nothing but where to look.
    private static func defect(_ id: String) -> Failure {
        Failure(
            .internalError,
            "The server could not answer this request.",
            hint: "Its log has the cause under the request id \(id)."
        )
    }
}
