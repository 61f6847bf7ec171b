import HTTPTypes
import Hummingbird
import MartletCore
import NIOCore
import ServiceLifecycle
import Synchronization

/// An answer that goes on: server-sent events, each with a part of the page as it is now, and only when it has changed
/// (HTML Living Standard, "Server-sent events"). The page's script puts the part in place of the old one.
struct ChangeStream: Sendable {
    /// Between two looks.
    static let interval: Duration = .seconds(1)
    /// How long it lasts at most; a browser opens another one by itself.
    static let lifetime: Duration = .seconds(3_600)

    /// How often it is looked whether its reader may still read it.
    static let checkInterval: Duration = .seconds(30)

    let clock: any WallClock
    /// Ends it when its browser is gone.
    let connection: any Channel

    /// Whether its reader may still read it: their session may end while it goes on.
    let isAllowed: @Sendable () async -> Bool

    /// The answer.
    ///
    /// - Parameter part: what there is to show; `nil` while nothing has changed.
    func response(_ part: @escaping @Sendable () async throws -> String?) -> Response {
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // nginx would keep events back until it has a page of them.
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        let gone = Gone()
        connection.closeFuture.whenComplete { _ in gone.note() }
        let body = ResponseBody { [clock, isAllowed] writer in
            let end = clock.now() + Self.lifetime
            var check = clock.now() + Self.checkInterval
            try await writer.write(ByteBuffer(string: "retry: 5000\n\n"))
            while clock.now() < end, !gone.isSo, !Task.isShuttingDownGracefully {
                if clock.now() >= check {
                    guard await isAllowed() else { break }
                    check = clock.now() + Self.checkInterval
                }
                if let html = try await part() { try await writer.write(Self.event("changed", html)) }
                try await clock.sleep(for: Self.interval)
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// An event whose data has lines of its own.
    static func event(_ name: String, _ text: String) -> ByteBuffer {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        return ByteBuffer(string: "event: \(name)\n" + lines.map { "data: \($0)\n" }.joined() + "\n")
    }

    private final class Gone: Sendable {
        private let state = Atomic(false)
        var isSo: Bool { state.load(ordering: .relaxed) }
        func note() { state.store(true, ordering: .relaxed) }
    }
}

extension ConsoleService {
    /// A stream for who asks, as long as their session lives and their role stays; it does not keep the session alive.
    func changeStream(_ call: ConsoleCall) -> ChangeStream {
        ChangeStream(clock: clock, connection: call.connection) { [store, clock] in
            guard let known = call.session, let session = try? await store.session(known.secret) else { return false }
            return session.isLive(at: clock.now()) && session.owner.role == known.owner.role
        }
    }
}
