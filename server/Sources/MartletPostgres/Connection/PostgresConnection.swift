import CLibPQ
import Foundation
import MartletCore
import MartletStore
import MartletWire

/// One connection of libpq, which owns its socket and blocks. Used by one thread at a time.
final class PostgresConnection: SQLSchemaConnection {
    private let address: PooledAddress
    private let options: String
    /// Whether each transaction may be on another session of the server.
    var isPooled: Bool { address.isPooled }
    /// How long an answer is waited for; `nil` is without end.
    let answerLimit: Duration?
    /// Whether an answer did not come in time: nothing is known of the connection but that it is of no more use.
    var isSilent = false
    /// How many statements were sent whose answers are still to come (libpq's pipeline mode).
    var pipelined = 0
    /// Statements of the transaction whose rows are written later, in their order.
    var gathering: [PostgresStatement] = []
    /// Statements that have questions, and those that have answers.
    var asking: [PostgresStatement] = []
    private var answered: [PostgresStatement] = []
    /// What a turn of questions has written, of which its own answers still say nothing; `nil` between them.
    private var writtenInTurn: [(statement: PostgresStatement, table: String)]?
    /// Whether the transaction is one of a commit queue.
    private var isWriting = false
    /// Whether each row is looked at as it is written: one of those before was not what was taken for granted.
    private var isCareful = false
    /// Whether the transaction began on a connection that was used before, and did not come to its COMMIT.
    private var isReused = false
    private(set) var handle: OpaquePointer?
    private var statements: [String: Statement] = [:]
    private var count = 0

    /// A connection that is opened when it is first used.
    ///
    /// - Parameters:
    ///   - options: what the session is told at its beginning, as `-c name=value`.
    ///   - limit: how long a statement may take; `nil` is without end.
    init(address: String, options: String, limit: Duration?) {
        self.address = PooledAddress(address)
        self.options = options
        answerLimit = limit.map { $0 + Self.grace }
    }

    deinit { close() }

    /// Opens the connection, or opens it again after it broke.
    ///
    /// - Throws: `PostgresError`.
    func open() throws {
        if isOpen { return }
        close()
        // The second of two values counts, so that the address can say otherwise. A peer that is gone is noticed within
        // about ten seconds; of several hosts the one that can be written to is taken.
        let parameters = [
            ("connect_timeout", "5"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "5"),
            ("keepalives_interval", "2"),
            ("keepalives_count", "3"), ("target_session_attrs", "read-write"), ("client_encoding", "UTF8"),
            ("application_name", "martlet"), ("options", isPooled ? "" : options), ("dbname", address.text),
        ]
        let (keywords, values) = (parameters.map(\.0), parameters.map(\.1))
        handle = PostgresConnection.withCStrings(keywords) { keywords in
            PostgresConnection.withCStrings(values) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard PQstatus(handle) == CONNECTION_OK, PQsetnonblocking(handle, 1) == 0 else {
            let error = error(nil)
            close()
            throw error
        }
        // Notices would come on standard error; a session of one's own is told to send none.
        if isPooled { PQsetNoticeProcessor(handle, { _, _ in }, nil) }
    }

    /// As far as is known.
    private var isOpen: Bool {
        handle != nil && !isSilent && PQstatus(handle) == CONNECTION_OK
            && PQtransactionStatus(handle) != PQTRANS_UNKNOWN
    }

    private static func withCStrings<Value>(
        _ strings: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { UnsafePointer($0) } + [nil])
    }

    /// Closes it; it is opened again when it is next used.
    func close() {
        endSets()
        statements.removeAll()
        PQfinish(handle)
        handle = nil
        isSilent = false
        pipelined = 0
    }

    /// Prepares a text once.
    func prepare(_ sql: String) throws -> Statement {
        if let known = statements[sql] { return known }
        let statement = Statement(PostgresStatement(sql, name: nextName(), connection: self))
        statements[sql] = statement
        return statement
    }

    /// A statement that has a cursor.
    func makeStatement(_ sql: String) -> any SQLStatement {
        PostgresStatement(sql, name: nextName(), hasCursor: true, connection: self)
    }

    private func nextName() -> String {
        count += 1
        return "s\(count)"
    }

    /// Begins a transaction of a commit queue. A lock that is taken as it begins comes before the moment as of which it reads.
    func begin(_ isolation: Isolation) throws {
        switch isolation {
        case .serial: try begin("SERIALIZABLE")
        case .snapshot: try begin("REPEATABLE READ", lock: "apps IN ROW SHARE")
        case .ordered: try begin("SERIALIZABLE", lock: "topic_sequences IN EXCLUSIVE")
        case .alone: try begin("SERIALIZABLE", lock: "apps IN EXCLUSIVE")
        }
        isWriting = true
    }

    /// Begins one that sees what was committed before, and writes nothing.
    func beginReading() throws {
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        try open()
        // A connection that was cut since it was last used is noticed here: what takes long is not read a second time.
        do { try execute(begin) } catch let error as PostgresError where error.isDisconnection {
            close()
            try open()
            try execute(begin)
        }
    }

    /// Begins one that sees at each statement what others have committed, so that it can wait for them at a lock.
    func beginSchemaChange() throws { try begin("READ COMMITTED") }

    /// Sent with what comes next.
    private func begin(_ isolation: String, lock: String? = nil) throws {
        isReused = isOpen
        try open()
        try post { PQsendQueryParams($0, "BEGIN ISOLATION LEVEL \(isolation)", 0, nil, nil, nil, nil, 0) }
        guard let lock else { return }
        try post { PQsendQueryParams($0, "LOCK TABLE \(lock) MODE", 0, nil, nil, nil, nil, 0) }
    }

    /// Ends the transaction; what it wrote is durable as the database's `synchronous_commit` says.
    func commit() throws {
        try flush()
        isReused = false
        let result = answer { send("COMMIT", on: $0) }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw error(result, isClearing: false) }
        // After an error PostgreSQL answers COMMIT with ROLLBACK.
        guard String(cString: PQcmdStatus(result)) == "COMMIT" else {
            throw PostgresError(code: "25P02", message: "the transaction was rolled back")
        }
        endSets()
        isCareful = false
    }

    /// Takes the transaction back; a broken connection has done so.
    func rollBack() {
        endSets()
        guard handle != nil else { return }
        endPipeline()
        guard !isSilent else {
            // Waiting as long again helps nobody.
            isReused = false
            return close()
        }
        guard PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
        do { try execute("ROLLBACK") } catch { close() }
    }

    /// An error leaves a transaction in which only savepoints can be gone back to. What is in the pipeline is read first.
    var isInTransaction: Bool {
        endPipeline()
        return !isSilent && [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus(handle))
    }

    /// Whether answers may be left for later: a transaction is open whose statements can all be taken back.
    var hasPipeline: Bool { pipelined > 0 || !isSilent && PQtransactionStatus(handle) == PQTRANS_INTRANS }

    /// The server's clock.
    func moment() throws -> Timestamp {
        let sql = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS moment"
        return try prepare(sql).first { $0.time("moment") } ?? SystemClock().now()
    }

    /// What the session's setting of a name is.
    func setting(_ name: String) throws -> String {
        try prepare("SELECT current_setting(?) AS value").bind(name).first { $0.text("value") } ?? ""
    }

    /// Runs statements without parameters.
    func execute(_ sql: String) throws {
        try flush()
        // From a savepoint nothing can be left for later that it takes back.
        if sql.hasPrefix("SAVEPOINT") { isCareful = true }
        try check(answer { send(sql, on: $0) }, PGRES_COMMAND_OK)
    }

    /// Runs statements that are separated by semicolons, which no pipeline takes.
    func runScript(_ sql: String) throws {
        try finishPipeline()
        try check(answer { PQsendQuery($0, sql) }, PGRES_COMMAND_OK)
    }

    /// A pipeline takes no simple query.
    private func send(_ sql: String, on handle: OpaquePointer?) -> Int32 {
        guard pipelined > 0 else { return PQsendQuery(handle, sql) }
        return PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 0)
    }

    /// A lock of the table keeps other processes out.
    func lockMigrations() throws {
        try execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                version bigint PRIMARY KEY,
                name text NOT NULL,
                applied_at bigint NOT NULL
            )
            """
        )
        try execute("LOCK TABLE schema_migrations IN EXCLUSIVE MODE")
    }

    /// What PostgreSQL's code says.
    func failure(_ error: any Error) -> CommitFailure? { (error as? PostgresError)?.failure }

    /// Another process was in the way, something was not as it was taken for granted, or the connection was cut: perhaps
    /// when it was last used, and nothing of the transaction is committed.
    func mayRunAgain(after error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return false }
        guard !error.isDisconnection else { return isReused }
        guard error.isUnexpected, !isCareful else { return error.mayBeRunAgain }
        isCareful = true
        return true
    }

    // MARK: Rows and questions that go together

    /// Statements wait for others of their kind in a transaction that writes.
    var gathers: Bool { !isCareful && isWriting && hasPipeline }

    /// Looks at what it writes later.
    var isOptimistic: Bool { !isCareful }

    /// As many as there are for other rows of the commit.
    func newKeys(of table: String, _ count: Int) throws -> [Int64] {
        guard count > 1, gathers else { return [] }
        return try prepare("SELECT nextval(pg_get_serial_sequence(?, 'id')) AS id FROM generate_series(1, ?)")
            .bind(table, count).all { $0.int("id") }
    }

    /// Sends the rows that were gathered, in the order in which their statements came.
    func flush() throws {
        guard !gathering.isEmpty else { return }
        let statements = gathering
        gathering = []
        for statement in statements { try statement.writeGathered() }
    }

    /// Has a statement find what was written before it, and others not what it changes. One that writes comes behind all that
    /// were before it, since a row may refer to another table's.
    func makeWay(for statement: PostgresStatement) throws {
        let table = SetForm.written(by: statement.sql)
        let isInTheWay = { (other: PostgresStatement) in other.form.map { statement.mentions($0.table) } ?? false }
        if table != nil || gathering.contains(where: isInTheWay) { try flush() }
        if let table { forgetAnswers(statement, table) }
    }

    /// Has the rows of a statement written later, behind those of its table that wait.
    func gather(_ statement: PostgresStatement, into table: String) throws {
        if gathering.contains(where: { $0.form?.table == table }) { try flush() }
        gathering.append(statement)
        forgetAnswers(statement, table)
    }

    private func forgetAnswers(_ statement: PostgresStatement, _ table: String) {
        guard writtenInTurn == nil else {
            writtenInTurn?.append((statement, table))
            return
        }
        let isNew = statement.sql.hasPrefix("INSERT") && !statement.sql.contains("DO UPDATE")
        for other in answered { other.forgetAnswers(where: table, isNew: isNew) }
    }

    /// Whoever is not there for one is not there for the others of the turn: one that is written does not have them ask again.
    func askInTurns(_ ask: (Int) throws -> Void) throws {
        defer { writtenInTurn = nil }
        var turn = 0
        var isOver = false
        while !isOver {
            writtenInTurn = []
            try ask(turn)
            let written = writtenInTurn.take() ?? []
            for (statement, table) in written { forgetAnswers(statement, table) }
            // What was written is asked for in the next turn.
            isOver = try !answerAsked() && written.isEmpty
            turn += 1
        }
    }

    /// Has all that is asked answered.
    func answerAsked() throws -> Bool {
        guard !asking.isEmpty else { return false }
        let statements = asking
        for statement in statements { try makeWay(for: statement) }
        let answers = try ask(statements.map { try $0.question() })
        asking = []
        for (statement, answer) in zip(statements, answers) {
            statement.keepAnswer(answer)
            if !answered.contains(where: { $0 === statement }) { answered.append(statement) }
        }
        return true
    }

    private func endSets() {
        for statement in gathering { statement.forgetGathered() }
        for statement in asking + answered { statement.forgetAnswers() }
        (gathering, asking, answered) = ([], [], [])
        isWriting = false
    }

    /// Where the connection broke, the answer to COMMIT may have been lost with it.
    func mayHaveCommitted(after error: any Error) -> Bool { (error as? PostgresError)?.isDisconnection ?? false }

    /// Clears a result.
    ///
    /// - Throws: `PostgresError` when it is not the one that was to be.
    func check(_ result: OpaquePointer?, _ wanted: ExecStatusType) throws {
        guard PQresultStatus(result) == wanted else { throw error(result) }
        PQclear(result)
    }

    /// What a failed result says; a `Failure` where what was to be written is at fault.
    func error(_ result: OpaquePointer?, isClearing: Bool = true) -> any Error {
        defer { if isClearing { PQclear(result) } }
        guard !isSilent else { return PostgresError(code: "08006", message: "there was no answer in time") }
        let error = PostgresError(result, on: handle)
        // SQLite keeps this one character, PostgreSQL has no text with it.
        guard error.code == "22021" else { return error }
        return Failure(.invalidValue, "A text has the character U+0000, which the database cannot keep.")
    }
}
