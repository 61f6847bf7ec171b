import MartletCore
import MartletWire

extension SQLiteDatabase {
    /// Runs the query on a connection of its own, whose database is empty but for one virtual table. Its rows come from
    /// one of the long readers, one at a time.
    func query(_ query: EventQuery) async throws -> EventTable {
        guard queries.enter(SQLiteDatabase.queryLimit) else {
            throw Failure(
                .overloaded,
                "The server is already running \(SQLiteDatabase.queryLimit) queries.",
                hint: "Try again in a few seconds."
            )
        }
        defer { queries.leave() }
        return try await readLong(within: longReadLimit) { [clock] reader in
            let source = EventSource(
                connection: reader.handle,
                app: query.app,
                now: clock.now(),
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
