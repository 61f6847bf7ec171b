import HTTPTypes
import Hummingbird
import Synchronization

/// A webhook URL on loopback: remembers what it is sent and answers as a script says.
final class Receiver: Sendable {
    /// One request.
    struct Got: Sendable {
        var path: String
        var fields: HTTPFields
        var body: String

        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
    }

    /// How a request is answered.
    enum Reply: Sendable {
        case status(HTTPResponse.Status)
        case redirect(String)
        /// A body of more than anybody reads, which does not end while the receiver lives.
        case endless
        /// Not at all while the receiver lives.
        case never
    }

    private struct State {
        var got: [Got] = []
        var taken = 0
        var script: [Reply] = []
        var hanging: Set<String> = []
        var waiters: [CheckedContinuation<Got, Never>] = []
    }

    private let state = Mutex(State())
    private let (end, ending) = AsyncStream.makeStream(of: Void.self)

    /// Answers the next requests so, and those after them with 200.
    func answer(_ replies: Reply...) { state.withLock { $0.script += replies } }

    /// Answers requests whose paths begin so no more.
    func hang(under path: String) { state.withLock { _ = $0.hanging.insert(path) } }

    /// All requests.
    var all: [Got] { state.withLock { $0.got } }

    /// The next request, when it comes.
    func next() async -> Got {
        await withCheckedContinuation { waiter in
            let ready: Got? = state.withLock { state in
                guard state.taken < state.got.count else {
                    state.waiters.append(waiter)
                    return nil
                }
                state.taken += 1
                return state.got[state.taken - 1]
            }
            if let ready { waiter.resume(returning: ready) }
        }
    }

    /// Lets go of those who are not answered.
    func close() { ending.finish() }

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.post("**") { [self] request, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            let got = Got(path: request.uri.string, fields: request.headers, body: String(buffer: body))
            return await reply(to: got)
        }
        return router
    }

    private func reply(to got: Got) async -> Response {
        let (reply, waiter) = state.withLock { state -> (Reply, CheckedContinuation<Got, Never>?) in
            state.got.append(got)
            let waiter = state.waiters.isEmpty ? nil : state.waiters.removeFirst()
            if waiter != nil { state.taken += 1 }
            if state.hanging.contains(where: got.path.hasPrefix) { return (.never, waiter) }
            return (state.script.isEmpty ? .status(.ok) : state.script.removeFirst(), waiter)
        }
        waiter?.resume(returning: got)
        switch reply {
        case .status(let status): return Response(status: status)
        case .redirect(let url): return Response(status: .found, headers: [.location: url])
        case .endless:
            return Response(
                status: .ok,
                body: ResponseBody { [self] writer in
                    try await writer.write(ByteBuffer(repeating: 0x20, count: 64 << 10))
                    for await _ in end {}
                    try await writer.finish(nil)
                }
            )
        case .never:
            for await _ in end {}
            return Response(status: .ok)
        }
    }
}
