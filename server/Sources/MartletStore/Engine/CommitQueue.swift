import Foundation
package import MartletCore
import MartletWire
import Synchronization

/// The one connection of an engine that writes, with a thread of its own.
package protocol SQLWriter: Sendable {
    /// Runs `body` on the writer's thread.
    func onThread(_ body: @escaping @Sendable (any SQLWriterConnection) -> Void)
}

/// What writes shares transactions through. Used on the writer's thread alone.
package protocol SQLWriterConnection: SQLConnection {
    /// Begins a transaction.
    func begin(_ isolation: Isolation) throws
    /// Makes it durable.
    func commit() throws
    /// Takes it back, if there is one.
    func rollBack()
    /// Whether a transaction is open in which statements can be run after an error, once a savepoint is gone back to.
    var isInTransaction: Bool { get }
    /// Runs a statement without parameters.
    func execute(_ sql: String) throws
    /// What an error says about the database; `nil` when it is about what was to be written.
    func failure(_ error: any Error) -> CommitFailure?
    /// Whether the same transaction may succeed when it is run again from its beginning.
    func mayRunAgain(after error: any Error) -> Bool
    /// Whether it is unknown if the transaction was committed: running it again might write everything twice.
    func mayHaveCommitted(after error: any Error) -> Bool
}

/// The one way in which anything is written: a bounded queue whose writes share transactions.
///
/// While one commit is under way the next writes gather; then they run one after the other in one transaction, and all
/// callers are answered after the commit. One that fails takes back what it wrote and fails no other. A caller that is
/// cancelled while it waits is still answered with the result of its write.
package final class CommitQueue: Sendable {
    /// Tells a caller the result of its write.
    private typealias Answer = @Sendable () -> Void

    /// When a write has its turn.
    package enum Turn: Sendable {
        /// Before those that wait and are not urgent: a person waits for it.
        case urgent
        /// As soon as the writer is free.
        case next
        /// With whatever comes within ``CommitQueue/soon``: nobody waits for it.
        case soon
    }

    /// Asks with ``Statement/ask()`` what a write will read, before it runs: an engine that is elsewhere answers the
    /// questions of all writes of a commit at once. It is called again, with a number one higher, while any of them asks:
    /// then it has the answers to what it asked before. It writes nothing that its write would not.
    package typealias Questions = @Sendable (Transaction, Int) throws -> Void

    private struct Write: Sendable {
        var isolation: Isolation
        var questions: Questions?
        /// Writes, and says how to answer once that is durable. It may run twice, the first time rolled back.
        var perform: @Sendable (Transaction) throws -> Answer
        var fail: @Sendable (any Error) -> Void
        var turn: Turn
    }

    private struct State {
        /// Those that are urgent first.
        var waiting: [Write] = []
        /// How many of them are.
        var urgentCount = 0
        /// How many of them nobody waits for.
        var soonCount = 0
        /// Whether a timer runs that has these written.
        var hasTimer = false
        /// Whether it has run out.
        var isDue = false
        var isDraining = false
        var isClosed = false
        var drained: [CheckedContinuation<Void, Never>] = []
        /// Why the last commit was lost, and when.
        var failed: (kind: CommitFailure, at: ContinuousClock.Instant)?

        /// Whether there is something to write now.
        var isAnyDue: Bool { waiting.count > soonCount || isDue || isClosed || soonCount >= CommitQueue.groupLimit / 2 }

        /// Takes the first writes with the isolation of the first one; what is passed over keeps its place.
        mutating func takeGroup() -> [Write] {
            let isolation = waiting.first?.isolation
            var group: [Write] = []
            var left: [Write] = []
            for write in waiting {
                if group.count < CommitQueue.groupLimit, write.isolation == isolation {
                    group.append(write)
                } else {
                    left.append(write)
                }
            }
            waiting = left
            urgentCount -= group.count { $0.turn == .urgent }
            soonCount -= group.count { $0.turn == .soon }
            isDue = isDue && soonCount > 0
            return group
        }
    }

    /// How many writes share a commit at most: more would save little of the commit and delay the first ones' answers.
    package static let groupLimit = 512

    /// For how long a write waits for others at most that nobody waits for, beyond the commit that is under way. Ours: what a
    /// crash may repeat is what was answered in this time and two commits, and those of a busy server come more often anyway.
    static let soon: Duration = .milliseconds(20)

    /// For how long writes run at most in one transaction while an urgent one waits for the next. Ours: about what a commit
    /// takes.
    private static let timeout: Duration = .milliseconds(2)

    /// How many writes shared the last commit when it is worth waiting for as many siblings again. Ours: a commit writes
    /// the same dozen pages for one write as for fifty.
    private static let siblings = 4

    /// The group-commit delay: how long is waited at a time while more writes come, in microseconds, and how often at most;
    /// two milliseconds in all, a few times what a commit takes.
    private static let delay: (microseconds: UInt32, most: Int) = (250, 8)

    private let writer: any SQLWriter
    private let clock: any WallClock
    private let limit: Int
    private let keys = NotificationIDs()
    /// Which rows of counts are this writer's. Ours: so many that no two draw the same.
    private let slot = Int64.random(in: 0..<1 << 31)
    private let observer: (@Sendable (CommitReport) -> Void)?
    private let failureObserver: (@Sendable (CommitFailure) -> Void)?
    private let state = Mutex(State())

    /// How often a transaction is run again that others were in the way of. Ours: by then they have been in the way for a
    /// second or two.
    private static let attempts = 10

    /// A queue in front of a writer; `limit` is how many writes may wait.
    package init(
        writer: any SQLWriter,
        clock: any WallClock,
        limit: Int,
        observer: (@Sendable (CommitReport) -> Void)?,
        failureObserver: (@Sendable (CommitFailure) -> Void)? = nil
    ) {
        self.writer = writer
        self.clock = clock
        self.limit = limit
        self.observer = observer
        self.failureObserver = failureObserver
    }

    /// Runs a write and returns when it is durable.
    ///
    /// - Parameters:
    ///   - isUrgent: whether it goes before those that wait and are not: a person waits for it.
    ///   - isolation: what it is kept apart from; only writes with the same share a transaction.
    ///   - questions: asks what `body` will read.
    ///   - body: writes through the transaction and does nothing else, because it may run a second time.
    /// - Throws: what `body` throws, and then nothing of it is written; `Failure` with `overloaded` when the queue or the
    ///   disk is full or another process holds the database; the database's error, when the commit fails otherwise.
    package func write<Value: Sendable>(
        isUrgent: Bool = false,
        isolation: Isolation = .serial,
        questions: Questions? = nil,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { answer in
            add(isUrgent ? .urgent : .next, isolation: isolation, questions: questions, body) {
                answer.resume(with: $0)
            }
        }
    }

    /// Has a write wait for its turn, and returns at once: the same as ``write(isUrgent:isolation:questions:_:)`` but for how it answers.
    package func add<Value: Sendable>(
        _ turn: Turn,
        isolation: Isolation = .serial,
        questions: Questions? = nil,
        _ body: @escaping @Sendable (Transaction) throws -> Value,
        answer: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let write = Write(
            isolation: isolation,
            questions: questions,
            perform: { transaction in
                let value = try body(transaction)
                return { answer(.success(value)) }
            },
            fail: { answer(.failure($0)) },
            turn: turn
        )
        enqueue(write)
    }

    /// How many writes wait for the next commit that somebody waits for.
    package var waitingCount: Int { state.withLock { $0.waiting.count - $0.soonCount } }

    /// What the database refuses writes with, by the last of them; `nil` where that was written. Forgotten after
    /// ``refusalLimit``: where nobody comes who writes, nobody would find out that it is over.
    package var refusal: Failure? {
        state.withLock { state in
            guard let failed = state.failed, failed.at + Self.refusalLimit > .now else { return nil }
            return failed.kind.refusal
        }
    }

    /// For how long one write speaks for others. Ours: what asks whether a server is ready asks a few times in it.
    private static let refusalLimit: Duration = .seconds(15)

    /// Takes no more writes and returns when all that wait are answered.
    package func close() async {
        await withCheckedContinuation { (drained: CheckedContinuation<Void, Never>) in
            let isIdle = state.withLock { state in
                state.isClosed = true
                if state.isDraining || !state.waiting.isEmpty { state.drained.append(drained) }
                return !state.isDraining && state.waiting.isEmpty
            }
            if isIdle { drained.resume() } else { startIfDue() }
        }
    }

    private enum Admission {
        case waits
        case waitsForTimer
        case starts
        case full
        case closed
    }

    private func enqueue(_ write: Write) {
        let admission = state.withLock { state -> Admission in
            guard !state.isClosed else { return .closed }
            guard state.waiting.count < limit else { return .full }
            switch write.turn {
            case .urgent:
                state.waiting.insert(write, at: state.urgentCount)
                state.urgentCount += 1
            case .next: state.waiting.append(write)
            case .soon:
                state.waiting.append(write)
                state.soonCount += 1
            }
            guard !state.isDraining else { return .waits }
            guard state.isAnyDue else {
                defer { state.hasTimer = true }
                return state.hasTimer ? .waits : .waitsForTimer
            }
            state.isDraining = true
            return .starts
        }
        switch admission {
        case .waits: break
        case .waitsForTimer: startTimer()
        case .starts: writer.onThread { [self] in drain($0) }
        case .full:
            let message = "More than \(limit) writes wait for the database."
            write.fail(Failure(.overloaded, message, hint: "Send the request again in a few seconds."))
        case .closed: write.fail(Failure(.overloaded, "The server is shutting down."))
        }
    }

    /// Has what nobody waits for written in time.
    private func startTimer() {
        Task { [self] in
            try? await Task.sleep(for: CommitQueue.soon)
            state.withLock { state in
                state.hasTimer = false
                state.isDue = state.soonCount > 0
            }
            startIfDue()
        }
    }

    private func startIfDue() {
        let starts = state.withLock { state in
            guard !state.isDraining, !state.waiting.isEmpty, state.isAnyDue else { return false }
            state.isDraining = true
            return true
        }
        if starts { writer.onThread { [self] in drain($0) } }
    }

    private func drain(_ connection: any SQLWriterConnection) {
        var last = 0
        // A group that was ended early is followed by one that is not: however much is urgent, all else goes on.
        var mayEnd = true
        while true {
            if last >= CommitQueue.siblings { waitForSiblings(last) }
            guard let group = nextGroup() else { return }
            mayEnd = commit(group, mayEnd: mayEnd, on: connection) || !mayEnd
            last = group.count
        }
    }

    /// Returns when as many wait as shared the last commit, or when no more come. The thread is the writer's own.
    private func waitForSiblings(_ count: Int) {
        var waiting = state.withLock(\.waiting.count)
        for _ in 0..<CommitQueue.delay.most where waiting < count {
            usleep(CommitQueue.delay.microseconds)
            let now = state.withLock(\.waiting.count)
            guard now > waiting else { return }
            waiting = now
        }
    }

    private func nextGroup() -> [Write]? {
        let (group, drained, needsTimer) = state.withLock { state in
            guard !state.waiting.isEmpty, state.isAnyDue else {
                state.isDraining = false
                defer { state.drained = [] }
                let needsTimer = !state.waiting.isEmpty && !state.hasTimer
                if needsTimer { state.hasTimer = true }
                return (nil as [Write]?, state.drained, needsTimer)
            }
            return (state.takeGroup(), [], false)
        }
        for waiter in drained { waiter.resume() }
        if needsTimer { startTimer() }
        return group
    }

    /// Says whether the whole group had its turn.
    private func commit(_ group: [Write], mayEnd: Bool, on connection: any SQLWriterConnection) -> Bool {
        let start = ContinuousClock.now
        do {
            let answers = try transact(group, mayEnd: mayEnd, on: connection)
            state.withLock { $0.failed = nil }
            observer?(CommitReport(writes: answers.count, duration: ContinuousClock.now - start))
            putBack(group[answers.count...])
            for answer in answers { answer() }
            return answers.count == group.count
        } catch {
            let failure = noted(error, connection)
            for write in group { write.fail(failure) }
            return true
        }
    }

    /// Tells the observer of an error that is the database's; what callers are told of it.
    private func noted(_ error: any Error, _ connection: any SQLWriterConnection) -> any Error {
        guard let kind = connection.failure(error) else { return error }
        state.withLock { $0.failed = (kind, .now) }
        failureObserver?(kind)
        return kind.refusal ?? error
    }

    /// Runs a group in one transaction; throws when the transaction is lost as a whole.
    ///
    /// First as if nobody would fail: a savepoint for each write would have SQLite copy every page that it changes. When
    /// one does fail, all is rolled back and done again with savepoints.
    private func transact(
        _ group: [Write],
        mayEnd: Bool,
        on connection: any SQLWriterConnection
    ) throws -> [Answer] {
        do {
            return try inTransaction(connection, group[0].isolation) { _, tally in
                try ask(group, on: connection)
                guard mayEnd else { return try group.map { try run($0, on: connection, tally) } }
                return try runInTime(group, on: connection, tally)
            }
        } catch {
            guard group.count > 1, !connection.mayHaveCommitted(after: error) else { throw error }
            return try inTransaction(connection, group[0].isolation) { isLast, tally in
                try group.map { try runApart($0, on: connection, tally, isLastAttempt: isLast) }
            }
        }
    }

    /// Has the questions of a group answered.
    private func ask(_ group: [Write], on connection: any SQLWriterConnection) throws {
        let questions = group.compactMap(\.questions)
        guard !questions.isEmpty, connection.isOptimistic else { return }
        let transaction = transaction(on: connection)
        try connection.askInTurns { turn in for ask in questions { try ask(transaction, turn) } }
    }

    /// Runs the writes of a group, as many as there is time for while an urgent one waits; the others wait again.
    private func runInTime(
        _ group: [Write],
        on connection: any SQLWriterConnection,
        _ tally: CountTally
    ) throws -> [Answer] {
        let start = ContinuousClock.now
        var answers: [Answer] = []
        for write in group {
            let isOver = !answers.isEmpty && ContinuousClock.now - start >= CommitQueue.timeout
            if isOver, state.withLock({ $0.urgentCount > 0 }) { break }
            answers.append(try run(write, on: connection, tally))
        }
        return answers
    }

    /// Puts back what of a group had no time, before all of its kind that came later.
    private func putBack(_ group: ArraySlice<Write>) {
        guard !group.isEmpty else { return }
        let urgent = group.prefix { $0.turn == .urgent }
        state.withLock { state in
            state.waiting.insert(contentsOf: group.dropFirst(urgent.count), at: state.urgentCount)
            state.waiting.insert(contentsOf: urgent, at: 0)
            state.urgentCount += urgent.count
            state.soonCount += group.count { $0.turn == .soon }
        }
    }

    /// - Parameter body: is told whether the transaction is run for the last time, and gathers what is counted.
    private func inTransaction(
        _ connection: any SQLWriterConnection,
        _ isolation: Isolation,
        _ body: (Bool, CountTally) throws -> [Answer]
    ) throws -> [Answer] {
        var attempt = 1
        while true {
            do {
                try connection.begin(isolation)
                let tally = CountTally()
                let answers = try body(attempt == CommitQueue.attempts, tally)
                try transaction(on: connection).write(tally)
                try connection.commit()
                return answers
            } catch {
                connection.rollBack()
                guard attempt < CommitQueue.attempts, connection.mayRunAgain(after: error) else { throw error }
                // Up to 2 ms, then 4, and so on: whoever was in the way draws another number.
                usleep(.random(in: 0..<1_000 << UInt32(attempt)))
                attempt += 1
            }
        }
    }

    /// Runs a write. What it counts is counted when it has not failed.
    private func run(_ write: Write, on connection: any SQLWriterConnection, _ tally: CountTally) throws -> Answer {
        let transaction = transaction(on: connection)
        let answer = try write.perform(transaction)
        tally.add(transaction.counted)
        return answer
    }

    private func transaction(on connection: any SQLWriterConnection) -> Transaction {
        Transaction(connection: connection, now: clock.now(), keys: keys, slot: slot)
    }

    /// Runs one write of a group so that its failure is its own; throws only when the whole transaction is lost.
    private func runApart(
        _ write: Write,
        on connection: any SQLWriterConnection,
        _ tally: CountTally,
        isLastAttempt: Bool
    ) throws -> Answer {
        try connection.execute("SAVEPOINT one")
        do {
            let answer = try run(write, on: connection, tally)
            try connection.execute("RELEASE SAVEPOINT one")
            return answer
        } catch {
            // A full disk or a failing one may end the transaction by itself, with what the others wrote.
            guard connection.isInTransaction, isLastAttempt || !connection.mayRunAgain(after: error) else {
                throw error
            }
            try connection.execute("ROLLBACK TO SAVEPOINT one")
            try connection.execute("RELEASE SAVEPOINT one")
            // After the commit, because what it found may have been written by a neighbour.
            let failure = noted(error, connection)
            return { write.fail(failure) }
        }
    }
}
