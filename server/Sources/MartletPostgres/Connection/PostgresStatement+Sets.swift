import CLibPQ
import MartletStore

/// Rows of a statement that are written together, and answers to questions that were asked together.
struct StatementSet {
    /// The rows that are to be written.
    var rows = RowArrays()
    /// Which rows they say, where no two may say the same.
    var keys: Set<[UInt8]> = []
    /// Whether each of them has to be written.
    var isChecked = false
    /// What is asked, in its order.
    var asked: [[UInt8]] = []
    var questions = RowArrays()
    /// The answers of this transaction, and where each one's rows lie.
    var answers: [OpaquePointer?] = []
    var known: [[UInt8]: (answer: Int, rows: Range<Int32>)] = [:]
    /// What is prepared of it, by its name.
    var prepared: [String: String] = [:]
    /// Whether the text has a table's name.
    var mentions: [String: Bool] = [:]
}

extension PostgresStatement {
    /// Whether the text has the name of a table.
    func mentions(_ table: String) -> Bool {
        if let known = set.mentions[table] { return known }
        let words = sql.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let isMentioned = words.contains { $0 == table }
        set.mentions[table] = isMentioned
        return isMentioned
    }

    // MARK: Writing

    /// Puts the row with others that are written together; says whether it did.
    func gather(isChecked: Bool) throws -> Bool {
        guard connection.gathers, let form else { return false }
        let key = form.key.isEmpty ? nil : bytes(of: form.key)
        if set.rows.count > 0, isChecked != set.isChecked || key.map(set.keys.contains) ?? false {
            try connection.flush()
        }
        if set.rows.count == 0 { try connection.gather(self, into: form.table) }
        set.isChecked = isChecked
        if let key { set.keys.insert(key) }
        append(to: &set.rows)
        if set.rows.count >= Self.rowLimit || set.rows.byteCount >= Self.byteLimit { try connection.flush() }
        return true
    }

    /// How much is written together at most. Ours: as much as PostgreSQL takes in some milliseconds.
    private static let (rowLimit, byteLimit) = (1_000, 1 << 20)

    /// Writes the row; whether it is new is found out later.
    func writeOne() throws -> Bool {
        if try gather(isChecked: true) { return true }
        defer { reset() }
        while try step() {}
        return changedRows > 0
    }

    /// Sends the rows that were gathered.
    func writeGathered() throws {
        guard let form else { return }
        let rows = set.rows
        (set.rows, set.keys) = (RowArrays(), [])
        let send = try command(set.isChecked ? "c" : "w", rows) { form.text($0, isChecked: set.isChecked) }
        try connection.post(send)
    }

    /// Forgets the rows: their transaction is over.
    func forgetGathered() { (set.rows, set.keys) = (RowArrays(), []) }

    // MARK: Asking

    /// Asks with others what is bound, unless the answer is known.
    func ask() {
        guard !isAnswered else { return }
        let key = bytes(of: parameters.indices)
        guard !set.asked.contains(key) else { return }
        if set.asked.isEmpty { connection.asking.append(self) }
        set.asked.append(key)
        append(to: &set.questions)
    }

    /// Whether the answer to what is bound is known.
    var isAnswered: Bool { knownAnswer != nil }

    /// The rows that answer what is bound.
    var knownAnswer: (answer: OpaquePointer?, rows: Range<Int32>)? {
        guard !set.known.isEmpty, let known = set.known[bytes(of: parameters.indices)] else { return nil }
        return (set.answers[known.answer], known.rows)
    }

    /// What sends all that was asked.
    func question() throws -> (OpaquePointer?) -> Int32 {
        let questions = set.questions
        return try command("q", questions) { SetForm.question(sql, $0) }
    }

    /// Keeps the answer to all that was asked.
    func keepAnswer(_ result: OpaquePointer?) {
        let asked = set.asked
        (set.asked, set.questions) = ([], RowArrays())
        for key in asked { set.known[key] = (set.answers.count, 0..<0) }
        var row: Int32 = 0
        while row < PQntuples(result) {
            let index = Self.number(result, row)
            var end = row + 1
            while end < PQntuples(result), Self.number(result, end) == index { end += 1 }
            set.known[asked[index - 1]] = (set.answers.count, row..<end)
            row = end
        }
        set.answers.append(result)
    }

    private static func number(_ result: OpaquePointer?, _ row: Int32) -> Int {
        guard let value = PQgetvalue(result, row, 0) else { return 0 }
        return Int(Int64(bigEndian: UnsafeRawPointer(value).loadUnaligned(as: Int64.self)))
    }

    /// A table was written: answers that may be others now count no more.
    func forgetAnswers(where table: String, isNew: Bool) {
        guard mentions(table) else { return }
        // A row that comes changes none that is there; a list may have one more.
        if isNew, !sql.contains("ORDER BY") {
            set.known = set.known.filter { !$1.rows.isEmpty }
        } else {
            set.known.removeAll()
        }
    }

    /// Forgets what was answered in a transaction that is over.
    func forgetAnswers() {
        for answer in set.answers { PQclear(answer) }
        (set.answers, set.known) = ([], [:])
        (set.asked, set.questions) = ([], RowArrays())
    }

    // MARK: Parameters

    private func append(to rows: inout RowArrays) {
        rows.append(parameters.count) { index in
            let parameter = parameters[index]
            guard !parameter.isNull else { return (parameter.kind, nil) }
            return (parameter.kind, UnsafeRawBufferPointer(start: parameter.bytes, count: parameter.length))
        }
    }

    /// Some parameters, by which two rows are compared.
    private func bytes(of indices: some Sequence<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in indices {
            let parameter = parameters[index]
            withUnsafeBytes(of: parameter.isNull ? -1 : parameter.length) { bytes.append(contentsOf: $0) }
            guard !parameter.isNull else { continue }
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: parameter.bytes, count: parameter.length))
        }
        return bytes
    }

    /// What sends a text for many rows, which is prepared once where the session stays the same.
    private func command(
        _ suffix: String,
        _ rows: RowArrays,
        text: ([Oid]) -> String
    ) throws -> (OpaquePointer?) -> Int32 {
        let name = "\(name)\(suffix)"
        let text = set.prepared[name] ?? text(rows.kinds)
        if !connection.isPooled, set.prepared[name] == nil {
            let kinds = rows.kinds.map(PostgresKind.array)
            let answer = connection.answer { PQsendPrepare($0, name, text, Int32(kinds.count), kinds) }
            try connection.check(answer, PGRES_COMMAND_OK)
        }
        set.prepared[name] = text
        return { [isPooled = connection.isPooled] handle in
            rows.withParameters { kinds, values, lengths, formats in
                let count = Int32(kinds.count)
                guard isPooled else { return PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1) }
                return PQsendQueryParams(handle, text, count, kinds, values, lengths, formats, 1)
            }
        }
    }
}
