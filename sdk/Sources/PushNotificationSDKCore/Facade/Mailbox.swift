import Foundation

/// One handler of the app, and what waits for it. The handler is only ever called on the main thread, one message after
/// the other; what arrives before there is a handler is kept and replayed.
package final class Mailbox<Message: Sendable>: Sendable {
    /// What the app sets: made on the main thread as a rule, and not Sendable.
    package typealias Handler = (Message) -> Void

    private struct Letter {
        var message: Message
        var handled: (@Sendable () -> Void)?
    }

    private struct State {
        var handler: Handler?
        var waiting: [Letter] = []
        var streams: [Int: AsyncStream<Message>.Continuation] = [:]
        var nextStream = 0
    }

    /// The most messages on their way to a handler, while the main thread is busy: more than any app is sent.
    private static var busyBound: Int { 1000 }

    private let bound: Int
    private let state: Locked<State>

    /// A mailbox without a handler.
    ///
    /// - Parameter bound: the most messages that are kept without a handler; the oldest are dropped. 32 is ours: a cold start brings one.
    package init(bound: Int = 32) {
        self.bound = bound
        self.state = Locked(State())
    }

    /// The app's handler.
    package var handler: Handler? {
        get { state.with { $0.handler } }
        set {
            // The old one is let go outside the lock: its deinitializers are the app's code.
            let (old, hasMail) = state.with { state in
                let old = state.handler
                state.handler = newValue
                return (old, newValue != nil && !state.waiting.isEmpty)
            }
            withExtendedLifetime(old) {}
            if hasMail { deliverOnMain() }
        }
    }

    /// Hands over a message, on the main thread and behind all earlier ones.
    ///
    /// - Parameter handled: called on the main thread when the handler returned, or when there is none.
    package func post(_ message: Message, handled: (@Sendable () -> Void)? = nil) {
        let (streams, hasHandler) = state.with { (Array($0.streams.values), $0.handler != nil) }
        for stream in streams { stream.yield(message) }
        // A stream that hears it is as good as a handler: nothing waits for one.
        guard hasHandler || streams.isEmpty else {
            if let handled { DispatchQueue.main.async(execute: handled) }
            return
        }
        keep(message, handled)
    }

    private func keep(_ message: Message, _ handled: (@Sendable () -> Void)?) {
        let (hasHandler, dropped) = state.with { state in
            let hasHandler = state.handler != nil
            state.waiting.append(Letter(message: message, handled: hasHandler ? handled : nil))
            return (
                hasHandler,
                state.waiting.count > (hasHandler ? Self.busyBound : bound) ? state.waiting.removeFirst() : nil
            )
        }
        if let handled = dropped?.handled { DispatchQueue.main.async(execute: handled) }
        if hasHandler { deliverOnMain() } else if let handled { DispatchQueue.main.async(execute: handled) }
    }

    /// Whether anybody is told.
    package var hasListener: Bool { state.with { $0.handler != nil || !$0.streams.isEmpty } }

    /// The messages from now on, beside the handler and every other stream; the first that listens also gets what waits. Of
    /// those that nobody takes the newest are kept, as many as wait for a handler.
    package func stream() -> AsyncStream<Message> {
        AsyncStream(bufferingPolicy: .bufferingNewest(bound)) { continuation in
            let (number, waiting) = state.with { state in
                defer { state.nextStream += 1 }
                state.streams[state.nextStream] = continuation
                guard state.handler == nil else { return (state.nextStream, [Letter]()) }
                defer { state.waiting = [] }
                return (state.nextStream, state.waiting)
            }
            for letter in waiting { continuation.yield(letter.message) }
            continuation.onTermination = { [weak self] _ in self?.state.with { $0.streams[number] = nil } }
        }
    }

    /// Takes the handler away, ends the streams and drops what waits for it, also what is on its way. Whoever waits for the handler is told,
    /// on the main thread.
    package func forget() {
        let old = state.replace(\.self, with: State())
        for stream in old.streams.values { stream.finish() }
        let waiting = old.waiting
        withExtendedLifetime(old.handler) {}
        for handled in waiting.compactMap(\.handled) { DispatchQueue.main.async(execute: handled) }
    }

    private func deliverOnMain() {
        DispatchQueue.main.async { self.deliver() }
    }

    private func deliver() {
        // What is posted meanwhile has its own turn: a handler that causes a message each time holds up nothing else.
        for _ in 0..<state.with({ $0.waiting.count }) {
            guard let (handler, letter) = next() else { break }
            handler(letter.message)
            letter.handled?()
        }
        // The handler may have been taken away: nobody is kept waiting for one.
        let released = state.with { state in
            guard state.handler == nil else { return [@Sendable () -> Void]() }
            let released = state.waiting.compactMap(\.handled)
            for index in state.waiting.indices { state.waiting[index].handled = nil }
            return released
        }
        for handled in released { handled() }
    }

    private func next() -> (Handler, Letter)? {
        state.with { state in
            guard let handler = state.handler, !state.waiting.isEmpty else { return nil }
            return (handler, state.waiting.removeFirst())
        }
    }
}
