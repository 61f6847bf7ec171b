import HTTPTypes
import Hummingbird
import MartletCore
import NIOCore

extension ConsoleService {
    /// Looks at what open pages watch, until it is cancelled.
    public func run() async { await live.run() }

    /// An answer that goes on until nothing changes any more, the browser is gone, or the server stops.
    func liveResponse(_ lease: LiveLease, _ call: ConsoleCall) -> ConsoleReply {
        // A browser that is gone makes room at once, and not when it is written to next.
        call.connection.closeFuture.whenComplete { [weak lease] _ in lease?.finish() }
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // nginx would keep events back until it has a page of them.
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        let body = ResponseBody { [lease] writer in
            try await writer.write(ByteBuffer(string: ":\n\n"))
            for await event in lease.events { try await writer.write(event) }
            try await writer.finish(nil)
        }
        return .other(Response(status: .ok, headers: headers, body: body))
    }
}
