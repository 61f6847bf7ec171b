import Hummingbird
import MartletCore
import MartletWire
import Synchronization

/// Refuses requests beyond a number under way, so that a flood costs memory for that many and no more. Probes and
/// metrics pass: a server under load is still alive, and somebody has to see that it is.
struct InFlightLimit: RouterMiddleware {
    private let limit: Int
    private let count = Count()
    private let isCounted: @Sendable (String) -> Bool

    /// A limit of so many requests at a time, of those whose path counts.
    init(_ limit: Int, where isCounted: @escaping @Sendable (String) -> Bool = { $0.hasPrefix("/api/") }) {
        self.limit = limit
        self.isCounted = isCounted
    }

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard isCounted(request.uri.path) else { return try await next(request, context) }
        guard count.enter(limit) else {
            throw Failure(.overloaded, "The server has \(limit) such requests under way.", hint: "Send it again later.")
        }
        defer { count.leave() }
        return try await next(request, context)
    }

    private final class Count: Sendable {
        private let value = Mutex(0)

        func enter(_ limit: Int) -> Bool {
            value.withLock { value in
                guard value < limit else { return false }
                value += 1
                return true
            }
        }

        func leave() { value.withLock { $0 -= 1 } }
    }
}
