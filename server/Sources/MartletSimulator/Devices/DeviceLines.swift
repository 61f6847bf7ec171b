import Synchronization

/// The lines between a simulated service and the phones that took a token from it.
final class DeviceLines<Message: WaitingMessage>: Sendable {
    /// Phones at most.
    static var limit: Int { 10_000 }

    /// Where a request of a phone stands.
    enum Reading: Sendable {
        case pushes([Mailbox<Message>.Item])
        /// No phone has the token, or it gave it up.
        case unknown
    }

    private struct Line {
        var mailbox = Mailbox<Message>()
        /// The request that waits for an answer: one for each phone.
        var waiter: Waiter?
    }

    private struct Waiter {
        var id: Int
        var signal: AsyncStream<Void>.Continuation
    }

    private struct State {
        var lines: [String: Line] = [:]
        var nextWaiter = 1
    }

    private let state = Mutex(State())

    /// Opens a line for the token; one that is open stays as it is.
    ///
    /// - Returns: `false` when there are too many.
    func open(_ token: String) -> Bool {
        state.withLock { state in
            if state.lines[token] != nil { return true }
            guard state.lines.count < Self.limit else { return false }
            state.lines[token] = Line()
            return true
        }
    }

    /// Ends a line and the request that waits on it.
    ///
    /// - Returns: `false` when there was none.
    func close(_ token: String) -> Bool {
        let line = state.withLock { $0.lines.removeValue(forKey: token) }
        line?.waiter?.signal.finish()
        return line != nil
    }

    /// Hands an accepted push to its phone, if it is one of these.
    ///
    /// - Parameters:
    ///   - token: asked for only when there is a phone at all.
    ///   - isOn: whether the phone is known to be reached now, without a request that waits.
    func deliver(_ push: Message, to token: @autoclosure () -> String?, now: Int64, isOn: Bool = false) {
        let signal = state.withLock { state -> AsyncStream<Void>.Continuation? in
            guard !state.lines.isEmpty, let token = token(), var line = state.lines.removeValue(forKey: token) else {
                return nil
            }
            line.mailbox.put(push, now: now, isRead: isOn || line.waiter != nil)
            let signal = line.waiter?.signal
            line.waiter = nil
            state.lines[token] = line
            return signal
        }
        signal?.finish()
    }

    /// Reads or changes what waits on a line; `nil` when there is none.
    func withMailbox<Result: Sendable>(of token: String, _ body: (inout Mailbox<Message>) -> Result) -> Result? {
        state.withLock { state in
            guard var line = state.lines.removeValue(forKey: token) else { return nil }
            defer { state.lines[token] = line }
            return body(&line.mailbox)
        }
    }

    /// Forgets what waits for every phone; the lines stay.
    func removeWaiting() {
        state.withLock { state in
            for token in state.lines.keys { state.lines[token]?.mailbox.removeAll() }
        }
    }

    /// The pushes numbered above `after`, once there are any or the time is up. A newer request of the same phone
    /// ends an older one.
    func read(
        _ token: String,
        after: Int,
        limit: Int,
        wait: Duration,
        clock: SimulatorClock
    ) async -> Reading {
        let (stream, signal) = AsyncStream<Void>.makeStream()
        let first = state.withLock { state -> (reading: Reading, waiter: Int?, older: Waiter?) in
            guard var line = state.lines.removeValue(forKey: token) else { return (.unknown, nil, nil) }
            defer { state.lines[token] = line }
            let pushes = line.mailbox.take(after: after, limit: limit, now: clock.now())
            if !pushes.isEmpty || wait <= .zero { return (.pushes(pushes), nil, nil) }
            let older = line.waiter
            let id = state.nextWaiter
            state.nextWaiter += 1
            line.waiter = Waiter(id: id, signal: signal)
            return (.pushes([]), id, older)
        }
        first.older?.signal.finish()
        guard let waiter = first.waiter else { return first.reading }
        let timer = Task {
            try await Task.sleep(for: wait)
            signal.finish()
        }
        for await _ in stream {}
        timer.cancel()
        return state.withLock { state in
            guard var line = state.lines.removeValue(forKey: token) else { return .unknown }
            defer { state.lines[token] = line }
            if line.waiter?.id == waiter { line.waiter = nil }
            return .pushes(line.mailbox.take(after: after, limit: limit, now: clock.now()))
        }
    }
}
