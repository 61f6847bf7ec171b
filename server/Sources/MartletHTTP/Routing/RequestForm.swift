import HTTPTypes
import Hummingbird
import MartletCore
import MartletWire

/// Refuses requests that another server in front could read differently: without one `Host` (RFC 9112, section 3.2), and
/// with a path that has an empty segment, as `//api` and `/api/` have. The router would pass over those.
struct RequestForm: RouterMiddleware {
    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        // A person types '/' behind the console's address, which no program does.
        if request.method == .get, request.uri.path == "/console/" {
            return .redirect(to: "/console" + (request.uri.query.map { "?\($0)" } ?? ""), type: .found)
        }
        if let refusal = Self.refusal(of: request) { throw refusal }
        return try await next(request, context)
    }

    /// Why a request is not looked at; `nil` when it is.
    static func refusal(of request: Request) -> Failure? {
        let hasHost = request.head.authority != nil
        // The first `Host` is the authority; the second stays among the fields.
        guard hasHost, !request.headers.contains(where: { $0.name.canonicalName == hostName }) else {
            return Failure(
                .malformedRequest,
                "The request has \(hasHost ? "more than one" : "no") Host field.",
                hint: "Send one, with the server's name.",
                field: hostName
            )
        }
        guard isPlain(path: request.uri.path) else {
            return Failure(
                .notFound,
                "There is no such path: it has an empty segment.",
                hint: "Write it without '//' and without '/' at its end."
            )
        }
        return nil
    }

    private static let hostName = "host"

    private static func isPlain(path: String) -> Bool {
        path == "/" || !path.contains("//") && !path.hasSuffix("/")
    }
}
