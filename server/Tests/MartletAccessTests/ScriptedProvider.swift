import MartletCore
import Synchronization

@testable import MartletHTTP

/// A provider whose answers a test chooses, and which can be held up.
final class ScriptedProvider: Sendable {
    private struct State {
        var answer: KeySet?
        var fetches = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var isHeld = false
        var arrivals: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Mutex(State())

    var fetches: Int { state.withLock { $0.fetches } }

    func answer(with keys: KeySet?) { state.withLock { $0.answer = keys } }

    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let held = state.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Returns when so many fetches are held up.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let areThere = state.withLock { state in
                if state.held.count < count { state.arrivals.append((count, continuation)) }
                return state.held.count >= count
            }
            if areThere { continuation.resume() }
        }
    }

    func fetch() async throws -> KeySet {
        await withCheckedContinuation { continuation in
            let (goesOn, arrived) = state.withLock { state in
                state.fetches += 1
                guard state.isHeld else { return (true, [CheckedContinuation<Void, Never>]()) }
                state.held.append(continuation)
                let there = state.held.count
                defer { state.arrivals.removeAll { $0.count <= there } }
                return (false, state.arrivals.filter { $0.count <= there }.map(\.continuation))
            }
            for arrival in arrived { arrival.resume() }
            if goesOn { continuation.resume() }
        }
        guard let answer = state.withLock({ $0.answer }) else { throw FetchError.unreachable }
        return answer
    }
}
