package import MartletCore

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
    /// - Throws: what `body` throws, and then nothing of it is written; `Failure` with `overloaded` when more writes wait
    ///   than the engine's bound; the database's error, when the commit fails otherwise.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value

    /// Whether other processes write to the same database.
    var isShared: Bool { get }

    /// How many writes wait for the next commit.
    var waitingWrites: Int { get }

    /// Answers an analyst's query about events.
    func query(_ query: EventQuery) async throws -> EventTable

    /// Finishes the writes that wait and closes the connections.
    func close() async
}

/// One connection inside a transaction, used by one thread at a time.
package protocol SQLConnection: AnyObject {
    /// A statement of the connection's cache; the text is the key, so it is the same for all values.
    ///
    /// The text is one for all engines: parameters are `?` or `?1`; a hint is a comment: `/*+ batches_due */` behind a
    /// table and its alias, for the index to be used, or `/*+ CROSS */` before JOIN, for the order of the tables.
    func prepare(_ sql: String) throws -> Statement
}

/// A statement as an engine has it. Positions of parameters count from 1, those of columns from 0.
package protocol SQLStatement: AnyObject {
    /// Binds an integer; `nil` is NULL.
    func bind(_ value: Int64?, at position: Int32)
    /// Binds a text's UTF-8, which is copied; `nil` is NULL.
    func bind(text: UnsafeBufferPointer<UInt8>?, at position: Int32)
    /// Binds bytes, which are copied; `nil` is NULL.
    func bind(bytes: UnsafeBufferPointer<UInt8>?, at position: Int32)

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
    /// A text's UTF-8, or a blob, good until the next step; empty for NULL.
    func withBytes<Value>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws -> Value) rethrows -> Value
}
