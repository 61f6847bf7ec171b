import Foundation
import GRDB
import MartletCore
import MartletWire
import Synchronization

/// The one way in which anything is written: a bounded queue whose writes share transactions.
///
/// While one commit is under way the next writes gather; then they run one after the other in one transaction, and all
/// callers are answered after the commit. One that fails takes back what it wrote and fails no other. A caller that is
/// cancelled while it waits is still answered with the result of its write.
final class CommitQueue: Sendable {
    /// Tells a caller the result of its write.
    private typealias Answer = @Sendable () -> Void

    private struct Write: Sendable {
        /// Writes, and says how to answer once that is durable. It may run twice, the first time rolled back.
        var perform: @Sendable (Transaction) throws -> Answer
        var fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var waiting: [Write] = []
        var isDraining = false
        var isClosed = false
        var drained: [CheckedContinuation<Void, Never>] = []
    }

    /// How many writes share a commit at most: more would save little of the commit and delay the first ones' answers.
    static let groupLimit = 512

    /// How many writes of one commit mean that there is a crowd, and that those who come next are worth waiting for. Ours:
    /// a commit writes the same dozen pages for one write as for fifty.
    private static let crowd = 4

    /// How long is waited at a time while more come, in microseconds, and how often at most: two milliseconds in all, a
    /// few times what a commit takes.
    private static let nap: (microseconds: UInt32, most: Int) = (250, 8)

    private let database: any DatabaseWriter
    private let clock: any WallClock
    private let limit: Int
    private let observer: (@Sendable (CommitReport) -> Void)?
    private let failureObserver: (@Sendable (CommitFailure) -> Void)?
    private let state = Mutex(State())

    /// A queue over the connections of one database; `limit` is how many writes may wait.
    init(
        database: any DatabaseWriter,
        clock: any WallClock,
        limit: Int,
        observer: (@Sendable (CommitReport) -> Void)?,
        failureObserver: (@Sendable (CommitFailure) -> Void)? = nil
    ) {
        self.database = database
        self.clock = clock
        self.limit = limit
        self.observer = observer
        self.failureObserver = failureObserver
    }

    /// Runs a write and returns when it is durable.
    ///
    /// - Parameter body: writes through the transaction and does nothing else, because it may run a second time.
    /// - Throws: what `body` throws, and then nothing of it is written; `Failure` with `overloaded` when the queue or the
    ///   disk is full or another process holds the database; the database's error, when the commit fails otherwise.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { answer in
            let write = Write(
                perform: { transaction in
                    let value = try body(transaction)
                    return { answer.resume(returning: value) }
                },
                fail: { answer.resume(throwing: $0) }
            )
            enqueue(write)
        }
    }

    /// How many writes wait for the next commit.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// Takes no more writes and returns when all that wait are answered.
    func close() async {
        await withCheckedContinuation { (drained: CheckedContinuation<Void, Never>) in
            let isIdle = state.withLock { state in
                state.isClosed = true
                if state.isDraining { state.drained.append(drained) }
                return !state.isDraining
            }
            if isIdle { drained.resume() }
        }
    }

    private enum Admission {
        case waits
        case starts
        case full
        case closed
    }

    private func enqueue(_ write: Write) {
        let admission = state.withLock { state -> Admission in
            guard !state.isClosed else { return .closed }
            guard state.waiting.count < limit else { return .full }
            state.waiting.append(write)
            guard !state.isDraining else { return .waits }
            state.isDraining = true
            return .starts
        }
        switch admission {
        case .waits: break
        case .starts: database.asyncWriteWithoutTransaction { [self] in drain($0) }
        case .full:
            let message = "More than \(limit) writes wait for the database."
            write.fail(Failure(.overloaded, message, hint: "Send the request again in a few seconds."))
        case .closed: write.fail(Failure(.overloaded, "The server is shutting down."))
        }
    }

    private func drain(_ database: Database) {
        var last = 0
        while true {
            if last >= CommitQueue.crowd { waitForCompany(of: last) }
            guard let group = nextGroup() else { return }
            commit(group, in: database)
            last = group.count
        }
    }

    /// Returns when as many wait as shared the last commit, or when no more come. The thread is the writer's own.
    private func waitForCompany(of count: Int) {
        var waiting = waitingCount
        for _ in 0..<CommitQueue.nap.most where waiting < count {
            usleep(CommitQueue.nap.microseconds)
            let now = waitingCount
            guard now > waiting else { return }
            waiting = now
        }
    }

    private func nextGroup() -> [Write]? {
        let (group, drained) = state.withLock { state -> ([Write]?, [CheckedContinuation<Void, Never>]) in
            guard !state.waiting.isEmpty else {
                state.isDraining = false
                defer { state.drained = [] }
                return (nil, state.drained)
            }
            let group = Array(state.waiting.prefix(CommitQueue.groupLimit))
            state.waiting.removeFirst(group.count)
            return (group, [])
        }
        for waiter in drained { waiter.resume() }
        return group
    }

    private func commit(_ group: [Write], in database: Database) {
        let start = ContinuousClock.now
        do {
            let answers = try transact(group, in: database)
            observer?(CommitReport(writes: group.count, duration: ContinuousClock.now - start))
            for answer in answers { answer() }
        } catch {
            let failure = noted(error)
            for write in group { write.fail(failure) }
        }
    }

    /// Tells the observer of an error that is the database's; what callers are told of it.
    private func noted(_ error: any Error) -> any Error {
        guard let kind = CommitFailure(error) else { return error }
        failureObserver?(kind)
        return kind.refusal ?? error
    }

    /// Runs a group in one transaction; throws when the transaction is lost as a whole.
    ///
    /// First as if nobody would fail: a savepoint for each write would have SQLite copy every page that it changes. When
    /// one does fail, all is rolled back and done again with savepoints.
    private func transact(_ group: [Write], in database: Database) throws -> [Answer] {
        do {
            return try inTransaction(database) { try group.map { try run($0, in: database) } }
        } catch {
            guard group.count > 1 else { throw error }
            return try inTransaction(database) { try group.map { try runApart($0, in: database) } }
        }
    }

    private func inTransaction(_ database: Database, _ body: () throws -> [Answer]) throws -> [Answer] {
        do {
            // Cached statements: GRDB's own calls compile these two for every transaction.
            try database.cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
            let answers = try body()
            try database.cachedStatement(sql: "COMMIT TRANSACTION").execute()
            return answers
        } catch {
            if database.isInsideTransaction { try? database.rollback() }
            throw error
        }
    }

    private func run(_ write: Write, in database: Database) throws -> Answer {
        try write.perform(Transaction(database: database, now: clock.now()))
    }

    /// Runs one write of a group so that its failure is its own; throws only when the whole transaction is lost.
    private func runApart(_ write: Write, in database: Database) throws -> Answer {
        try database.cachedStatement(sql: "SAVEPOINT one").execute()
        do {
            let answer = try run(write, in: database)
            try database.cachedStatement(sql: "RELEASE one").execute()
            return answer
        } catch {
            // A full disk or a failing one may end the transaction by itself, with what the others wrote.
            guard database.isInsideTransaction else { throw error }
            try database.cachedStatement(sql: "ROLLBACK TO one").execute()
            try database.cachedStatement(sql: "RELEASE one").execute()
            // After the commit, because what it found may have been written by a neighbour.
            let failure = noted(error)
            return { write.fail(failure) }
        }
    }
}

/// What one commit did.
public struct CommitReport: Sendable, Hashable {
    /// How many writes shared it.
    public var writes: Int
    /// From its beginning until it was durable.
    public var duration: Duration
}

/// Why a commit was lost, and all writes of it.
public enum CommitFailure: String, Sendable, Hashable, CaseIterable {
    /// The disk is full.
    case full
    /// Another process holds the database.
    case locked
    /// Anything else that the database says, such as a disk that fails.
    case other

    /// What an error says about the database; `nil` when it is about what was to be written.
    init?(_ error: any Error) {
        guard let error = error as? DatabaseError else { return nil }
        switch error.resultCode {
        case .SQLITE_FULL: self = .full
        case .SQLITE_BUSY: self = .locked
        case .SQLITE_CONSTRAINT: return nil
        default: self = .other
        }
    }

    /// What callers are told when the database takes nothing now and may later; `nil` for everything else.
    fileprivate var refusal: Failure? {
        switch self {
        case .full:
            Failure(
                .overloaded,
                "The disk of the database is full.",
                hint: "Free some space; what was accepted is kept."
            )
        case .locked:
            Failure(
                .overloaded,
                "Another process holds the database.",
                hint: "Send the request again in a few seconds."
            )
        case .other: nil
        }
    }
}
