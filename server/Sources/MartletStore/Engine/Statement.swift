/// A statement of a connection's cache, bound and stepped. Used by one thread, and by one reader at a time.
package final class Statement {
    private let engine: any SQLStatement
    /// Row that were asked for, by where the literal with their name lies: comparing addresses costs less than
    /// comparing texts, for each column of each row.
    private var known: [(name: UnsafePointer<UInt8>, column: Int32)] = []

    package init(_ engine: any SQLStatement) { self.engine = engine }

    /// Binds all parameters in their order.
    @discardableResult
    package func bind<each Value: SQLValue>(_ value: repeat each Value) -> Statement {
        var position: Int32 = 1
        for item in repeat each value {
            item.bind(to: engine, at: position)
            position += 1
        }
        return self
    }

    /// Binds one parameter of a statement that is run once for each row of many; the position counts from 1.
    func set(_ position: Int32, _ value: some SQLValue) { value.bind(to: engine, at: position) }

    /// Runs after all that was run before. Where the engine is elsewhere its answer is not waited for: what is wrong is
    /// thrown by a later statement of the transaction, or by its commit.
    package func run() throws { try engine.send() }

    /// Runs a statement that writes one row, or none where it is there already or no longer; says whether it did.
    package func writeOne() throws -> Bool { try engine.writeOne() }

    /// Asks what will be read with what is bound: see ``CommitQueue/Questions``.
    func ask() { engine.ask() }

    /// Whether it was asked and answered.
    var isAnswered: Bool { engine.isAnswered }

    /// Runs to the end; says how many rows were changed.
    package func changes() throws -> Int {
        defer { engine.reset() }
        while try engine.step() {}
        return engine.changedRows
    }

    /// Calls `body` with each row.
    package func forEach(_ body: (Row) throws -> Void) throws {
        defer { engine.reset() }
        while try engine.step() { try body(Row(statement: self, engine: engine)) }
    }

    /// All rows.
    package func all<Item>(_ decode: (Row) throws -> Item) throws -> [Item] {
        var items: [Item] = []
        try forEach { items.append(try decode($0)) }
        return items
    }

    /// The first row; the rest is not read.
    package func first<Item>(_ decode: (Row) throws -> Item) throws -> Item? {
        defer { engine.reset() }
        return try engine.step() ? try decode(Row(statement: self, engine: engine)) : nil
    }

    /// The first row of a statement that always has one, such as an INSERT that returns its key.
    ///
    /// - Throws: `Failure` when there is none.
    package func one<Item>(_ decode: (Row) throws -> Item) throws -> Item {
        guard let item = try first(decode) else { throw Row.damage("no row where there has to be one") }
        return item
    }

    /// Whether there is a row.
    package func exists() throws -> Bool { try first { _ in true } ?? false }

    /// The position of a column.
    func column(_ name: StaticString) -> Int32 {
        for entry in known where entry.name == name.utf8Start { return entry.column }
        guard let index = engine.columnNames.firstIndex(of: "\(name)") else {
            // A fault of the script, which the test that prepares every statement finds.
            preconditionFailure("The statement has no column \(name).")
        }
        known.append((name.utf8Start, Int32(index)))
        return Int32(index)
    }
}
