import Foundation
import HTTPTypes

/// What a call is answered: the status, the header fields and a document.
struct SNSAnswer: Hashable, Sendable {
    /// The namespace of the API version 2010-03-31.
    static let namespace = "http://sns.amazonaws.com/doc/2010-03-31/"

    let status: HTTPResponse.Status
    let fields: HTTPFields
    let body: [UInt8]

    private init(_ status: Int, requestID: String, _ document: AnswerWriter) {
        self.status = HTTPResponse.Status(code: status)
        let type = document.form == .json ? "application/json" : "text/xml"
        fields = [.contentType: type, .requestID: requestID]
        body = document.bytes
    }

    /// Success.
    ///
    /// - Parameters:
    ///   - action: the operation; it gives the elements their names.
    ///   - result: writes what is in the result; `nil` for an operation whose model has none. Clients fail on a result
    ///     that is absent, so an empty one is written where there may be one.
    static func success(
        _ action: SNSAction,
        requestID: String,
        as form: AnswerWriter.Form = .xml,
        result: ((inout AnswerWriter) -> Void)? = nil
    ) -> SNSAnswer {
        let action = action.rawValue
        func write(_ writer: inout AnswerWriter) {
            writer.element("\(action)Response", attributes: " xmlns=\"\(namespace)\"") { writer in
                if let result { writer.element("\(action)Result", result) }
                writer.element("ResponseMetadata") { $0.element("RequestId", requestID) }
            }
        }
        var document = AnswerWriter(form)
        if form == .json { document.object(write) } else { write(&document) }
        return SNSAnswer(200, requestID: requestID, document)
    }

    /// A refusal.
    static func failure(_ error: SNSError, requestID: String, as form: AnswerWriter.Form = .xml) -> SNSAnswer {
        func write(_ writer: inout AnswerWriter) {
            writer.element("Error") { writer in
                writer.element("Type", error.code.fault.rawValue)
                writer.element("Code", error.code.rawValue)
                writer.element("Message", error.message)
            }
            writer.element("RequestId", requestID)
        }
        var document = AnswerWriter(form)
        // In JSON nothing is around it, as AWS has it.
        if form == .json {
            document.object(write)
        } else {
            document.element("ErrorResponse", attributes: " xmlns=\"\(namespace)\"", write)
        }
        return SNSAnswer(error.code.status, requestID: requestID, document)
    }

    /// A new id for a request, in the form of AWS's.
    static func newRequestID() -> String { UUID().uuidString.lowercased() }
}

extension HTTPField.Name {
    /// Where clients look for the id of a request first.
    static let requestID = HTTPField.Name("x-amzn-RequestId")!  // a token, see RFC 9110, section 5.6.2
}
