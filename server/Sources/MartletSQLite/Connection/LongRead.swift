import GRDB
import GRDBSQLite
import MartletCore
import MartletWire

extension SQLiteDatabase {
    /// Reads on one of the long readers.
    ///
    /// - Throws: `Failure` with ``ErrorCode/queryTimedOut`` when it is not over within the limit from this call on; what
    ///   `body` throws.
    func readLong<Value: Sendable>(
        within limit: Duration,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        let deadline = ReadDeadline(after: limit)
        return try await withCheckedThrowingContinuation { answer in
            longReaders.asyncRead { [connections] database in
                answer.resume(
                    with: Result {
                        let database = try database.get()
                        return try deadline.during(database) { try body(connections.connection(of: database)) }
                    }
                )
            }
        }
    }
}

/// Ends what a connection reads when the time is over.
private final class ReadDeadline: Sendable {
    private let limit: Duration
    private let end: ContinuousClock.Instant

    init(after limit: Duration) {
        self.limit = limit
        end = .now + limit
    }

    private var isOver: Bool { ContinuousClock.now >= end }

    func during<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
        guard !isOver else { throw failure }
        // A look at the clock each thousand of SQLite's steps, which are some tens of microseconds.
        sqlite3_progress_handler(
            database.sqliteConnection,
            1_000,
            { Unmanaged<ReadDeadline>.fromOpaque($0!).takeUnretainedValue().isOver ? 1 : 0 },
            Unmanaged.passUnretained(self).toOpaque()
        )
        defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
        do { return try body() } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw failure
        }
    }

    private var failure: Failure {
        Failure(
            .queryTimedOut,
            "The list took longer than \(limit.milliseconds / 1_000) seconds to read.",
            hint: "Ask for newer items only, or without a condition that few rows meet."
        )
    }
}
