import MartletTransport
import NIOCore

/// What a rule of an HTTP service does: the member `do` of its `then`.
package enum ServiceActionKind: String, Sendable, Codable, CaseIterable {
    /// The answer that the checks give (useful with a delay).
    case proceed
    /// The answer that the other members describe.
    case respond
    /// No answer, ever.
    case hang
    /// RST_STREAM; a connection of HTTP/1.1 is closed.
    case reset
    /// The TCP connection is reset.
    case abort
    /// GOAWAY; in HTTP/1.1 `connection: close`.
    case goAway
    /// New connections are refused; the request is answered as checked.
    case stopListening
}

/// The errors that a service's rules can answer with, by name.
package typealias RuleErrorCode = RawRepresentable<String> & Sendable & Equatable & Codable & CaseIterable

/// What a rule does, with what it needs to know for that.
package struct ServiceAction<ErrorCode: RuleErrorCode>: RuleAction {
    package var kind = ServiceActionKind.proceed
    /// `respond`: the status; known from an error code.
    package var status: Int?
    /// `respond`: one of the service's errors, whose body and headers it brings.
    package var errorCode: ErrorCode?
    /// `respond`: seconds in `retry-after`.
    package var retryAfter: Int?
    /// `respond`: the body, in place of the error's.
    package var body: String?
    /// `reset` and `goAway`: the code (RFC 9113 section 7).
    package var code: UInt32 = 0
    /// `goAway`: whether the request is still answered.
    package var processed = false
    /// `stopListening`: what happens to new connections.
    package var mode = ListenerMode.refuse
    /// `stopListening`: when it ends.
    package var milliseconds: Int?

    package init(_ kind: ServiceActionKind = .proceed) {
        self.kind = kind
        if kind == .reset { code = Self.cancel }
    }

    package static var proceed: Self { Self() }

    package var isProceed: Bool { kind == .proceed }

    /// An answer with one of the service's errors.
    package static func refuse(_ errorCode: ErrorCode, retryAfter: Int? = nil) -> Self {
        var action = Self(.respond)
        action.errorCode = errorCode
        action.retryAfter = retryAfter
        return action
    }

    /// An answer with a status.
    package static func respond(_ status: Int, body: String? = nil, retryAfter: Int? = nil) -> Self {
        var action = Self(.respond)
        action.status = status
        action.body = body
        action.retryAfter = retryAfter
        return action
    }

    /// The answer that it asks for.
    ///
    /// - Parameters:
    ///   - success: the status without one of its own.
    ///   - refusal: the answer to one of the service's errors, with the seconds after which to try again.
    func answer(success: Int, refusal: (ErrorCode, Int?) -> ServiceAnswer) -> ServiceAnswer {
        var answer = errorCode.map { refusal($0, retryAfter) } ?? ServiceAnswer(status: success)
        answer.status = status ?? answer.status
        if errorCode == nil, let retryAfter { answer.headers.append(HTTP2Header("retry-after", "\(retryAfter)")) }
        if let body { answer.body = ByteBuffer(string: body) }
        return answer
    }

    /// CANCEL (RFC 9113 section 7).
    private static var cancel: UInt32 { 8 }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case kind = "do"
        case status, errorCode, retryAfter, body, code, processed, mode, milliseconds
    }

    package init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, of: CodingKeys.self)
        self.init(try fields.required("do"))
        status = try fields.number("status", in: 200...599)
        if let name = try fields.optional("errorCode", as: String.self) {
            guard let known = ErrorCode(rawValue: name) else {
                let names = ErrorCode.allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.invalid("errorCode", "is not known", hint: "Known here: \(names).")
            }
            errorCode = known
        }
        retryAfter = try fields.number("retryAfter", in: 0...86_400)
        body = try fields.optional("body")
        code = try fields.errorCode() ?? code
        processed = try fields.optional("processed") ?? false
        mode = try fields.optional("mode") ?? .refuse
        milliseconds = try fields.number("milliseconds", in: 1...longestDelay)
        if kind == .respond, status == nil, errorCode == nil {
            throw fields.invalid("status", "is missing", hint: "Give a status or an errorCode.")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(kind, forKey: .kind)
        try fields.encodeIfPresent(status, forKey: .status)
        try fields.encodeIfPresent(errorCode, forKey: .errorCode)
        try fields.encodeIfPresent(retryAfter, forKey: .retryAfter)
        try fields.encodeIfPresent(body, forKey: .body)
        if [.reset, .goAway].contains(kind) { try fields.encode(code, forKey: .code) }
        if kind == .goAway { try fields.encode(processed, forKey: .processed) }
        if kind == .stopListening {
            try fields.encode(mode, forKey: .mode)
            try fields.encodeIfPresent(milliseconds, forKey: .milliseconds)
        }
    }
}
