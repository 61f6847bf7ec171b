import UserNotifications

/// Whether an app's process is alive. A process that was killed writes, sends and hears nothing more, although its
/// tasks go on here.
package final class ProcessGate: Sendable {
    private struct State {
        var isOpen = true
        var isSuspended = false
        var waiting: [@Sendable () -> Void] = []
        var onClose: [@Sendable () -> Void] = []
    }

    private let state = Guarded(State())

    package init() {}

    package var isOpen: Bool { state.read { $0.isOpen } }

    /// Does something that a dead process does not do: nothing of it comes after what its successor reads.
    ///
    /// - Returns: whether it was done.
    package func whileOpen(_ body: () -> Bool) -> Bool {
        state.write { $0.isOpen && body() }
    }

    /// The process stops where it is: nothing of it reaches the network until it goes on.
    func suspend() {
        state.write { $0.isSuspended = true }
    }

    /// The process goes on.
    func resume() {
        let waiting = state.write { state in
            state.isSuspended = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for action in waiting { action() }
    }

    var isSuspended: Bool { state.read { $0.isSuspended } }

    /// Returns when the process runs, or has ended.
    func waitUntilRunning() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isRunning = state.write { state in
                if state.isSuspended, state.isOpen { state.waiting.append { continuation.resume() } }
                return !state.isSuspended || !state.isOpen
            }
            if isRunning { continuation.resume() }
        }
    }

    /// Ends the process.
    package func close() {
        let actions = state.write { state in
            state.isOpen = false
            defer { (state.onClose, state.waiting) = ([], []) }
            return state.onClose + state.waiting
        }
        for action in actions { action() }
    }

    /// Runs the closure when the process ends; at once when it has.
    package func whenClosed(_ action: @escaping @Sendable () -> Void) {
        let isOpen = state.write { state in
            if state.isOpen { state.onClose.append(action) }
            return state.isOpen
        }
        if !isOpen { action() }
    }
}
