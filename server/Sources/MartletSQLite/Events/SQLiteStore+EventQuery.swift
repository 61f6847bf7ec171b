import Foundation
import GRDB
import GRDBSQLite
public import MartletCore
import MartletWire

extension SQLiteStore {
    /// Runs the query on a connection of its own, whose database is empty but for one virtual table. Its rows come
    /// from a reader of this store, one at a time.
    public func query(_ query: EventQuery) async throws -> EventTable {
        guard queries.enter(SQLiteStore.queryLimit) else {
            throw Failure(
                .overloaded,
                "The server is already running \(SQLiteStore.queryLimit) queries.",
                hint: "Try again in a few seconds."
            )
        }
        defer { queries.leave() }
        return try await readLong { transaction in
            let source = EventSource(
                connection: transaction.database.sqliteConnection,
                app: query.app,
                now: transaction.now,
                timeLimit: query.timeLimit
            )
            let connection = try EventQueryConnection(source: source)
            defer { connection.close() }
            return try connection.answer(query)
        }
    }

    /// How many queries are answered at a time: one fewer than there are readers, so that lists go on.
    private static let queryLimit = 2
}
