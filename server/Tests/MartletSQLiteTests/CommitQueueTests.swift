import Dispatch
import MartletCore
import MartletTesting
import MartletWire
import Synchronization
import Testing

@testable import MartletStore

/// What the queue does with an engine that is not SQLite.
@Suite struct CommitQueueTests {
    private struct Lost: Error {}

    /// A connection whose COMMIT has no answer, or that somebody is always in the way of.
    private final class Connection: SQLWriterConnection {
        let losesCommits: Bool

        init(losesCommits: Bool) { self.losesCommits = losesCommits }

        func prepare(_ sql: String) throws -> Statement { throw Lost() }
        func makeStatement(_ sql: String) throws -> any SQLStatement { throw Lost() }
        func begin(_ isolation: Isolation) throws {}
        func commit() throws { if losesCommits { throw Lost() } }
        func rollBack() {}
        var isInTransaction: Bool { true }
        func execute(_ sql: String) throws {}
        func failure(_ error: any Error) -> CommitFailure? { nil }
        func mayRunAgain(after error: any Error) -> Bool { !losesCommits && error is Lost }
        func mayHaveCommitted(after error: any Error) -> Bool { losesCommits && error is Lost }
    }

    /// A thread that begins when the test says so, and goes on from then on.
    private final class Writer: SQLWriter {
        private typealias Body = @Sendable (any SQLWriterConnection) -> Void

        let losesCommits: Bool
        private let state = Mutex<(hasBegun: Bool, waiting: Body?)>((false, nil))

        init(losesCommits: Bool) { self.losesCommits = losesCommits }

        func onThread(_ body: @escaping @Sendable (any SQLWriterConnection) -> Void) {
            let hasBegun = state.withLock { state in
                if !state.hasBegun { state.waiting = body }
                return state.hasBegun
            }
            if hasBegun { run(body) }
        }

        /// Whether a body waits for it to begin.
        var isAsked: Bool { state.withLock { $0.waiting != nil } }

        func begin() {
            let body = state.withLock { state in
                state.hasBegun = true
                return state.waiting.take()
            }
            if let body { run(body) }
        }

        private func run(_ body: @escaping @Sendable (any SQLWriterConnection) -> Void) {
            DispatchQueue.global().async { [losesCommits] in body(Connection(losesCommits: losesCommits)) }
        }
    }

    @Test("a group whose commit may have been made is not run again: its result is unknown")
    func lostCommit() async throws {
        let runs = Mutex(0)
        let results = await together(losesCommits: true) { _ in runs.withLock { $0 += 1 } }
        #expect(results.allSatisfy { $0 is Lost })
        #expect(runs.withLock { $0 } == 2)
    }

    @Test("a write that others are always in the way of fails alone")
    func lastingConflict() async throws {
        let results = await together(losesCommits: false) { if $0 == 1 { throw Lost() } }
        #expect(results[0] == nil)
        #expect(results[1] is Lost)
    }

    @Test("what is urgent is written first, in its order")
    func urgentFirst() async throws {
        let order = try await ordered { add in
            for name in ["a", "b"] { add(name, false) {} }
            for name in ["login", "code"] { add(name, true) {} }
        }
        #expect(order == ["login", "code", "a", "b"])
    }

    @Test("a long group ends for what is urgent, and what had no time goes on after it, in a group that does not end")
    func urgentMeanwhile() async throws {
        let (runs, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let takesLong: @Sendable () -> Void = {
            runs.signal()
            _ = release.wait(timeout: .now() + 60)
            let begin = ContinuousClock.now
            while ContinuousClock.now < begin + .milliseconds(5) {}
        }
        let order = try await ordered { add in
            for name in ["a", "b"] { add(name, false, takesLong) }
            add("c", false) {}
        } meanwhile: { add in
            for name in ["login", "code"] {
                runs.wait()
                add(name, true) {}
                release.signal()
            }
        }
        #expect(order == ["a", "login", "b", "c", "code"])
    }

    @Test("urgent writes of a group that ended go before those that came later")
    func urgentInOrder() async throws {
        let (runs, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let order = try await ordered { add in
            add("first", true) {
                runs.signal()
                _ = release.wait(timeout: .now() + 60)
                let begin = ContinuousClock.now
                while ContinuousClock.now < begin + .milliseconds(5) {}
            }
            add("second", true) {}
            add("a", false) {}
        } meanwhile: { add in
            runs.wait()
            add("third", true) {}
            release.signal()
        }
        #expect(order == ["first", "second", "third", "a"])
    }

    @Test("what nobody waits for shares the commit of what comes next, and has its own soon where nothing comes")
    func soon() async throws {
        let writer = Writer(losesCommits: false)
        let reports = Mutex<[Int]>([])
        let queue = CommitQueue(writer: writer, clock: ManualClock(), limit: 1_000) { report in
            reports.withLock { $0.append(report.writes) }
        }
        writer.begin()
        let answers = DispatchGroup()
        // Nothing else comes: the timer has them written, together.
        for _ in 0..<3 {
            answers.enter()
            queue.add(.soon, { _ in }, answer: { _ in answers.leave() })
        }
        await answers.all()
        #expect(reports.withLock { $0 } == [3])
        // Somebody comes who waits.
        queue.add(.soon, { _ in }, answer: { _ in })
        try await queue.write { _ in }
        #expect(reports.withLock { $0 } == [3, 2])
        // What waits is written before the queue is closed.
        queue.add(.soon, { _ in }, answer: { _ in })
        await queue.close()
        #expect(reports.withLock { $0 } == [3, 2, 1])
    }

    @Test("only writes of one isolation share a commit; those that are passed over keep their order")
    func isolations() async throws {
        let writer = Writer(losesCommits: false)
        let order = Mutex<[Int]>([])
        let reports = Mutex<[Int]>([])
        let queue = CommitQueue(writer: writer, clock: ManualClock(), limit: 10) { report in
            reports.withLock { $0.append(report.writes) }
        }
        for (number, isolation) in [Isolation.snapshot, .alone, .snapshot, .serial, .alone, .serial].enumerated() {
            queue.add(.next, isolation: isolation, { _ in order.withLock { $0.append(number) } }, answer: { _ in })
        }
        writer.begin()
        await queue.close()
        #expect(order.withLock { $0 } == [0, 2, 1, 4, 3, 5])
        #expect(reports.withLock { $0 } == [2, 2, 2])
    }

    @Test("half a group that nobody waits for is written at once")
    func manySoon() async throws {
        let writer = Writer(losesCommits: false)
        let queue = CommitQueue(writer: writer, clock: ManualClock(), limit: 1_000, observer: nil)
        let half = CommitQueue.groupLimit / 2
        for _ in 1..<half { queue.add(.soon, { _ in }, answer: { _ in }) }
        // The writer has not begun: it keeps what it is asked for.
        #expect(!writer.isAsked)
        queue.add(.soon, { _ in }, answer: { _ in })
        #expect(writer.isAsked)
        writer.begin()
        await queue.close()
    }

    private typealias Add = (String, Bool, @escaping @Sendable () -> Void) -> Void

    /// The order in which writes run that wait when the thread begins, and those that come meanwhile. All on a thread of
    /// its own: tasks may wait for a minute where other tests have all threads.
    private func ordered(
        _ before: @escaping @Sendable (Add) -> Void,
        meanwhile: @escaping @Sendable (Add) -> Void = { _ in }
    ) async throws -> [String] {
        try await blocking {
            let writer = Writer(losesCommits: false)
            let queue = CommitQueue(writer: writer, clock: ManualClock(), limit: 10, observer: nil)
            let order = Mutex<[String]>([])
            let answers = DispatchGroup()
            let add: Add = { name, isUrgent, body in
                answers.enter()
                queue.add(isUrgent ? .urgent : .next) { _ in
                    body()
                    order.withLock { $0.append(name) }
                } answer: { _ in
                    answers.leave()
                }
            }
            before(add)
            writer.begin()
            meanwhile(add)
            answers.wait()
            return order.withLock { $0 }
        }
    }

    /// The errors of two writes that share a group.
    private func together(
        losesCommits: Bool,
        _ body: @escaping @Sendable (Int) throws -> Void
    ) async -> [(any Error)?] {
        let writer = Writer(losesCommits: losesCommits)
        let queue = CommitQueue(writer: writer, clock: ManualClock(), limit: 10, observer: nil)
        let errors = Mutex<[(any Error)?]>([nil, nil])
        let answers = DispatchGroup()
        for index in 0..<2 {
            answers.enter()
            queue.add(.next) { _ in
                try body(index)
            } answer: { result in
                if case .failure(let error) = result { errors.withLock { $0[index] = error } }
                answers.leave()
            }
        }
        writer.begin()
        await answers.all()
        return errors.withLock { $0 }
    }
}

extension DispatchGroup {
    /// Returns when all that entered have left.
    fileprivate func all() async {
        await withCheckedContinuation { done in notify(queue: .global()) { done.resume() } }
    }
}
