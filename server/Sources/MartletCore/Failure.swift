public import MartletWire

/// What the domain refuses, in words for the person who can act on it.
public struct Failure: Error, Sendable, Hashable {
    /// The code, message, hint and field that the person reads.
    public var detail: ErrorBody.Detail
    /// When it may be asked for again, where that is known: for what is refused for now.
    public var retryAfter: Duration?

    package init(_ code: ErrorCode, _ message: String, hint: String? = nil, field: String? = nil) {
        detail = ErrorBody.Detail(code: code, message: message, hint: hint, field: field)
    }

    /// The word that never changes.
    public var code: ErrorCode { detail.code }

    /// The refusal of a value that a field cannot have.
    public static func invalid(_ field: String, _ message: String, hint: String? = nil) -> Failure {
        Failure(.invalidValue, message, hint: hint, field: field)
    }

    /// The answer for what does not exist or belongs to somebody else: both look the same.
    public static func notFound(_ what: String) -> Failure {
        Failure(.notFound, "There is no such \(what).")
    }
}

extension Failure: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(detail.code.rawValue): \(detail.message)" }
}
