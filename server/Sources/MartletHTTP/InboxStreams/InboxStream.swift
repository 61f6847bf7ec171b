import MartletCore
import MartletWire
import NIOCore
import Synchronization

/// One open stream: what its response writes next, and until when. The ``InboxStreamHub`` keeps it until the response lets
/// it go.
final class InboxStream: Sendable {
    private struct State {
        var next: ByteBuffer?
        var waiter: CheckedContinuation<ByteBuffer?, Never>?
        var isOver = false
        var lastWritten: Timestamp
        /// Since when the response has been trying to write: longer than a moment only while the client takes nothing and
        /// the channel holds all that it may.
        var writingSince: Timestamp?
    }

    /// Whose inbox it tells of.
    let owner: InboxOwner
    /// When it ends.
    let end: Timestamp
    private let state: Mutex<State>
    /// Closes the connection under a response that cannot be written.
    private let cut: @Sendable () -> Void
    private let onEnd: @Sendable (InboxStream) -> Void

    /// How often something is written, so that proxies and phones see that it is open.
    static let commentInterval: Duration = .seconds(15)
    /// For how long a client may take nothing with 64 KiB of it here: beyond so much the channel makes writers wait, which
    /// is SwiftNIO's own high watermark.
    static let timeout: Duration = .seconds(10)

    init(
        owner: InboxOwner,
        now: Timestamp,
        end: Timestamp,
        cut: @escaping @Sendable () -> Void,
        onEnd: @escaping @Sendable (InboxStream) -> Void
    ) {
        self.owner = owner
        self.end = end
        self.cut = cut
        self.onEnd = onEnd
        state = Mutex(State(lastWritten: now))
    }

    /// Whether there is something that the response has not taken.
    var hasEvent: Bool { state.withLock { $0.next != nil } }

    /// Gives the response an event. One that it has not taken gives way: an event is a hint to read again.
    func post(_ event: ByteBuffer, at now: Timestamp) {
        let waiter = state.withLock { state -> CheckedContinuation<ByteBuffer?, Never>? in
            guard !state.isOver else { return nil }
            state.lastWritten = now
            guard let waiter = state.waiter else {
                state.next = event
                return nil
            }
            state.waiter = nil
            state.writingSince = now
            return waiter
        }
        waiter?.resume(returning: event)
    }

    /// What is due whether or not something changed: its end, a comment, or the end of a client that takes nothing.
    func tick(at now: Timestamp) {
        if now >= end { return finish() }
        let (isStuck, needsComment) = state.withLock { state in
            (
                state.writingSince.map { now - $0 >= Self.timeout } ?? false,
                state.next == nil && now - state.lastWritten >= Self.commentInterval
            )
        }
        if isStuck {
            finish()
            cut()
        } else if needsComment {
            post(InboxStream.comment, at: now)
        }
    }

    private static let comment = ByteBuffer(string: ":\n\n")

    /// What is to be written next; `nil` at the end. For the one response only.
    func next(at now: Timestamp) async -> ByteBuffer? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<ByteBuffer?, Never>) in
                let result = state.withLock { state -> ByteBuffer?? in
                    state.writingSince = nil
                    if let next = state.next {
                        state.next = nil
                        state.writingSince = now
                        return .some(next)
                    }
                    if state.isOver { return .some(nil) }
                    state.waiter = waiter
                    return nil
                }
                if let result { waiter.resume(returning: result) }
            }
        } onCancel: {
            finish()
        }
    }

    /// Ends it; what was posted before is still written.
    func finish() {
        let (isFirst, waiter) = state.withLock { state in
            defer {
                state.isOver = true
                state.waiter = nil
            }
            return (!state.isOver, state.waiter)
        }
        waiter?.resume(returning: nil)
        if isFirst { onEnd(self) }
    }
}

/// Ends a stream when nobody writes it any more, also where its response was never begun.
final class InboxStreamLease: Sendable {
    let stream: InboxStream

    init(_ stream: InboxStream) { self.stream = stream }

    deinit { stream.finish() }
}
