import GRDBSQLite
import MartletCore

/// What the virtual table reads from, and until when. Used by one thread.
final class EventSource {
    /// The store's reader.
    let connection: OpaquePointer?
    /// Whose events there are; `nil` is all apps'.
    let app: RowID<App>?
    /// The present moment, the same for the whole query.
    let now: Timestamp
    private let deadline: ContinuousClock.Instant

    /// A source that ends after a time.
    init(connection: OpaquePointer?, app: RowID<App>?, now: Timestamp, timeLimit: Duration) {
        self.connection = connection
        self.app = app
        self.now = now
        deadline = .now + timeLimit
    }

    /// Whether the time is over.
    var isLate: Bool { ContinuousClock.now >= deadline }

    /// This source as the pointer that SQLite hands back to its callbacks; the caller keeps the source alive.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The source behind such a pointer.
    static func at(_ pointer: UnsafeMutableRawPointer) -> EventSource {
        Unmanaged<EventSource>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Ends what a connection does when the time is over.
    func limit(_ connection: OpaquePointer?) {
        // Few, because one of them may be a search through a long text. A look takes some fifty nanoseconds.
        sqlite3_progress_handler(connection, 50, { EventSource.at($0!).isLate ? 1 : 0 }, pointer)
    }
}
