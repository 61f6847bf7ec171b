import Dispatch
import MartletCore
import MartletWire
import Synchronization

/// Some connections, each with a thread of its own while it works, and a bounded queue before them.
final class ConnectionPool: Sendable {
    /// A connection on its way through the lock.
    private struct Member: @unchecked Sendable {  // The pool gives a connection to one job at a time.
        let connection: PostgresConnection
        let thread: DispatchQueue
    }

    private typealias Answer = @Sendable (Result<PostgresConnection, any Error>) -> Void

    /// What is to be done, and until when it is waited for a connection.
    private struct Job: Sendable {
        var perform: Answer
        var deadline = ContinuousClock.now + ConnectionPool.timeout
    }

    private struct State {
        var idle: [Member]
        var waiting: [Job] = []
        var isClosed = false
    }

    private let state: Mutex<State>
    /// How many jobs may wait. Ours: a few seconds of short reads.
    private static let limit = 2_000
    /// How long one waits. Ours: as long as an answer of a database that says nothing.
    private static let timeout: Duration = .seconds(10)

    /// - Parameter limit: how long a statement may take; `nil` is without end.
    init(_ count: Int, label: String, address: String, options: String, limit: Duration?) {
        let members = (1...count).map { number in
            Member(
                connection: PostgresConnection(address: address, options: options, limit: limit),
                thread: DispatchQueue(label: "\(label)-\(number)")
            )
        }
        state = Mutex(State(idle: members))
    }

    /// Runs `body` with a connection that is open, on a thread where it may block.
    ///
    /// - Throws: `Failure` with ``ErrorCode/overloaded`` when too many wait; what `body` throws.
    func run<Value: Sendable>(_ body: @escaping @Sendable (PostgresConnection) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { answer in
            enqueue(Job { connection in answer.resume(with: Result { try body(connection.get()) }) })
        }
    }

    /// Closes the connections when they are done; jobs that wait are refused.
    func close() {
        let (idle, refused) = state.withLock { state in
            state.isClosed = true
            defer { (state.idle, state.waiting) = ([], []) }
            return (state.idle, state.waiting)
        }
        for member in idle { member.thread.async { member.connection.close() } }
        for job in refused { job.perform(.failure(ConnectionPool.closed)) }
    }

    private func enqueue(_ job: Job) {
        let (member, refusal) = state.withLock { state -> (Member?, Failure?) in
            guard !state.isClosed else { return (nil, ConnectionPool.closed) }
            if let member = state.idle.popLast() { return (member, nil) }
            guard state.waiting.count < ConnectionPool.limit else { return (nil, ConnectionPool.full) }
            state.waiting.append(job)
            return (nil, nil)
        }
        if let refusal { job.perform(.failure(refusal)) }
        if let member { member.thread.async { [self] in work(member, job) } }
    }

    private func work(_ member: Member, _ first: Job) {
        var job = first
        while true {
            job.perform(
                Result {
                    guard job.deadline > .now else { throw ConnectionPool.full }
                    try member.connection.open()
                    return member.connection
                }
            )
            let next = state.withLock { state -> Job? in
                guard !state.isClosed else { return nil }
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                state.idle.append(member)
                return nil
            }
            guard let next else { break }
            job = next
        }
        if state.withLock(\.isClosed) { member.connection.close() }
    }

    private static let closed = Failure(.overloaded, "The server is shutting down.")
    private static let full = Failure(
        .overloaded,
        "More than \(limit) reads wait for the database.",
        hint: "Send the request again in a few seconds."
    )
}
