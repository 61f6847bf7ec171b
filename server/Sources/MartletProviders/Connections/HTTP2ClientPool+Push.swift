import MartletTransport
import NIOCore
import Synchronization

extension HTTP2ClientPool {
    /// Sends the requests of a push, and returns when each has its answer or will not be sent.
    ///
    /// When the task is cancelled, what is in flight has the grace period, and what was not sent fails as unprocessed.
    ///
    /// - Parameters:
    ///   - bodies: what makes each request's body, where the template has none for all.
    ///   - deadline: when requests without an answer are given up.
    ///   - mayBegin: whether the next request may begin; with the first no the rest is withdrawn.
    ///   - progress: that of so many requests.
    ///   - answer: called once for each request, with its number and whether the push was cancelled, from any thread.
    func send(
        _ requests: HTTP2Burst.Builder,
        bodies: (@Sendable (Int) -> [UInt8])?,
        deadline: NIODeadline,
        grace: Duration,
        isUrgent: Bool,
        mayBegin: @escaping @Sendable () -> Bool,
        progress: PushProgress,
        answer: @escaping @Sendable (_ position: Int, _ answer: HTTP2Answer, _ isWithdrawn: Bool) -> Void
    ) async {
        let isWithdrawn = Atomic(false)
        let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let asked: @Sendable () -> Bool = {
            if !mayBegin() { isWithdrawn.store(true, ordering: .releasing) }
            return !isWithdrawn.load(ordering: .acquiring)
        }
        let burst = requests.build(deadline: deadline, isUrgent: isUrgent, bodies: bodies, mayBegin: asked) {
            position,
            received in
            if case .response(let response) = received { progress.note(answerTime: response.duration.nanoseconds) }
            answer(position, received, isWithdrawn.load(ordering: .acquiring))
            if progress.finish() { waiter.withLock { $0.take() }?.resume() }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.withLock { $0 = continuation }
                send(burst)
                // A task cancelled before it came here has called its handler before the requests were there.
                if isWithdrawn.load(ordering: .acquiring) { withdraw(burst) }
            }
        } onCancel: {
            isWithdrawn.store(true, ordering: .releasing)
            withdraw(burst)
            // Not a child: the task that would be its parent has been cancelled. It ends with the grace period.
            Task {
                try? await Task.sleep(for: grace)
                cancel(burst)
            }
        }
    }
}
