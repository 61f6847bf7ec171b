import HTTPTypes
import Hummingbird
import Logging
import MartletWire

/// Says of every request how it went: one log line and its metrics. The outermost middleware.
///
/// It names the route's pattern and never the path, because paths hold user ids; and never header fields or bodies,
/// because they hold keys, tokens and payloads.
struct RequestLog: RouterMiddleware {
    private let metrics: RequestMetrics
    private let level: Logger.Level

    /// A log at this level for what succeeds; refusals are at least `info`, defects `error`.
    init(metrics: RequestMetrics, level: Logger.Level) {
        self.metrics = metrics
        self.level = level
    }

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var response = try await next(request, context)
        let duration = ContinuousClock.now - start
        if let name = HTTPField.Name(HeaderName.requestID) { response.headers[name] = context.id }
        let route = context.endpointPath ?? "unknown"
        metrics.record(method: request.method, route: route, status: response.status, duration: duration)
        let level = level(of: response.status)
        context.logger.log(
            level: level,
            "request",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(route)", "status": "\(response.status.code)",
                "microseconds": "\(Int64(duration / .microseconds(1)))",
                "key": "\(context.note.key ?? "-")", "code": "\(context.note.code ?? "-")",
            ]
        )
        return response
    }

    private func level(of status: HTTPResponse.Status) -> Logger.Level {
        switch status.code {
        case 503: .warning
        case 500...: .error
        case 400...: max(level, .info)
        default: level
        }
    }
}
