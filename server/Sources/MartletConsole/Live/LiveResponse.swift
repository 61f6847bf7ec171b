import HTTPTypes
import Hummingbird
import MartletCore
import MartletStore
import NIOCore

extension ConsoleService {
    /// Looks at what open pages watch, until it is cancelled.
    public func run() async { await live.run() }

    /// An answer that goes on until nothing changes any more, the browser is gone, who asks may not read it any more, or the
    /// server stops. It does not keep the session alive.
    ///
    /// - Parameters:
    ///   - name: what is watched: pages that show the same have the same.
    ///   - look: how it is looked at, once a second for all of them.
    func liveReply(
        _ name: String,
        _ call: ConsoleCall,
        look: @escaping @Sendable () async throws -> LivePart
    ) throws(Failure) -> ConsoleReply {
        let known = call.lastEventID ?? call.query["v"] ?? ""
        let lease = try live.open(name, known: known, reader: try reader(of: call), look: look)
        return .other(Self.response(lease, call))
    }

    /// Who asks, with the role that they have now.
    private func reader(of call: ConsoleCall) throws(Failure) -> LiveReader {
        let owner = try call.owner()
        guard let known = call.session else { throw Failure.notFound("session") }
        return LiveReader(owner: owner.row, session: known.session.row) { [store, clock] in
            guard let session = try? await store.session(known.secret) else { return false }
            return session.isLive(at: clock.now()) && session.owner.role == owner.role
        }
    }

    private static func response(_ lease: LiveLease, _ call: ConsoleCall) -> Response {
        // A browser that is gone makes room at once, and not when it is written to next.
        call.connection.closeFuture.whenComplete { [weak lease] _ in lease?.finish() }
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // nginx would keep events back until it has a page of them.
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        let body = ResponseBody { [lease] writer in
            try await writer.write(ByteBuffer(string: "retry: 5000\n\n"))
            for await event in lease.events { try await writer.write(event) }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }
}
