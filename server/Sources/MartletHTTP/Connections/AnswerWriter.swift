import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Writes an answer to its connection: all of it at once where it is as long as it says, otherwise part by part, each when
/// the system has taken the one before.
struct AnswerWriter: ResponseBodyWriter {
    private let channel: any Channel
    private var pending: [HTTPResponsePart]
    /// How many bytes are left of the length that the head says.
    private var left: Int?
    private let isFinished = IsFinished()

    /// Whether the end of the answer was written; whoever writes it may drop the writer.
    private final class IsFinished: Sendable {
        let value = Atomic(false)
    }

    static func write(_ response: Response, to channel: any Channel) async {
        let writer = AnswerWriter(
            channel: channel,
            pending: [.head(response.head)],
            left: response.body.contentLength
        )
        try? await response.body.write(writer)
        // What was begun and has no end is no answer.
        if !writer.isFinished.value.load(ordering: .relaxed) { channel.close(promise: nil) }
    }

    /// Writes what a HEAD is answered.
    static func writeHead(of response: Response, to channel: any Channel) {
        channel.eventLoop.execute {
            channel.write(HTTPResponsePart.head(response.createHeadResponse().head), promise: nil)
            channel.write(HTTPResponsePart.end(nil), promise: nil)
        }
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        pending.append(.body(buffer))
        left = left.map { $0 - buffer.readableBytes }
        if left != 0 { try await flush() }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        pending.append(.end(trailingHeaders))
        isFinished.value.store(true, ordering: .relaxed)
        channel.eventLoop.execute { [channel, pending] in
            for part in pending { channel.write(part, promise: nil) }
        }
    }

    /// Gives the connection to what goes on with the answer and ends it.
    mutating func leave(to takeOver: @Sendable (any Channel) -> Void) async throws {
        try await flush()
        isFinished.value.store(true, ordering: .relaxed)
        takeOver(channel)
    }

    private mutating func flush() async throws {
        let parts = pending
        pending.removeAll()
        try await channel.eventLoop.flatSubmit { [channel] in
            for part in parts.dropLast() { channel.write(part, promise: nil) }
            guard let last = parts.last else { return channel.eventLoop.makeSucceededVoidFuture() }
            return channel.writeAndFlush(last)
        }.get()
    }
}

extension ResponseBody {
    /// A body that has no task while it waits, on the connections of ``LimitedHTTP1Channel``: whoever takes over writes
    /// its parts to the channel, and its end.
    static func withoutTask(_ takeOver: @escaping @Sendable (any Channel) -> Void) -> ResponseBody {
        ResponseBody { writer in
            guard var answer = writer as? AnswerWriter else { throw ChannelError.operationUnsupported }
            try await answer.leave(to: takeOver)
        }
    }
}
