import HTTPTypes
import Hummingbird
import Logging
import MartletCore
import MartletWire
import NIOCore

/// Turns every error into an answer of the one form. The innermost middleware.
struct ErrorAnswers: RouterMiddleware {
    /// What the router answers, with parameters in braces, to tell a wrong method from a wrong path.
    let paths: [(method: HTTPRequest.Method, path: String)]

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let failure = failure(for: error, request: request, context: context)
            context.note.code = failure.code.rawValue
            var response = failure.response(id: context.id)
            if failure.code == .methodNotAllowed {
                response.headers[.allow] = methods(request.uri.path).joined(separator: ", ")
            }
            return response
        }
    }

    private func methods(_ path: String) -> [String] {
        // As in the router, a word of a path goes before another route's parameter.
        let segments = path.split(separator: "/")
        let matching = paths.filter { $0.path.matches(segments: segments) }
        let own = matching.map { $0.path.places }.min { $0.lexicographicallyPrecedes($1) }
        let methods = Set(matching.filter { $0.path.places == own }.map { $0.method })
        // The router answers HEAD wherever there is a GET.
        return (methods.contains(.get) ? methods.union([.head]) : methods).map(\.rawValue).sorted()
    }

    private func failure(for error: any Error, request: Request, context: APIContext) -> Failure {
        switch error {
        case let failure as Failure:
            if failure.code.status == .internalServerError { log(failure, context) }
            return failure
        case let error as HTTPError where error.status == .notFound:
            return unknownPath(request)
        case is CancellationError:
            return Failure(.overloaded, "The server is shutting down.", hint: "Send the request again.")
        default:
            log(error, context)
            return Failure(.internalError, "")
        }
    }

    private func unknownPath(_ request: Request) -> Failure {
        let allowed = methods(request.uri.path)
        guard allowed.isEmpty else {
            return Failure(
                .methodNotAllowed,
                "This path does not support \(request.method.rawValue).",
                hint: "It supports \(allowed.joined(separator: ", "))."
            )
        }
        return Failure(.notFound, "There is no such path.", hint: "GET /openapi.json lists them.")
    }

    private func log(_ error: any Error, _ context: APIContext) {
        context.logger.error("request failed", metadata: ["error": "\(error)"])
    }
}

extension String {
    /// For each segment of a route's path 0 when it is a word, and 1 when it is a parameter.
    fileprivate var places: [Int] { split(separator: "/").map { $0.first == "{" ? 1 : 0 } }

    /// Whether a request's path, in its segments, is one of this route's path.
    fileprivate func matches(segments others: [Substring]) -> Bool {
        let parts = split(separator: "/")
        return parts.count == others.count && zip(parts, others).allSatisfy { $0.first == "{" || $0 == $1 }
    }
}
