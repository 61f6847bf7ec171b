import Synchronization

/// How far the sending of a batch has come that has no task of its own, and who goes on with it.
final class InlinePhase: Sendable {
    private enum Phase {
        case sending
        /// All answers are there, and a commit is under way with them.
        case recording
        /// All answers are there, and a task has to record them.
        case unrecorded
        case recorded
    }

    private struct State {
        var phase = Phase.sending
        var isGivenToTask = false
        var isCancelled = false
        var cancel: (@Sendable () -> Void)?
        /// The task, while it waits for the next phase.
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Keeps what cancels it while it is sent: that holds the requests, and they hold this.
    func note(_ cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            guard state.phase == .sending else { return false }
            state.cancel = cancel
            return state.isCancelled
        }
        if isCancelled { cancel() }
    }

    /// Notes that all answers are there; says whether it is for the caller to record them.
    func answer() -> Bool { leave(for: .recording) }

    /// Notes that it was not begun; says whether it is for the caller to go on with it.
    func notBegun() -> Bool { leave(for: .recorded) }

    /// Notes what became of the commit.
    func noteCommit(isRecorded: Bool) {
        let waiter = state.withLock { state in
            state.phase = isRecorded ? .recorded : .unrecorded
            return state.waiter.take()
        }
        waiter?.resume()
    }

    private func leave(for phase: Phase) -> Bool {
        let (isForTask, waiter) = state.withLock { state in
            state.phase = state.isGivenToTask ? .unrecorded : phase
            state.cancel = nil
            return (state.isGivenToTask, state.waiter.take())
        }
        waiter?.resume()
        return !isForTask
    }

    /// Has a task go on with it; says whether it has something to do. A commit is waited for at the end of the process alone.
    func giveToTask(isStopping: Bool) -> Bool {
        state.withLock { state in
            let isItsOwn = state.phase == .recorded || state.phase == .recording && !isStopping
            guard !isItsOwn, !state.isGivenToTask else { return false }
            state.isGivenToTask = true
            return true
        }
    }

    /// Waits for the commit that is under way, if one is; says whether there is something left to record.
    func isUnrecorded() async -> Bool { await end(of: .recording) != .recorded }

    /// Returns when all answers are there. A task that is cancelled cancels the sending.
    func untilAnswered() async { _ = await end(of: .sending) }

    private func end(of phase: Phase) async -> Phase {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = state.withLock { state in
                    if state.phase == phase { state.waiter = waiter }
                    return state.phase != phase
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            let cancel = state.withLock { state in
                state.isCancelled = true
                return state.cancel
            }
            cancel?()
        }
        return state.withLock(\.phase)
    }
}
