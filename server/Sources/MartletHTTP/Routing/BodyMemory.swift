import Hummingbird
import MartletCore
import MartletWire
import Synchronization

/// Bounds the bytes of request bodies that are held at once, over all interfaces on the router, however many requests
/// there are. An address has a quarter of them at most: who sends slowly keeps nobody else out.
struct BodyMemory: RouterMiddleware {
    private let table: BodyBytes
    private let proxies: TrustedProxies

    init(limit: Int, proxies: TrustedProxies) {
        table = BodyBytes(limit: limit)
        self.proxies = proxies
    }

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let lease = BodyBytes.Lease(
            table: table,
            address: proxies.client(of: context.peer, forwarded: request.headers.xForwardedFor)
        )
        // With the answer nobody needs the body any more.
        defer { lease.end() }
        var request = request
        request.body = RequestBody(
            asyncSequence: request.body.map { chunk in
                try lease.take(chunk.readableBytes)
                return chunk
            }
        )
        return try await next(request, context)
    }
}

/// How many bytes of bodies are held, and by whom.
final class BodyBytes: Sendable {
    /// The bytes of one request.
    final class Lease: Sendable {
        private let table: BodyBytes
        private let address: String
        private let taken = Mutex(0)

        init(table: BodyBytes, address: String) { (self.table, self.address) = (table, address) }

        /// Counts bytes that have come.
        ///
        /// - Throws: `Failure` with ``ErrorCode/overloaded`` where there are too many.
        func take(_ count: Int) throws(Failure) {
            guard table.add(count, of: address) else {
                throw Failure(.overloaded, "The server has too many request bodies in flight.", hint: "Send it later.")
            }
            taken.withLock { $0 += count }
        }

        /// Gives all of them back.
        func end() {
            let count = taken.withLock { taken in
                defer { taken = 0 }
                return taken
            }
            if count > 0 { table.remove(count, of: address) }
        }
    }

    private struct State {
        var all = 0
        var byAddress: [String: Int] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    private func add(_ count: Int, of address: String) -> Bool {
        state.withLock { state in
            let own = state.byAddress[address, default: 0] + count
            guard state.all + count <= limit, own <= limit / 4 else { return false }
            state.all += count
            state.byAddress[address] = own
            return true
        }
    }

    private func remove(_ count: Int, of address: String) {
        state.withLock { state in
            state.all -= count
            let own = state.byAddress[address, default: 0] - count
            state.byAddress[address] = own > 0 ? own : nil
        }
    }
}
