/// Lets a script wait for what happens. Each wait takes one event, so that the second 'wait shown' is for the
/// second notification, whether it shows before or after the script comes to it.
@MainActor
final class EventWaits {
    private struct Waiter {
        var id: Int
        var what: SessionEvent.What
        var answer: CheckedContinuation<Bool, Never>
    }

    private var untaken: [SessionEvent.What: Int] = [:]
    private var waiters: [Waiter] = []
    private var nextID = 0

    /// Something happened.
    func note(_ what: SessionEvent.What) {
        guard let index = waiters.firstIndex(where: { $0.what == what }) else {
            return untaken[what, default: 0] += 1
        }
        waiters.remove(at: index).answer.resume(returning: true)
    }

    /// Waits for one that no other wait has taken.
    ///
    /// - Returns: `false` when the time was over first.
    func wait(for what: SessionEvent.What, seconds: Int) async -> Bool {
        if let count = untaken[what], count > 0 {
            untaken[what] = count - 1
            return true
        }
        nextID += 1
        let id = nextID
        let clock = Task { [weak self] in
            try await Task.sleep(for: .seconds(seconds))
            self?.giveUp(id)
        }
        defer { clock.cancel() }
        return await withCheckedContinuation { waiters.append(Waiter(id: id, what: what, answer: $0)) }
    }

    private func giveUp(_ id: Int) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).answer.resume(returning: false)
    }
}
