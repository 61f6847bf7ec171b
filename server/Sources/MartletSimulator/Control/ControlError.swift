import Foundation
import HTTPTypes

/// An error of the control API: `{"error":{"code","message","hint","field"}}`.
struct ControlError: Error, Equatable {
    var status: HTTPResponse.Status
    var code: String
    var message: String
    var hint: String?
    var field: String?
}

extension ControlError {
    static func invalidField(_ field: String, _ message: String, hint: String? = nil) -> ControlError {
        ControlError(status: .badRequest, code: "invalid_field", message: message, hint: hint, field: field)
    }

    static func unknownField(_ field: String, known: [String]) -> ControlError {
        ControlError(
            status: .badRequest,
            code: "unknown_field",
            message: "\(field) is not known",
            hint: "Known here: \(known.joined(separator: ", ")).",
            field: field
        )
    }

    static let malformedBody = ControlError(
        status: .badRequest,
        code: "malformed_json",
        message: "the body is not a JSON object",
        hint: "Send one JSON object."
    )

    static func notFound(_ message: String, hint: String? = nil) -> ControlError {
        ControlError(status: .notFound, code: "not_found", message: message, hint: hint)
    }

    /// What reading a JSON document failed with.
    init(reading error: any Error) {
        switch error {
        case let error as ControlError:
            self = error
        case DecodingError.keyNotFound(let key, let context):
            let field = Self.path(context.codingPath, then: key.stringValue)
            self = ControlError(
                status: .badRequest,
                code: "missing_field",
                message: "\(field) is missing",
                field: field
            )
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            let field = Self.path(context.codingPath, then: nil)
            self = .invalidField(field, "\(field) has the wrong type")
        case DecodingError.dataCorrupted(let context):
            let field = Self.path(context.codingPath, then: nil)
            self = .invalidField(field, "\(field.isEmpty ? "a member" : field) has a value that is not known")
        default:
            self = .malformedBody
        }
        if field == "" { field = nil }
    }

    /// Turns a `SimulatorError`, which names its own field, into the API's error.
    static func naming<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as SimulatorError {
            throw ControlError(
                status: .badRequest,
                code: "invalid_field",
                message: error.message,
                hint: error.hint,
                field: error.field
            )
        }
    }

    /// A member's place in its document, as `then.code` or `tokens[2].token`.
    static func path(_ keys: [any CodingKey], then name: String?) -> String {
        var path = ""
        for key in keys {
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        guard let name else { return path }
        return path.isEmpty ? name : "\(path).\(name)"
    }
}

/// The body of an error answer.
struct ControlErrorDocument: Codable, Equatable {
    struct Details: Codable, Equatable {
        var code: String
        var message: String
        var hint: String?
        var field: String?
    }

    var error: Details

    init(_ error: ControlError) {
        self.error = Details(code: error.code, message: error.message, hint: error.hint, field: error.field)
    }
}
