import Synchronization

/// The lines between the simulated APNs and the phones that took a token from it.
final class DeviceLines: Sendable {
    /// Phones at most.
    static let limit = 10_000

    /// Where a request of a phone stands.
    enum Reading: Sendable {
        case pushes([DeviceMailbox.Item])
        /// No phone has the token, or it gave it up.
        case unknown
    }

    private struct Line {
        var mailbox = DeviceMailbox()
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

    /// Opens a line for the token.
    ///
    /// - Returns: `false` when there are too many.
    func open(_ token: String) -> Bool {
        state.withLock { state in
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
    func deliver(_ push: PackedPush) {
        let signal = state.withLock { state -> AsyncStream<Void>.Continuation? in
            guard !state.lines.isEmpty, let token = PackedPush.token(in: push.path),
                var line = state.lines.removeValue(forKey: token)
            else { return nil }
            line.mailbox.put(push, now: push.time, isRead: line.waiter != nil)
            let signal = line.waiter?.signal
            line.waiter = nil
            state.lines[token] = line
            return signal
        }
        signal?.finish()
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
