package import Foundation
import UserNotifications

/// The answer that the system waits for from an app: given once, or not in time.
///
/// Calls beyond the first do not count; each is told.
final class Deadline<Answer: Sendable>: Sendable {
    private struct State {
        var calls = 0
        var isOver = false
        var continuation: CheckedContinuation<Answer?, Never>?
        var early: Answer?
    }

    private let state = Guarded(State())
    private let again: @Sendable () -> Void

    /// - Parameter again: called when the app answers a second time.
    init(again: @escaping @Sendable () -> Void) {
        self.again = again
    }

    /// The app answers.
    func answer(_ answer: Answer) {
        let (isSecond, continuation) = state.write { state -> (Bool, CheckedContinuation<Answer?, Never>?) in
            state.calls += 1
            if state.calls > 1 { return (true, nil) }
            if state.isOver { return (false, nil) }
            state.isOver = true
            state.early = answer
            defer { state.continuation = nil }
            return (false, state.continuation)
        }
        if isSecond { again() }
        continuation?.resume(returning: answer)
    }

    /// The app's answer; `nil` when the time was over first.
    ///
    /// - Parameter after: calls something when the seconds are over.
    func wait(seconds: TimeInterval, after: DeadlineTimer = DispatchQueue.afterDeadline) async -> Answer? {
        await withCheckedContinuation { continuation in
            let (isOver, early) = state.write { state -> (Bool, Answer?) in
                if state.isOver { return (true, state.early) }
                state.continuation = continuation
                return (false, nil)
            }
            if isOver { return continuation.resume(returning: early) }
            after(seconds) { [weak self] in self?.expire() }
        }
    }

    private func expire() {
        let continuation = state.write { state -> CheckedContinuation<Answer?, Never>? in
            guard !state.isOver else { return nil }
            state.isOver = true
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: nil)
    }
}

/// Calls something when so many seconds are over.
package typealias DeadlineTimer = @Sendable (_ seconds: TimeInterval, _ over: @escaping @Sendable () -> Void) -> Void

extension DispatchQueue {
    /// Where deadlines of phones come due; nothing on it blocks.
    static let deadlines = DispatchQueue(label: "martlet.phone.deadlines")
    /// The real time.
    static let afterDeadline: DeadlineTimer = { deadlines.asyncAfter(deadline: .now() + $0, execute: $1) }
}
