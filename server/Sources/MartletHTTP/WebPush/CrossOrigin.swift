import HTTPTypes
import Hummingbird

/// Lets pages and workers of some origins call the interface from the browser (Fetch Standard, "CORS protocol"). Keys and
/// tokens go in header fields and never in cookies, so that no credentials are allowed.
struct CrossOrigin: RouterMiddleware {
    /// As browsers write them: `https://shop.example.com`.
    let origins: Set<String>

    /// Seconds for which a browser does not ask again: two hours, the most that Chromium takes.
    private static let lifetime = "7200"
    private static let methods = "GET, POST, PUT, PATCH, DELETE"
    private static let requestFields =
        "Authorization, Content-Type, Idempotency-Key, If-Match, Martlet-Installation-Secret, Martlet-User-Token"
    private static let responseFields = "ETag, Retry-After, Idempotent-Replayed, X-Request-Id"

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let origin = request.headers[.origin]
        guard let origin, origins.contains(origin) else {
            var response = try await next(request, context)
            response.headers.append(HTTPField(name: .vary, value: "Origin"))
            return response
        }
        let isPreflight = request.method == .options && request.headers[.accessControlRequestMethod] != nil
        var response = isPreflight ? Response(status: .noContent) : try await next(request, context)
        response.headers[.accessControlAllowOrigin] = origin
        response.headers.append(HTTPField(name: .vary, value: "Origin"))
        if isPreflight {
            response.headers[.accessControlAllowMethods] = Self.methods
            response.headers[.accessControlAllowHeaders] = Self.requestFields
            response.headers[.accessControlMaxAge] = Self.lifetime
        } else {
            response.headers[.accessControlExposeHeaders] = Self.responseFields
        }
        return response
    }
}
