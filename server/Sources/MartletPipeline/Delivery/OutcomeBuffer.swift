import MartletCore
import Synchronization

/// Where a provider's answers for one batch arrive, from any thread, until a checkpoint takes them out. It never holds
/// more than the batch has members.
final class OutcomeBuffer: Sendable {
    /// One answer.
    struct Arrival: Sendable {
        /// Which send.
        var index: Int
        /// What the provider said.
        var outcome: Outcome
    }

    private struct State {
        var arrived: [Arrival] = []
        var isAnswered: [Bool]
    }

    private let state: Mutex<State>

    /// An buffer for that many sends.
    init(count: Int) {
        state = Mutex(State(isAnswered: Array(repeating: false, count: count)))
    }

    /// Takes an answer in; a second one for the same send is dropped.
    func put(_ index: Int, _ outcome: Outcome) {
        state.withLock { state in
            guard state.isAnswered.indices.contains(index), !state.isAnswered[index] else { return }
            state.isAnswered[index] = true
            state.arrived.append(Arrival(index: index, outcome: outcome))
        }
    }

    /// What a buffer held.
    struct Contents: Sendable {
        /// The answers, in the order of their sends, in which they are recorded.
        var arrived: [Arrival]
        /// The sends that have no answer yet.
        var unanswered: [Int]
    }

    /// Takes out what has arrived, and says which sends have no answer yet.
    func take() -> Contents {
        state.withLock { state in
            defer { state.arrived.removeAll() }
            return Contents(
                arrived: state.arrived.sorted { $0.index < $1.index },
                unanswered: state.isAnswered.indices.filter { !state.isAnswered[$0] }
            )
        }
    }

    /// Says that sends are to stay in the batch although they were answered.
    func reopen(_ indices: [Int]) {
        state.withLock { state in
            for index in indices { state.isAnswered[index] = false }
        }
    }

    /// Puts back what could not be recorded.
    func putBack(_ arrivals: [Arrival]) {
        state.withLock { $0.arrived.insert(contentsOf: arrivals, at: 0) }
    }
}
