import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Bytes of a request's body that are read; 10,000 device tokens fit.
let controlBodyLimit = 4 * 1_024 * 1_024

extension Request {
    /// The body as a document. An absent body counts as `{}`.
    func document<Document: Decodable>(_ type: Document.Type) async throws -> Document {
        let buffer: ByteBuffer
        do {
            buffer = try await body.collect(upTo: controlBodyLimit)
        } catch is NIOTooManyBytesError {
            throw ControlError(
                status: .contentTooLarge,
                code: "body_too_large",
                message: "the body is larger than 4 MiB",
                hint: "Send several smaller requests."
            )
        }
        let data = buffer.readableBytes == 0 ? Data("{}".utf8) : Data(buffer.readableBytesView)
        guard data.withUnsafeBytes({ JSONGrammar.isObject($0) }) else { throw ControlError.malformedBody }
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw ControlError(reading: error)
        }
    }

    /// Refuses query parameters that the route does not have.
    func allowQuery(_ names: [String] = []) throws {
        for (name, _) in uri.queryParameters where !names.contains(String(name)) {
            throw ControlError.unknownField(String(name), known: names.isEmpty ? ["nothing"] : names)
        }
    }

    func queryText(_ name: String) -> String? {
        uri.queryParameters[name[...]].map { String($0) }
    }

    func queryNumber(_ name: String, in range: ClosedRange<Int>, default value: Int) throws -> Int {
        guard let text = queryText(name) else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw ControlError.invalidField(
                name,
                "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }
}

extension RouterMethods<BasicRequestContext> {
    /// A request whose document says what to do, which is answered with nothing.
    func command<Document: Decodable & SendableMetatype>(
        _ path: RouterPath,
        _ body: @escaping @Sendable (Document) async throws -> Void
    ) {
        post(path) { request, _ in
            try await body(try await request.document(Document.self))
            return Response(status: .noContent)
        }
    }
}

extension BasicRequestContext {
    /// A part of the path, as it is meant; empty when there is none.
    func part(_ name: String) -> String {
        let text = parameters.get(name) ?? ""
        return text.removingPercentEncoding ?? text
    }
}

extension Response {
    /// A JSON answer with members in a fixed order.
    static func json(_ document: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        let body = ByteBuffer(bytes: try encoder.encode(document))
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }
}

/// Turns every error into the API's form.
struct ControlErrorMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as ControlError {
            return try .json(ControlErrorDocument(error), status: error.status)
        } catch let error as HTTPError {
            let code = error.status == .notFound ? "not_found" : "bad_request"
            let problem = ControlError(
                status: error.status,
                code: code,
                message: "\(request.method) \(request.uri.path) is not known",
                hint: "docs/simulator.md lists the routes."
            )
            return try .json(ControlErrorDocument(problem), status: error.status)
        }
    }
}
