public import Foundation
import UserNotifications

/// What happened on a phone so far, and a way to wait for more.
public final class PhoneJournal: Sendable {
    /// Events kept; the oldest are dropped first.
    public static let limit = 10_000

    private struct Wait: Sendable {
        var id: Int
        var matches: @Sendable (PhoneEvent) -> Bool
        var answer: @Sendable (PhoneEvent?) -> Void
    }

    private struct State {
        var events: [PhoneEvent] = []
        var waits: [Wait] = []
        var followers: [Int: AsyncStream<PhoneEvent>.Continuation] = [:]
        var nextID = 1
    }

    private let state = Guarded(State())

    init() {}

    /// The events so far.
    public var events: [PhoneEvent] { state.read { $0.events } }

    /// What the app or its SDK did wrong so far.
    public var faults: [String] {
        events.compactMap { if case .fault(let what) = $0 { what } else { nil } }
    }

    func add(_ event: PhoneEvent) {
        let answered = state.write { state -> [Wait] in
            state.events.append(event)
            if state.events.count > Self.limit { state.events.removeFirst(Self.limit / 10) }
            let answered = state.waits.filter { $0.matches(event) }
            state.waits.removeAll { $0.matches(event) }
            // Under the lock, so that all who follow see the same order.
            for follower in state.followers.values { follower.yield(event) }
            return answered
        }
        for wait in answered { wait.answer(event) }
    }

    /// The events from now on. Who reads slower than they happen misses the oldest of those beyond ``limit``.
    public func follow() -> AsyncStream<PhoneEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PhoneEvent.self,
            bufferingPolicy: .bufferingNewest(Self.limit)
        )
        let id = state.write { state in
            state.nextID += 1
            state.followers[state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in self?.state.write { _ = $0.followers.removeValue(forKey: id) } }
        return stream
    }

    /// The first event that matches, of those that happened or of those to come.
    ///
    /// - Parameter seconds: how long to wait at most.
    /// - Returns: `nil` when the time was over.
    @discardableResult
    public func first(
        within seconds: TimeInterval = 30,
        where matches: @escaping @Sendable (PhoneEvent) -> Bool
    ) async -> PhoneEvent? {
        await withCheckedContinuation { (continuation: CheckedContinuation<PhoneEvent?, Never>) in
            let answer: @Sendable (PhoneEvent?) -> Void = { continuation.resume(returning: $0) }
            let (past, id) = state.write { state -> (PhoneEvent?, Int) in
                if let past = state.events.first(where: matches) { return (past, 0) }
                state.nextID += 1
                state.waits.append(Wait(id: state.nextID, matches: matches, answer: answer))
                return (nil, state.nextID)
            }
            if let past { return answer(past) }
            DispatchQueue.deadlines.asyncAfter(deadline: .now() + seconds) { [weak self] in
                let wait = self?.state.write { state in
                    let index = state.waits.firstIndex { $0.id == id }
                    return index.map { state.waits.remove(at: $0) }
                }
                wait?.answer(nil)
            }
        }
    }
}
