/// What an engine says in words of its own where the schema's scripts say it once: the types of columns, and what follows a
/// table's.
///
/// A script's types are `key` (given by the database, never twice), `rowid` (the same, but for a number that is free again),
/// `bigint`, `smallint`, `text` (compared by its bytes) and `bytes`. An index that ends with `rowid` ends with the key `id` where
/// the engine has to be told so. A table whose rows lie in the order of its primary key ends with `) WITHOUT ROWID;`, others with `);`, each on a
/// line of its own.
package struct SchemaDialect: Sendable {
    /// The engine's name of each type.
    package var types: [String: String]
    /// Whether an index has to name the key `id` at its end; SQLite has it in each.
    package var namesKeys: Bool
    /// What stands behind a table's columns, and the statements that follow it.
    package var ending: @Sendable (_ table: String, _ isWithoutRowID: Bool) -> (options: String, statements: [String])

    package init(
        types: [String: String],
        namesKeys: Bool,
        ending: @escaping @Sendable (_ table: String, _ isWithoutRowID: Bool) -> (options: String, statements: [String])
    ) {
        self.types = types
        self.namesKeys = namesKeys
        self.ending = ending
    }

    /// A script as the engine reads it.
    package func script(_ sql: String) -> String {
        var (table, isTable) = ("", false)
        return sql.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            if line == ");" || line == ") WITHOUT ROWID;" {
                let (options, statements) = ending(table, line != ");")
                isTable = false
                return [options.isEmpty ? ");" : ") \(options);"] + statements.map { $0 + ";" }
            }
            if line.hasPrefix("CREATE "), let end = line.firstRange(of: ", rowid)") {
                return [line[..<end.lowerBound] + (namesKeys ? ", id)" : ")") + line[end.upperBound...]]
            }
            var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            if line.hasPrefix("CREATE TABLE "), words.count > 2 { (table, isTable) = (words[2], true) }
            // A column stands on a line of its own behind four spaces, or behind ADD COLUMN.
            let name = isTable && line.hasPrefix("    ") ? 4 : words.firstIndex(of: "COLUMN").map { $0 + 1 }
            if let name, name + 1 < words.count, words[name] != "--" {
                let word = words[name + 1]
                let type = word.prefix { $0.isLetter }
                words[name + 1] = (types[String(type)] ?? String(type)) + word.dropFirst(type.count)
            }
            return [words.joined(separator: " ")]
        }
        .joined(separator: "\n")
    }
}
