package import MartletCore
package import MartletWire

/// What a write's transaction is kept apart from. SQLite has one that writes at a time, so that all are ``serial``.
package enum Isolation: Sendable {
    /// As if nobody else wrote at the same time: where two would decide by what the other one changes, one runs again.
    case serial
    /// It reads what was committed before it began; where two change one row, one runs again. It is for what decides
    /// nothing by rows that others write, and costs no watch over what was read.
    case snapshot
    /// ``serial``, one of them after the other: each decides by what the one before wrote.
    case ordered
    /// ``serial``, and no ``snapshot`` is under way beside it.
    case alone
}

/// An engine: the connections to a database, and how its transactions are begun and shared.
///
/// A body is synchronous, touches nothing but its transaction, and may run twice, the first time rolled back.
package protocol SQLDatabase: Sendable {
    /// Reads, beside all writes, what was committed before. It runs to its end also when the caller is cancelled: what
    /// has to be settled at shutdown needs to be read.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value

    /// Reads like ``read(_:)`` what may look at many rows before it finds those that are asked for.
    ///
    /// - Throws: `Failure` with ``ErrorCode/queryTimedOut`` when it takes longer than the engine's limit.
    func readLong<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value

    /// Writes; durable when it returns.
    ///
    /// - Parameters:
    ///   - isUrgent: whether it goes before writes that wait and are not: a person waits for it.
    ///   - isolation: what it is kept apart from.
    ///   - questions: asks what `body` will read, as ``CommitQueue/Questions`` says.
    /// - Throws: what `body` throws, and then nothing of it is written; `Failure` with `overloaded` when more writes wait
    ///   than the engine's bound; the database's error, when the commit fails otherwise.
    func write<Value: Sendable>(
        isUrgent: Bool,
        isolation: Isolation,
        questions: CommitQueue.Questions?,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value

    /// Writes what nobody waits for, with the next commit that is due or within ``CommitQueue/soon``; returns at once.
    ///
    /// - Parameter answer: is told what ``write(isUrgent:isolation:questions:_:)`` returns or throws, on the writer's thread as a rule.
    func writeSoon<Value: Sendable>(
        isolation: Isolation,
        _ body: @escaping @Sendable (Transaction) throws -> Value,
        answer: @escaping @Sendable (Result<Value, any Error>) -> Void
    )

    /// What a transaction's moment comes from: the database's clock, which all processes on it share.
    var clock: any WallClock { get }

    /// Whether that is the database's own, so that no process need do anything when it is set back.
    var hasOwnClock: Bool { get }

    /// Whether other processes write to the same database.
    var isShared: Bool { get }

    /// How many writes wait for the next commit.
    var waitingWrites: Int { get }

    /// What writes are refused with for now, as ``CommitQueue/refusal`` says.
    var refusal: Failure? { get }

    /// Answers an analyst's query about events.
    func query(_ query: EventQuery) async throws -> EventTable

    /// Drops the days of notifications that lie before a moment, whole, where the engine keeps days apart.
    ///
    /// - Returns: the moment before which notifications are deleted row by row: an earlier one where days are still to be
    ///   dropped.
    func dropDays(before moment: Timestamp) async throws -> Timestamp

    /// Finishes the writes that wait and closes the connections.
    func close() async
}

/// One connection inside a transaction, used by one thread at a time.
package protocol SQLConnection: AnyObject {
    /// A statement of the connection's cache; the text is the key, so it is the same for all values.
    ///
    /// The text is one for all engines: parameters are `?` or `?1`; a hint is a comment: `/*+ batches_due */` behind a
    /// table and its alias, for the index to be used, `/*+ CROSS */` before JOIN, for the order of the tables, or
    /// `/*+ SKIP LOCKED b */` at the end: rows of b are for this transaction, without those that another one has.
    func prepare(_ sql: String) throws -> Statement

    /// Whether what is sure to succeed is not looked at one by one: ``SQLStatement/writeOne()`` says yes before it is known,
    /// and the transaction is run again without this where the answer is no.
    var isOptimistic: Bool { get }

    /// Lets questions be asked in turns, with the number of each, and answers those of a turn at once, until none is asked.
    /// What a turn writes is found by the next one.
    func askInTurns(_ ask: (Int) throws -> Void) throws

    /// Answers what was asked with ``SQLStatement/ask()`` since it was called last, all at once; says whether anything was.
    func answerAsked() throws -> Bool

    /// Draws keys for new rows of a table, where these are written together; none where each has its key as it is written.
    func newKeys(of table: String, _ count: Int) throws -> [Int64]

    /// A statement outside the cache, for any number of rows, some of which are in memory at a time; others are read
    /// between two of its steps. Good until the transaction ends.
    func makeStatement(_ sql: String) throws -> any SQLStatement
}

/// A statement as an engine has it. Positions of parameters count from 1, those of columns from 0.
package protocol SQLStatement: AnyObject {
    /// Binds an integer; `nil` is NULL.
    func bind(_ value: Int64?, at position: Int32)
    /// Binds a text's UTF-8, which is copied; `nil` is NULL.
    func bind(text: UnsafeBufferPointer<UInt8>?, at position: Int32)
    /// Binds bytes, which are copied; `nil` is NULL.
    func bind(bytes: UnsafeBufferPointer<UInt8>?, at position: Int32)

    /// Runs the statement, of which no row is read; its answer may be waited for with a later one.
    func send() throws
    /// Runs a statement that changes one row or none; says which.
    func writeOne() throws -> Bool
    /// Asks a question of which ``SQLConnection/answerAsked()`` has the answer for the rest of the transaction.
    func ask()
    /// Whether the answer to what is bound is known.
    var isAnswered: Bool { get }
    /// Goes to the next row, or to the end; the first step runs the statement.
    func step() throws -> Bool
    /// Makes the statement ready to run again; what is bound stays bound.
    func reset()
    /// How many rows the run that has ended changed.
    var changedRows: Int { get }

    /// The columns' names, in their order.
    var columnNames: [String] { get }
    /// Whether the row on which the statement stands has NULL there.
    func isNull(_ column: Int32) -> Bool
    /// An integer or a boolean of the row; 0 for NULL.
    func int(_ column: Int32) -> Int64
    /// A text's UTF-8, or a blob, good until the next step; `nil` for NULL.
    func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8>?
}

extension SQLConnection {
    /// An engine that is here knows at once.
    package var isOptimistic: Bool { false }

    /// A row that is written says its key.
    package func newKeys(of table: String, _ count: Int) throws -> [Int64] { [] }

    /// Nothing is asked before it is needed.
    package func askInTurns(_ ask: (Int) throws -> Void) throws {}

    /// Nothing is asked before it is needed.
    package func answerAsked() throws -> Bool { false }
}

extension SQLStatement {
    /// Runs to the end.
    package func writeOne() throws -> Bool {
        defer { reset() }
        while try step() {}
        return changedRows > 0
    }

    /// Where a question costs nothing it is asked when its answer is needed.
    package func ask() {}

    /// None is known before.
    package var isAnswered: Bool { false }
}
