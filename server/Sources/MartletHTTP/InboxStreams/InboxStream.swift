import MartletCore
import MartletWire
import NIOCore
import Synchronization

/// One open stream: what goes out next, and until when. It has no task: it writes when there is something, and again when
/// the system has taken that. The ``InboxStreamHub`` keeps it until it is over.
final class InboxStream: Sendable {
    /// Writes an event, and calls ``InboxStream/wrote()`` when it is taken; `nil` is the stream's end.
    typealias Write = @Sendable (ByteBuffer?) -> Void

    private struct State {
        var next: ByteBuffer?
        /// None before its answer has begun, and after its end.
        var write: Write?
        var isWriting = false
        var isOver = false
        var lastWritten: Timestamp
        /// Since when it has been seen to write: longer than a moment only while the client takes nothing and the system
        /// holds all that it may.
        var writingSince: Timestamp?

        /// What is to be written now, and with what.
        mutating func takeNext() -> (Write, ByteBuffer?)? {
            guard let write, !isWriting, next != nil || isOver else { return nil }
            defer { next = nil }
            isWriting = next != nil
            if !isWriting { self.write = nil }
            return (write, next)
        }
    }

    /// Whose inbox it tells of.
    let owner: InboxOwner
    /// When it ends.
    let end: Timestamp
    private let state: Mutex<State>
    /// Closes the connection of a client that takes nothing.
    private let cut: @Sendable () -> Void
    private let onEnd: @Sendable (InboxStream) -> Void

    /// How often something is written, so that proxies and phones see that it is open.
    static let commentInterval: Duration = .seconds(15)
    /// For how long a client may take nothing with as much of it here as the system holds.
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

    /// Whether there is something that does not go out yet.
    var hasEvent: Bool { state.withLock { $0.next != nil } }

    /// Writes its first event, and everything that comes.
    func begin(with first: ByteBuffer, write: @escaping Write) {
        state.withLock { state in
            state.write = write
            state.isWriting = true
            state.writingSince = nil
        }
        write(first)
    }

    /// Tells an event. One that does not go out yet gives way: an event is a hint to read again.
    func post(_ event: ByteBuffer, at now: Timestamp) {
        update { state in
            guard !state.isOver else { return }
            state.lastWritten = now
            state.next = event
            if !state.isWriting { state.writingSince = now }
        }
    }

    /// What was written is taken.
    func wrote() {
        update { state in
            state.isWriting = false
            state.writingSince = nil
        }
    }

    /// What is due whether or not something changed: its end, a comment, or the end of a client that takes nothing.
    func tick(at now: Timestamp) {
        if now >= end { return finish() }
        let (isStuck, needsComment) = state.withLock { state in
            if state.isWriting, state.writingSince == nil { state.writingSince = now }
            return (
                state.isWriting && state.writingSince.map { now - $0 >= Self.timeout } ?? false,
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

    /// Ends it; what was posted before is still written.
    func finish() {
        let isFirst = update { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isFirst { onEnd(self) }
    }

    /// Changes its state and writes what is due then.
    private func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        let (result, next) = state.withLock { state in (change(&state), state.takeNext()) }
        if let (write, event) = next { write(event) }
        return result
    }

    /// Ends it where its answer has not begun.
    fileprivate func abandon() {
        if state.withLock({ $0.write == nil }) { finish() }
    }
}

/// Ends a stream whose response was never begun.
final class InboxStreamLease: Sendable {
    let stream: InboxStream

    init(_ stream: InboxStream) { self.stream = stream }

    deinit { stream.abandon() }
}
