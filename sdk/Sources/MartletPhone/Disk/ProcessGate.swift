import UserNotifications

/// Whether an app's process is alive. A process that was killed writes, sends and hears nothing more, although its
/// tasks go on here.
package final class ProcessGate: Sendable {
    private struct State {
        var isOpen = true
        var onClose: [@Sendable () -> Void] = []
    }

    private let state = Guarded(State())

    package init() {}

    package var isOpen: Bool { state.read { $0.isOpen } }

    /// Ends the process.
    package func close() {
        let actions = state.write { state in
            state.isOpen = false
            defer { state.onClose = [] }
            return state.onClose
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
