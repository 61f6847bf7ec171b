package import MartletCore
package import MartletStore
package import MartletWire
import Synchronization

/// The queries about events that an engine answers. Each runs in SQLite, whatever the engine is, on a connection of its
/// own whose database is empty but for one virtual table. The rows of that table come from a long read of the engine.
package final class EventQueries: Sendable {
    private let count = Mutex(0)

    /// How many queries are answered at a time: one fewer than an engine has long readers, so that lists go on.
    private static let limit = 2

    package init() {}

    /// Answers a query.
    ///
    /// - Throws: `Failure` as ``Store/query(_:)`` does, and with ``ErrorCode/overloaded`` when others run.
    package func answer(_ query: EventQuery, from database: some SQLDatabase) async throws -> EventTable {
        guard enter() else {
            throw Failure(
                .overloaded,
                "The server is already running \(EventQueries.limit) queries.",
                hint: "Try again in a few seconds."
            )
        }
        defer { count.withLock { $0 -= 1 } }
        do {
            return try await database.readLong { transaction in
                let connection = try EventQueryConnection(source: EventSource(query, in: transaction))
                defer { connection.close() }
                return try connection.answer()
            }
        } catch let failure as Failure where failure.code == .queryTimedOut {
            // The engine, which ends long reads too, speaks of a list.
            throw query.timedOut
        }
    }

    private func enter() -> Bool {
        count.withLock { count in
            guard count < EventQueries.limit else { return false }
            count += 1
            return true
        }
    }
}

extension EventQuery {
    /// What is said when the time is over.
    var timedOut: Failure {
        Failure(
            .queryTimedOut,
            "The query took longer than \(timeLimit.milliseconds / 1_000) seconds.",
            hint: "Ask for a shorter time: WHERE time > td_time_add(now(), '-1h')",
            field: "sql"
        )
    }
}
