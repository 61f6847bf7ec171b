import Hummingbird
import MartletCore
import MartletWire
import Synchronization

/// Refuses requests beyond a number under way, so that a flood costs memory for that many and no more. Probes and
/// metrics pass: a server under load is still alive, and somebody has to see that it is.
///
/// It is the route that counts, since the same path can be written in several ways.
struct InFlightLimits: Sendable {
    private let requests: InFlightLimit
    private let uploads: InFlightLimit

    /// Limits on requests to `/api`, and on uploads.
    init(requests: Int, uploads: Int) {
        self.requests = InFlightLimit(requests)
        self.uploads = InFlightLimit(uploads)
    }

    /// Answers a request to a route.
    ///
    /// - Throws: `Failure` with ``ErrorCode/overloaded`` beyond a limit; what `answer` throws.
    func during(_ route: Route, answer: () async throws -> Response) async throws -> Response {
        let isRequest = route.path.hasPrefix("/api/")
        if isRequest { try requests.enter() }
        defer { if isRequest { requests.leave() } }
        let isUpload = !route.uploads.isEmpty
        if isUpload { try uploads.enter() }
        defer { if isUpload { uploads.leave() } }
        return try await answer()
    }
}

/// How many are under way, at most so many.
private final class InFlightLimit: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    func enter() throws(Failure) {
        let isFree = count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard isFree else {
            throw Failure(.overloaded, "The server has \(limit) such requests in flight.", hint: "Send it again later.")
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}

/// Has the large bodies of clients read one at a time, so that they keep one thread busy and not all.
actor LargeBodies {
    /// From how many bytes on a body is large. Ours: fewer are read within some milliseconds.
    private static let size = 64 * 1024

    /// Reads a body of so many bytes, in turn with others where it is a client's and large, or has yet to grow.
    nonisolated func read<Value: Sendable>(
        _ count: Int,
        of caller: Caller,
        isCompressed: Bool = false,
        _ work: @Sendable () throws -> Value
    ) async throws -> Value {
        guard caller.isClient, isCompressed || count > Self.size else { return try work() }
        return try await inTurn(work)
    }

    private func inTurn<Value: Sendable>(_ work: @Sendable () throws -> Value) throws -> Value { try work() }
}
