import GRDBSQLite
import MartletCore
import MartletStore

/// What the virtual table of one query reads from, and until when. Used by one thread.
final class EventSource {
    let query: EventQuery
    /// The store's transaction.
    let transaction: Transaction
    /// Why the rows could not be read: SQLite knows only that they could not.
    var failure: (any Error)?
    private let deadline: ContinuousClock.Instant

    init(_ query: EventQuery, in transaction: Transaction) {
        self.query = query
        self.transaction = transaction
        deadline = .now + query.timeLimit
    }

    /// Whether the time is over.
    var isLate: Bool { ContinuousClock.now >= deadline }

    /// This source as the pointer that SQLite hands back to its callbacks; the caller keeps the source alive.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The source behind such a pointer.
    static func at(_ pointer: UnsafeMutableRawPointer) -> EventSource {
        Unmanaged<EventSource>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Ends what a query's connection does when the time is over.
    func limit(_ connection: OpaquePointer?) {
        // Few, because one of them may be a search through a long text. A look takes some fifty nanoseconds.
        sqlite3_progress_handler(connection, 50, { EventSource.at($0!).isLate ? 1 : 0 }, pointer)
    }
}
