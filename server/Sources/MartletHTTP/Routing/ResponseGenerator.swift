import Foundation
import HTTPTypes
import Hummingbird
import MartletCore
import MartletWire
import NIOCore

/// What a route's success looks like on the wire.
enum AnswerShape: Sendable {
    /// `{"data":{…}}`
    case item(DocumentSchema)
    /// `{"data":[…],"next":"…"}`
    case list(DocumentSchema)
    /// The same or, as `text/csv`, all of the list at once.
    case listOrFile(DocumentSchema)
    /// The document itself.
    case bare(DocumentSchema)
    /// Any JSON object.
    case object
    /// Server-sent events, each with the document as its data.
    case events(DocumentSchema)
    /// Plain text.
    case text
    /// A script.
    case script
    /// No body.
    case nothing
}

/// What a handler returns.
protocol ResponseGenerator: SendableMetatype {
    /// What it looks like.
    static var shape: AnswerShape { get }
    /// The answer as it goes out.
    func response(default status: HTTPResponse.Status) throws -> Response
}

/// An answer with one document, in its envelope.
struct Reply<Document: Documented>: ResponseGenerator {
    static var shape: AnswerShape { .item(Document.schema) }
    var document: Document
    /// Another status than the route's usual one.
    var status: HTTPResponse.Status?
    /// Header fields beside the usual ones.
    var headers = HTTPFields()

    /// An answer around a document.
    ///
    /// - Parameter isReplayed: Whether an earlier request was answered the same and this one changed nothing.
    init(_ document: Document, status: HTTPResponse.Status? = nil, isReplayed: Bool = false) {
        self.document = document
        self.status = status
        if isReplayed, let name = HTTPField.Name(HeaderName.idempotentReplayed) { headers[name] = "true" }
    }

    func response(default status: HTTPResponse.Status) throws -> Response {
        try .json(Item(document), status: self.status ?? status, headers: headers)
    }
}

/// An answer with one document and no envelope, for probes that look at the status alone.
struct BareReply<Document: Documented>: ResponseGenerator {
    static var shape: AnswerShape { .bare(Document.schema) }
    var document: Document

    func response(default status: HTTPResponse.Status) throws -> Response { try .json(document, status: status) }
}

extension List: ResponseGenerator where Element: Documented {
    static var shape: AnswerShape { .list(Element.schema) }

    func response(default status: HTTPResponse.Status) throws -> Response { try .json(self, status: status) }
}

/// An answer without a body.
struct Nothing: ResponseGenerator {
    static var shape: AnswerShape { .nothing }

    func response(default status: HTTPResponse.Status) -> Response { Response(status: status) }
}

/// An answer in Prometheus' text format.
struct MetricsText: ResponseGenerator {
    static var shape: AnswerShape { .text }
    var text: String

    func response(default status: HTTPResponse.Status) -> Response {
        // The version is that of Prometheus' text exposition format.
        let headers: HTTPFields = [.contentType: "text/plain; version=0.0.4; charset=utf-8"]
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

/// An answer that is JSON already.
struct RawJSON: ResponseGenerator {
    static var shape: AnswerShape { .object }
    /// The JSON text.
    var buffer: ByteBuffer

    func response(default status: HTTPResponse.Status) -> Response { .json(buffer: buffer, status: status) }
}

extension Response {
    /// An answer with a document as JSON.
    static func json(
        _ document: some Encodable,
        status: HTTPResponse.Status,
        headers: HTTPFields = HTTPFields()
    ) throws -> Response {
        json(bytes: try JSONText(document).bytes, status: status, headers: headers)
    }

    /// An answer with JSON text.
    static func json(
        bytes: some Sequence<UInt8>,
        status: HTTPResponse.Status,
        headers: HTTPFields = HTTPFields()
    ) -> Response {
        json(buffer: ByteBuffer(bytes: bytes), status: status, headers: headers)
    }

    fileprivate static func json(
        buffer: ByteBuffer,
        status: HTTPResponse.Status,
        headers: HTTPFields = HTTPFields()
    ) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: buffer))
    }
}
