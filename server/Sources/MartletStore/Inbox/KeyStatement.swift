/// A statement over a list of keys, in texts of a few lengths: one text is prepared once, however many keys there are.
struct KeyStatement: Sendable {
    /// How many keys a long text has. Ours: ten of them for as many people as one call asks for.
    private static let long = 1_000

    /// How many parameters stand before the keys.
    fileprivate let fixed: Int
    private let texts: [Int: String]

    /// - Parameters:
    ///   - fixed: how many parameters the statement has before the keys.
    ///   - row: what stands in the list for a key.
    ///   - text: the statement around a list.
    init(after fixed: Int = 0, row: (String) -> String = { $0 }, _ text: (String) -> String) {
        self.fixed = fixed
        texts = [1, SQL.run, Self.long].reduce(into: [:]) { texts, size in
            texts[size] = text((1...size).map { row("?\(fixed + $0)") }.joined(separator: ", "))
        }
    }

    /// Every text.
    var all: [String] { texts.values.sorted { $0.count < $1.count } }

    fileprivate func text(_ size: Int) -> String { texts[size] ?? "" }

    /// How many keys the next run has; a list that is shorter is filled up.
    fileprivate static func size(for count: Int) -> Int { count == 1 ? 1 : count > 8 * SQL.run ? long : SQL.run }
}

extension Transaction {
    /// Calls `body` with each row that a statement finds for keys.
    func forEach(
        _ statement: KeyStatement,
        _ keys: [some SQLValue],
        bind: (Statement) -> Void = { _ in },
        _ body: (Row) throws -> Void
    ) throws {
        var start = 0
        while start < keys.count {
            let size = KeyStatement.size(for: keys.count - start)
            let prepared = try prepare(statement.text(size))
            bind(prepared)
            for offset in 0..<size {
                // The last one again, where there are no more.
                prepared.set(Int32(statement.fixed + 1 + offset), keys[min(start + offset, keys.count - 1)])
            }
            try prepared.forEach(body)
            start += size
        }
    }

    /// Writes with a statement for keys, each once; says how many rows changed.
    @discardableResult
    func write(_ statement: KeyStatement, _ keys: [some SQLValue], bind: (Statement) -> Void = { _ in }) throws -> Int {
        var start = 0
        var changed = 0
        while start < keys.count {
            let size = keys.count - start >= SQL.run ? SQL.run : 1
            let prepared = try prepare(statement.text(size))
            bind(prepared)
            for offset in 0..<size { prepared.set(Int32(statement.fixed + 1 + offset), keys[start + offset]) }
            changed += try prepared.changes()
            start += size
        }
        return changed
    }
}
