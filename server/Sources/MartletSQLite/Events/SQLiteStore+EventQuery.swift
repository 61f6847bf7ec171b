import Foundation
import GRDB
import GRDBSQLite
public import MartletCore
import MartletWire

extension SQLiteStore {
    /// Runs the question on a connection of its own, whose database is empty but for one virtual table. Its rows come
    /// from a reader of this store, one at a time.
    public func query(_ query: EventQuery) async throws -> EventTable {
        guard questions.enter(SQLiteStore.questionLimit) else {
            throw Failure(
                .overloaded,
                "The server answers \(SQLiteStore.questionLimit) questions already.",
                hint: "Ask again in a few seconds."
            )
        }
        defer { questions.leave() }
        return try await readLong { transaction in
            let source = EventSource(
                connection: transaction.database.sqliteConnection,
                app: query.app,
                now: transaction.now,
                timeLimit: query.timeLimit
            )
            let question = try EventQuestion(source: source)
            defer { question.close() }
            return try question.answer(query)
        }
    }

    /// How many questions are answered at a time: one fewer than there are readers, so that lists go on.
    private static let questionLimit = 2
}
