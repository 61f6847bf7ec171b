import MartletCore
import MartletEventQuery
import MartletStore
import MartletWire
import Synchronization

/// A database whose statements are looked at before they are prepared.
struct CheckedDatabase: SQLDatabase {
    /// A text that breaks a rule.
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    /// The texts that were prepared.
    final class Texts: Sendable {
        private let known = Mutex<Set<String>>([])

        func insert(_ sql: String) { known.withLock { _ = $0.insert(sql) } }

        var all: [String] { known.withLock { $0.sorted() } }
    }

    private final class Connection: SQLConnection {
        let base: any SQLConnection
        let texts: Texts?

        init(_ base: any SQLConnection, _ texts: Texts?) { (self.base, self.texts) = (base, texts) }

        func prepare(_ sql: String) throws -> Statement {
            try check(sql)
            return try base.prepare(sql)
        }

        func makeStatement(_ sql: String) throws -> any SQLStatement {
            try check(sql)
            return try base.makeStatement(sql)
        }

        private func check(_ sql: String) throws {
            if let violation = StatementRules.violation(once: sql) {
                throw Violation(description: "\(violation): \(sql)")
            }
            texts?.insert(sql)
        }
    }

    let base: any SQLDatabase
    var texts: Texts?
    /// Its own, so that their statements are looked at too.
    private let queries = EventQueries()

    private func checked(_ transaction: Transaction) -> Transaction {
        Transaction(
            connection: Connection(transaction.connection, texts),
            now: transaction.now,
            keys: transaction.keys,
            slot: transaction.slot,
            counted: transaction.counted
        )
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try await base.read { try body(checked($0)) }
    }

    func readLong<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try await base.readLong { try body(checked($0)) }
    }

    func write<Value: Sendable>(
        isUrgent: Bool,
        isolation: Isolation,
        questions: CommitQueue.Questions?,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        let asked = questions.map { ask -> CommitQueue.Questions in { try ask(checked($0), $1) } }
        return try await base.write(isUrgent: isUrgent, isolation: isolation, questions: asked) {
            try body(checked($0))
        }
    }

    func writeSoon<Value: Sendable>(
        isolation: Isolation,
        _ body: @escaping @Sendable (Transaction) throws -> Value,
        answer: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        base.writeSoon(isolation: isolation, { try body(checked($0)) }, answer: answer)
    }

    var clock: any WallClock { base.clock }

    var hasOwnClock: Bool { base.hasOwnClock }

    var waitingWrites: Int { base.waitingWrites }

    var refusal: Failure? { base.refusal }

    var isShared: Bool { base.isShared }

    func query(_ query: EventQuery) async throws -> EventTable { try await queries.answer(query, from: self) }

    func dropDays(before moment: Timestamp) async throws -> Timestamp { try await base.dropDays(before: moment) }

    func close() async { await base.close() }
}
